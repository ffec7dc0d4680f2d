#include <sys/ioctl.h>
#include <unistd.h>

#include "revctl/base/terminal.h"

namespace revctl::base {

bool IsTerminal(Stream stream) { return ::isatty(static_cast<int>(stream)) != 0; }

std::size_t TerminalWidth(Stream stream) {
  if (!IsTerminal(stream)) return 0;
  winsize size{};
  const bool said = ::ioctl(static_cast<int>(stream), TIOCGWINSZ, &size) == 0 && size.ws_col > 0;
  return said ? size.ws_col : 80;
}

}  // namespace revctl::base
