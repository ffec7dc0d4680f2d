#pragma once
#include <string_view>

namespace revctl::base {

/// True if the glob `pattern` matches all of `name`, a path or a single word. Much like in git, `*`
/// matches any characters except '/', `**` any characters, `?` one character except '/', `[a-z]`
/// one character in the set, and `[!a-z]` one that is neither in the set nor '/'. A backslash makes
/// the next character literal. A '[' without a ']' is literal. Takes at most |pattern| * |name|
/// steps.
bool GlobMatches(std::string_view pattern, std::string_view name);

}  // namespace revctl::base
