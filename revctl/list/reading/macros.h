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
  /// True if a `#define` or `#undef` of the macro depends on a condition that cannot be decided
  /// from this file alone. Such a macro is not expanded, and evaluating its name is an error.
  bool undecided = false;
  /// True if the body uses `#` or `##`, or the macro takes `...`. Such macros are not expanded,
  /// because no list needs them.
  bool pastes = false;

  bool NotExpanded() const { return undecided || pastes; }
  /// True if the macro changes the plain name `name` in code. `#define MAX(a, b)` does not change
  /// MAX unless parentheses follow, and `#define SR_A SR_A` has no effect.
  bool Replaces(std::string_view name) const {
    return !function_like && (undecided || body.size() != 1 || body[0].text != name);
  }
  /// Returns why the macro's name cannot be evaluated, worded to follow that name in a message.
  std::string_view Why() const {
    return pastes ? "is a macro with `#`, `##` or `...`, which revctl cannot expand"
                  : "is a macro whose definition depends on a name that this file does not define";
  }
};

/// The macros that are defined at a certain position in a file.
class MacroTable {
 public:
  enum class Defined {
    No,
    Yes,
    Undecided,
    Unknown
  };  ///< Unknown: not defined in this file, but the build may define it

  /// Adds the macro that is defined by `line`, the tokens after `#define`. Returns false and sets
  /// `problem` if `line` is not a valid definition.
  bool Define(std::span<const Token> line, bool undecided, Problem& problem);
  void Undefine(std::string_view name, bool undecided);
  /// Marks `name` as undecided from this position on: it may or may not be a macro.
  void MakeUndecided(std::string_view name);
  Defined IsDefined(std::string_view name) const;
  /// Returns the macro, or null if there is none. A macro whose definition is unknown has an empty
  /// body.
  const Macro* Find(std::string_view name) const;

  /// Appends `input` to `output` with macros expanded as the preprocessor does. Tokens from an
  /// expansion have the span of the macro's invocation. Returns false and sets `problem` if an
  /// expansion never ends or exceeds the budget.
  bool Expand(std::span<const Token> input, std::vector<Token>& output, Problem& problem);

 private:
  std::map<std::string, Macro, std::less<>> macros_;
  std::set<std::string, std::less<>> undefined_;
  /// how many more tokens the expansions of this file may produce
  std::size_t budget_ = 1'000'000;
};

}  // namespace revctl::list::detail
