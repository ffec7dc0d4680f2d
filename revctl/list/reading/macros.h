#pragma once
#include <map>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "revctl/list/reading/source.h"

namespace revctl::list::detail {

struct Macro {
  bool function_like = false;
  std::vector<std::string_view> parameters;
  std::vector<Token> body;
  /// Defined, or taken back, under a condition that this file does not decide: the macro is not
  /// expanded, and what evaluates to its name is an error.
  bool undecided = false;
  /// Its body has `#` or `##`, or it takes `...`: no list needs that, so it is not expanded either.
  bool pastes = false;

  bool NotExpanded() const { return undecided || pastes; }
  /// Whether a word `name` becomes something else. `#define MAX(a, b)` leaves MAX alone, and
  /// `#define SR_A SR_A` changes nothing.
  bool Replaces(std::string_view name) const {
    return !function_like && (undecided || body.size() != 1 || body[0].text != name);
  }
  /// Behind its name, why an entry cannot have it.
  std::string_view Why() const {
    return pastes ? "is a macro with `#`, `##` or `...`, which revctl does not expand"
                  : "is a macro whose definition depends on something that this file does not say";
  }
};

/// The macros of one file, as they stand at one place in it, and their expansion.
class MacroTable {
 public:
  enum class Defined {
    No,
    Yes,
    Undecided,
    Unknown
  };  ///< Unknown: this file never mentions it; the build may

  /// `line` is what follows `#define`. Fails where it is no definition.
  bool Define(std::span<const Token> line, bool undecided, Problem& problem);
  void Undefine(std::string_view name, bool undecided);
  /// From now on the file does not say what `name` means, or whether it is a macro.
  void MakeUndecided(std::string_view name);
  Defined IsDefined(std::string_view name) const;
  /// nullptr: none. One of which nothing is known has no body.
  const Macro* Find(std::string_view name) const;

  /// Replaces macros in `input` as the preprocessor does. The tokens of an expansion carry the span
  /// of the invocation. Appends to `output`; fails where an expansion has no end or grows beyond
  /// all measure.
  bool Expand(std::span<const Token> input, std::vector<Token>& output, Problem& problem);

 private:
  std::map<std::string, Macro, std::less<>> macros_;
  std::set<std::string, std::less<>> undefined_;
  std::size_t budget_ = 1'000'000;  ///< tokens that all expansions of a file may make together
};

}  // namespace revctl::list::detail
