// The one file that compiles fmt; the others include <fmt/core.h>, which is quick. All of it is
// inline here: Debian has no static library of fmt, and a program that links the harness may bring
// a copy of its own.
#define FMT_HEADER_ONLY
#include <fmt/format.h>

namespace revctl::base {

// What <fmt/core.h> declares, and calls.
extern std::string (*const kFormatText)(fmt::string_view, fmt::format_args);
std::string (*const kFormatText)(fmt::string_view, fmt::format_args) = fmt::vformat;

}  // namespace revctl::base
