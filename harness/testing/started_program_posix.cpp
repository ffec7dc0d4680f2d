#include <signal.h>
#include <stdlib.h>

#include "harness/testing/started_program.h"

// The linker defines these.
extern "C" const char __executable_start, _end;

namespace revctl::harness::test {

const char* const kAborted = "signal 6";
const char* const kCrashed = "signal 11";

void SetVariable(const char* name, const std::string& value) { ::setenv(name, value.c_str(), 1); }

void StopProcess() { ::raise(SIGSTOP); }

ProgramImage OwnImage() {
  return {reinterpret_cast<std::uintptr_t>(&__executable_start),
          reinterpret_cast<std::uintptr_t>(&_end)};
}

}  // namespace revctl::harness::test
