#pragma once
#include <cstdint>
#include <cstdlib>
#include <string>

#include "harness/trace/registry.h"

// With REVCTL_ISOLATION=start, a child runs this test program from its beginning. The child gets
// the test case's types and variables from the environment.
namespace revctl::harness::test {

/// Sets an environment variable of this process.
void SetVariable(const char* name, const std::string& value);

/// The EndingWords() of a process after calling abort(), and after writing to a null pointer.
extern const char* const kAborted;
extern const char* const kCrashed;

/// Stops this process as a debugger does, without ending it.
void StopProcess();

/// The address range of this program's functions and literals.
struct ProgramImage {
  std::uintptr_t begin = 0, end = 0;
};
ProgramImage OwnImage();

/// Name of the environment variable that contains the types of the test case.
inline constexpr char kStartedProgram[] = "REVCTL_TEST_TYPES";

/// Returns the types and their samples as text. Functions and literals are represented by their
/// distances from the beginning of the program, because its address may differ between processes.
std::string PackedForChildren(const Registry& registry);

/// A variable that has the same value in children. `T` is an enum, a number or bool.
template <class T>
class Variable {
 public:
  explicit Variable(const char* name) : name_(name) {
    if (const char* const value = std::getenv(name))
      value_ = static_cast<T>(std::strtoll(value, nullptr, 10));
  }
  Variable(const Variable&) = delete;
  operator T() const { return value_; }
  T operator=(T value) {
    SetVariable(name_, std::to_string(static_cast<long long>(value)));
    return value_ = value;
  }

 private:
  const char* name_;
  T value_{};
};

}  // namespace revctl::harness::test
