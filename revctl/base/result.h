#pragma once
#include <string>
#include <type_traits>
#include <utility>
#include <variant>

namespace revctl::base {

/// Exit codes of every command (`revctl --help`).
enum class Exit : int {
  Fine = 0,
  Findings = 1,
  Usage = 2,
  Environment = 3,
  LostRace = 4,
  Provisional = 5
};

/// Why a tool cannot go on. The message says what was found and what was expected; it names the
/// path itself where `file` is empty. `fix` is the command that mends it, and may be empty.
struct Error {
  Exit exit = Exit::Usage;
  std::string message;
  std::string fix;
  std::string file = {};     ///< for errors in a file, which the message then does not name
  int line = 0;              ///< of `file`, 1-based; 0: the file as a whole
  bool unreachable = false;  ///< no server answered; the program adds to `fix` what goes on
};

inline Error FileError(std::string file, int line, std::string message, std::string fix = "") {
  return {Exit::Usage, std::move(message), std::move(fix), std::move(file), line};
}

/// A value, or the error in its place. `value()` and `*` require a value.
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

/// The value of an operation that has no other.
struct Done {};

}  // namespace revctl::base

namespace revctl {

// Every folder names these four: the namespaces within this one find them here.
using base::Done;
using base::Error;
using base::Exit;
using base::Result;

}  // namespace revctl

/// The early return of a function that gives a Result: an error is returned as it is.
///
///   TRY(const auto text, ReadFile(path, limit));  // declares `text` with the value
///   TRY(ReplaceFile(path, text));                 // drops the value
///
/// A lock, or another value that cannot be copied, has to be declared: dropped, it would end at
/// once. A comma that stands in no parentheses needs some: `TRY(auto map, (Read<int, int>(path)))`.
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
                  "name what is held: TRY(const auto lock, ...)");                         \
    if (!REVCTL_TRY_NAME(line).ok())                                                       \
      return std::forward<decltype(REVCTL_TRY_NAME(line))>(REVCTL_TRY_NAME(line)).error(); \
  } while (false)
