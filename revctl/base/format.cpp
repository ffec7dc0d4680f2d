// The only file that compiles fmt. All other files include just <fmt/core.h>, which compiles
// quickly. fmt is used as a header-only library, because Debian has no static fmt library and a
// program that links the harness may contain its own copy of fmt.
#define FMT_HEADER_ONLY
#include <fmt/format.h>

namespace revctl::base {

// Defines the function pointer that <fmt/core.h> declares and calls.
extern std::string (*const kFormatText)(fmt::string_view, fmt::format_args);
std::string (*const kFormatText)(fmt::string_view, fmt::format_args) = fmt::vformat;

}  // namespace revctl::base
