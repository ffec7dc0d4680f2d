#pragma once
#include <filesystem>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "revctl/list/testing/test_lists.h"

namespace revctl::list::testing {

/// A list, and the assertions about it (see Assertions in test_lists.h).
struct Candidate {
  int number = 0;
  std::string text;
  std::string assertions;
};

/// Returns `text` as a candidate, with '@' replaced by its number, because macros ignore its
/// namespace. Returns nullopt if revctl rejects it, which is always allowed.
std::optional<Candidate> MakeCandidate(std::string text, int number);

/// Compiles many lists in one run of each compiler.
class CompilerOracle {
 public:
  explicit CompilerOracle(const std::vector<Candidate>& candidates);
  ~CompilerOracle();
  CompilerOracle(const CompilerOracle&) = delete;
  CompilerOracle& operator=(const CompilerOracle&) = delete;

  struct Answer {
    std::size_t taken = 0;     ///< lists that the compiler accepts
    std::vector<int> wrong{};  ///< accepted lists for which the compiler computes other numbers
  };
  Answer Ask(const std::string& compiler) const;

  /// CHECKs that each compiler accepts at least `least` lists and agrees with revctl's numbers.
  void CheckAll(const std::vector<std::string>& compilers, std::size_t least) const;

 private:
  /// Candidates mentioned in errors.
  struct Errors {
    std::set<int> in_list;        ///< the list itself is rejected
    std::set<int> in_assertions;  ///< the numbers differ, or the previous list left something open
    bool Any() const { return !in_list.empty() || !in_assertions.empty(); }
  };
  Errors Compile(const std::string& compiler, const std::set<int>& numbers,
                 bool with_assertions = true) const;

  const std::vector<Candidate>& candidates_;
  std::filesystem::path folder_;
};

/// The machine's g++ and clang++ with the required options.
inline constexpr const char* kGcc20 = "g++ -std=c++20 -fmax-errors=0";
inline constexpr const char* kClang20 = "clang++ -std=c++20 -ferror-limit=0";
inline constexpr const char* kGcc14 = "g++ -std=c++14 -fmax-errors=0";

}  // namespace revctl::list::testing
