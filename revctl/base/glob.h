#pragma once
#include <string_view>

namespace revctl::base {

/// True if the glob `pattern` matches all of `name`, a path or a single word. As in git, `*`
/// matches any characters except '/', `**` any characters, `?` one character except '/', `[a-z]`
/// one of a set, `[!a-z]` one outside of it, and a backslash makes the next character literal. A
/// '[' without a ']' is literal. Takes at most |pattern| * |name| steps.
bool GlobMatches(std::string_view pattern, std::string_view name);

}  // namespace revctl::base
