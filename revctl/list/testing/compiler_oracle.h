#pragma once
#include <filesystem>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "revctl/list/testing/test_lists.h"

namespace revctl::list::testing {

/// A list, and the assertions about it (see Assertions() in test_lists.h).
struct Candidate {
  int number = 0;
  std::string text;
  std::string assertions;
};

/// Returns `text` as a candidate. Each '@' is replaced with its number, because macros ignore the
/// candidate's namespace. Returns nullopt if revctl rejects the list, which is always allowed.
std::optional<Candidate> MakeCandidate(std::string text, int number);

/// Compiles many lists in one run of each compiler.
class CompilerOracle {
 public:
  explicit CompilerOracle(const std::vector<Candidate>& candidates);
  ~CompilerOracle();
  CompilerOracle(const CompilerOracle&) = delete;
  CompilerOracle& operator=(const CompilerOracle&) = delete;

  struct Answer {
    std::size_t taken = 0;     ///< number of lists that the compiler accepts
    std::vector<int> wrong{};  ///< accepted lists for which the compiler computes different numbers
  };
  Answer Ask(const std::string& compiler) const;

  /// Checks that each compiler accepts at least `least` lists and computes the same numbers as
  /// revctl.
  void CheckAll(const std::vector<std::string>& compilers, std::size_t least) const;

 private:
  /// The numbers of the candidates that appear in the compiler's errors.
  struct Errors {
    std::set<int> in_list;  ///< the compiler rejects the list itself
    /// candidates whose numbers differ, or that follow a list that left a construct open
    std::set<int> in_assertions;
    bool Any() const { return !in_list.empty() || !in_assertions.empty(); }
  };
  Errors Compile(const std::string& compiler, const std::set<int>& numbers,
                 bool with_assertions = true) const;

  const std::vector<Candidate>& candidates_;
  std::filesystem::path folder_;
};

/// Command lines for the g++ and clang++ on PATH.
inline constexpr const char* kGcc20 = "g++ -std=c++20 -fmax-errors=0";
inline constexpr const char* kClang20 = "clang++ -std=c++20 -ferror-limit=0";
inline constexpr const char* kGcc14 = "g++ -std=c++14 -fmax-errors=0";

}  // namespace revctl::list::testing
