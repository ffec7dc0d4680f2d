#pragma once
#include <sys/ioctl.h>
#include <unistd.h>

#include <cstddef>
#include <cstdlib>

namespace revctl::base {

/// Columns of the terminal at `descriptor`; 80 where it does not say, 0 where it is no terminal.
inline std::size_t TerminalWidth(int descriptor) {
  if (::isatty(descriptor) == 0) return 0;
  winsize size{};
  const bool said = ::ioctl(descriptor, TIOCGWINSZ, &size) == 0 && size.ws_col > 0;
  return said ? size.ws_col : 80;
}

/// Results are coloured: stdout is a terminal, and NO_COLOR is not set or empty.
inline bool ColouredOutput() {
  const char* const no_colour = std::getenv("NO_COLOR");
  return ::isatty(STDOUT_FILENO) != 0 && (no_colour == nullptr || *no_colour == '\0');
}

}  // namespace revctl::base
