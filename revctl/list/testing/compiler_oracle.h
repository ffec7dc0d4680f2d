#pragma once
#include <filesystem>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "revctl/list/testing/test_lists.h"

namespace revctl::list::testing {

/// A list and what a program has to say of it (test_lists.h, Assertions).
struct Candidate {
  int number = 0;
  std::string text;
  std::string assertions;
};

/// `text` as a candidate, with '@' replaced by its number: macros outlive its namespace. nullopt:
/// revctl refuses it, which is always allowed.
std::optional<Candidate> MakeCandidate(std::string text, int number);

/// Asks compilers about many lists in one run of each.
class CompilerOracle {
 public:
  explicit CompilerOracle(const std::vector<Candidate>& candidates);
  ~CompilerOracle();
  CompilerOracle(const CompilerOracle&) = delete;
  CompilerOracle& operator=(const CompilerOracle&) = delete;

  struct Answer {
    std::size_t taken = 0;     ///< lists that the compiler takes
    std::vector<int> wrong{};  ///< those of them to which it gives other numbers
  };
  Answer Ask(const std::string& compiler) const;

  /// CHECKs that each compiler takes at least `least` lists, and gives none other numbers.
  void CheckAll(const std::vector<std::string>& compilers, std::size_t least) const;

 private:
  /// Candidates that errors name.
  struct Errors {
    std::set<int> in_list;        ///< the list itself is refused
    std::set<int> in_assertions;  ///< the numbers differ, or the list before left something open
    bool Any() const { return !in_list.empty() || !in_assertions.empty(); }
  };
  Errors Compile(const std::string& compiler, const std::set<int>& numbers,
                 bool with_assertions = true) const;

  const std::vector<Candidate>& candidates_;
  std::filesystem::path folder_;
};

/// g++ and clang++ of this machine, with the options that the oracle needs.
inline constexpr const char* kGcc20 = "g++ -std=c++20 -fmax-errors=0";
inline constexpr const char* kClang20 = "clang++ -std=c++20 -ferror-limit=0";
inline constexpr const char* kGcc14 = "g++ -std=c++14 -fmax-errors=0";

}  // namespace revctl::list::testing
