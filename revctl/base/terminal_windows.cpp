#include "revctl/base/system_windows.h"
#include "revctl/base/terminal.h"

namespace revctl::base {
namespace {

HANDLE HandleOf(Stream stream) {
  switch (stream) {
    case Stream::In:
      return ::GetStdHandle(STD_INPUT_HANDLE);
    case Stream::Out:
      return ::GetStdHandle(STD_OUTPUT_HANDLE);
    default:
      return ::GetStdHandle(STD_ERROR_HANDLE);
  }
}

}  // namespace

// Checks for a console mode, which only consoles have. msvcrt's isatty() would take the null device
// for a terminal.
bool IsTerminal(Stream stream) {
  DWORD mode = 0;
  return ::GetConsoleMode(HandleOf(stream), &mode) != 0;
}

std::size_t TerminalWidth(Stream stream) {
  if (!IsTerminal(stream)) return 0;
  CONSOLE_SCREEN_BUFFER_INFO about{};
  if (::GetConsoleScreenBufferInfo(HandleOf(stream), &about) == 0) return 80;
  const int columns = about.srWindow.Right - about.srWindow.Left + 1;
  return columns > 0 ? static_cast<std::size_t>(columns) : 80;
}

}  // namespace revctl::base
