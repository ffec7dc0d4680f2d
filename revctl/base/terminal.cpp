#include "revctl/base/terminal.h"

#include <fmt/core.h>
#include <algorithm>
#include <cstdlib>

namespace revctl::base {

bool ColouredOutput() {
  const char* const no_colour = std::getenv("NO_COLOR");
  return IsTerminal(Stream::Out) && (no_colour == nullptr || *no_colour == '\0');
}

std::string Duration(double seconds) {
  return seconds < 120 ? fmt::format("{:.0f} s", seconds) : fmt::format("{:.0f} min", seconds / 60);
}

std::string HowFar(std::size_t done, std::size_t all, std::string_view what, double seconds) {
  std::string out = fmt::format("{} of {} {}", done, all, what);
  if (done == 0 || seconds <= 0) return out;
  const double rate = static_cast<double>(done) / seconds;
  return out + fmt::format(", {:.{}f} a second, {} left", rate, rate < 1 ? 1 : 0,
                           Duration(static_cast<double>(all - std::min(done, all)) / rate));
}

}  // namespace revctl::base
