#pragma once
#include <string>
#include <type_traits>
#include <utility>
#include <variant>

namespace revctl::base {

/// The exit codes of all commands (see `revctl --help`).
enum class Exit : int {
  Fine = 0,
  Findings = 1,
  Usage = 2,
  Environment = 3,
  LostRace = 4,
  Provisional = 5
};

/// Describes what an error's fix would do, for callers that may know a better fix.
enum class ErrorFix {
  Other,
  EditConfig,    ///< edits .revctl.yaml
  BranchLedger,  ///< keeps the ledger on a branch
  RestoreFile,   ///< restores the committed `file`; `alternative` contains the rest of the fix
};

/// Describes why a command failed. The message states what was found and what was expected. It
/// includes the path only if `file` is empty. `fix` is a command that solves the problem, or "".
struct Error {
  Exit exit = Exit::Usage;
  std::string message;
  std::string fix;
  std::string file = {};  ///< the file with the error, not repeated in `message`; empty if there is
                          ///< none
  int line = 0;           ///< line of `file`, 1-based; 0 for the file as a whole
  int column = 0;         ///< 1-based column; 0 if unknown
  ErrorFix fix_kind = ErrorFix::Other;
  std::string alternative = {};  ///< more lines to print after `fix`; may be empty
  /// true if no server answered; main then adds commands that work offline to `fix`
  bool unreachable = false;
};

inline Error FileError(std::string file, int line, std::string message, std::string fix = "") {
  return {Exit::Usage, std::move(message), std::move(fix), std::move(file), line};
}

/// Returns the error's message, preceded by its place if it has one: `list.h:12:3: ...`.
inline std::string ErrorText(const Error& error) {
  std::string place = error.file;
  for (const int number : {error.line, error.column}) {
    if (number > 0) place += ":" + std::to_string(number);
  }
  return place.empty() ? error.message : place + ": " + error.message;
}

/// Holds a value or an Error. `value()`, `*` and `->` may be used only if there is a value, and
/// `error()` only if there is an error.
template <class T>
class [[nodiscard]] Result {
 public:
  Result(T value)
      : state_(std::in_place_index<0>, std::move(value)) {}  // NOLINT(google-explicit-constructor)
  Result(Error error)
      : state_(std::in_place_index<1>, std::move(error)) {}  // NOLINT(google-explicit-constructor)

  bool ok() const { return state_.index() == 0; }
  explicit operator bool() const { return ok(); }
  T& value() & { return std::get<0>(state_); }
  const T& value() const& { return std::get<0>(state_); }
  T&& value() && { return std::get<0>(std::move(state_)); }
  T* operator->() { return &value(); }
  const T* operator->() const { return &value(); }
  T& operator*() & { return value(); }
  const T& operator*() const& { return value(); }
  Error& error() & { return std::get<1>(state_); }
  const Error& error() const& { return std::get<1>(state_); }
  Error&& error() && { return std::get<1>(std::move(state_)); }

 private:
  std::variant<T, Error> state_;
};

/// The value type of an operation that succeeds without a value.
struct Done {};

}  // namespace revctl::base

namespace revctl {

// Lets all nested namespaces use these names unqualified.
using base::Done;
using base::Error;
using base::ErrorText;
using base::Exit;
using base::Result;

}  // namespace revctl

/// Evaluates a Result. If it holds an error, returns that error from the enclosing function.
///
///   TRY(const auto text, ReadFile(path, limit));  // declares `text` with the value
///   TRY(ReplaceFile(path, text));                 // discards the value
///
/// A lock, or any other value that cannot be copied, must be assigned to a variable, because a
/// discarded lock would be released immediately. An argument with a comma that is not inside
/// parentheses needs extra parentheses: `TRY(auto map, (Read<int, int>(path)))`.
#define TRY(...) \
  REVCTL_TRY_CHOSEN(__VA_ARGS__, REVCTL_TRY_VALUE, REVCTL_TRY_DONE, )(__LINE__, __VA_ARGS__)
#define REVCTL_TRY_CHOSEN(first, second, chosen, ...) chosen
#define REVCTL_TRY_NAME(line) REVCTL_TRY_JOINED(revctl_tried_, line)
#define REVCTL_TRY_JOINED(name, line) name##line
#define REVCTL_TRY_VALUE(line, declaration, expression)                                  \
  auto&& REVCTL_TRY_NAME(line) = (expression);                                           \
  if (!REVCTL_TRY_NAME(line).ok())                                                       \
    return std::forward<decltype(REVCTL_TRY_NAME(line))>(REVCTL_TRY_NAME(line)).error(); \
  declaration = std::forward<decltype(REVCTL_TRY_NAME(line))>(REVCTL_TRY_NAME(line)).value()
#define REVCTL_TRY_DONE(line, expression)                                                  \
  do {                                                                                     \
    auto&& REVCTL_TRY_NAME(line) = (expression);                                           \
    static_assert(std::is_copy_constructible_v<                                            \
                      std::remove_cvref_t<decltype(REVCTL_TRY_NAME(line).value())>>,       \
                  "give the value a name: TRY(const auto lock, ...)");                     \
    if (!REVCTL_TRY_NAME(line).ok())                                                       \
      return std::forward<decltype(REVCTL_TRY_NAME(line))>(REVCTL_TRY_NAME(line)).error(); \
  } while (false)
