#pragma once
#include <string>
#include <utility>
#include <variant>

namespace golden {

/// Why a store cannot be read or written. The message names the file; `line` is 1-based, 0 where
/// there is none.
struct Problem {
  std::string file;
  int line = 0;
  std::string message;
  std::string fix;  ///< the command that mends it, may be empty
};

/// The mend of what a later version of revctl has written.
inline constexpr const char* kUpdateRevctl =
    "update revctl to a version that reads it, and build the harness with that one";

/// A value or the problem that stands in its way. Nothing in this folder throws.
template <class T>
class [[nodiscard]] Result {
 public:
  Result(T value)
      : state_(std::in_place_index<0>, std::move(value)) {}  // NOLINT(google-explicit-constructor)
  Result(Problem problem)                                    // NOLINT(google-explicit-constructor)
      : state_(std::in_place_index<1>, std::move(problem)) {}

  bool ok() const { return state_.index() == 0; }
  explicit operator bool() const { return ok(); }
  T& value() & { return std::get<0>(state_); }
  const T& value() const& { return std::get<0>(state_); }
  T&& value() && { return std::get<0>(std::move(state_)); }
  T* operator->() { return &value(); }
  const T* operator->() const { return &value(); }
  T& operator*() & { return value(); }
  const T& operator*() const& { return value(); }
  const Problem& problem() const { return std::get<1>(state_); }

 private:
  std::variant<T, Problem> state_;
};

/// For what has nothing to give but may fail.
struct Done {};

}  // namespace golden
