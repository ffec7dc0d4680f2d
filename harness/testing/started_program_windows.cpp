#include <windows.h>

#include <stdlib.h>

#include "harness/testing/started_program.h"

// The linker defines this header of the program.
extern "C" const IMAGE_DOS_HEADER __ImageBase;

namespace revctl::harness::test {

const char* const kAborted = "exit status 3";
const char* const kCrashed = "exception 0xC0000005";

void SetVariable(const char* name, const std::string& value) { ::_putenv_s(name, value.c_str()); }

void StopProcess() { ::SuspendThread(::GetCurrentThread()); }

ProgramImage OwnImage() {
  const auto begin = reinterpret_cast<std::uintptr_t>(&__ImageBase);
  const auto* const header = reinterpret_cast<const IMAGE_NT_HEADERS*>(
      begin + static_cast<std::uintptr_t>(__ImageBase.e_lfanew));
  return {begin, begin + header->OptionalHeader.SizeOfImage};
}

}  // namespace revctl::harness::test
