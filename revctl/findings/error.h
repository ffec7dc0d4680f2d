#pragma once
#include <string>
#include <utility>
#include <variant>

namespace revctl::findings {

/// Exit codes of every command (docs/exit-codes in `revctl --help`).
enum class Exit : int {
  Fine = 0,
  Findings = 1,
  Usage = 2,
  Environment = 3,
  LostRace = 4,
  Provisional = 5
};

/// Why a command cannot go on. One message names file, line or path and what was expected; `fix` is
/// the command that mends it.
struct Error {
  Exit exit = Exit::Usage;
  std::string message;
  std::string fix;
};

/// A value or the error that stands in its way. `value()` asserts that there is one.
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
  const Error& error() const { return std::get<1>(state_); }
  Error& error() { return std::get<1>(state_); }

 private:
  std::variant<T, Error> state_;
};

/// For what has nothing to give but may fail.
struct Done {};

}  // namespace revctl::findings
