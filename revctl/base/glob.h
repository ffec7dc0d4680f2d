#pragma once
#include <string_view>

namespace revctl::base {

/// True if the glob `pattern` matches the whole of `name`, a path or a single word. `*` matches any
/// characters except '/', `**` any characters including '/', `?` any character except '/', `[a-z]`
/// one character in the set, and `[!a-z]` one character that is neither in the set nor '/'. A
/// backslash makes the next character literal. A '[' without a closing ']' is literal. Takes at
/// most |pattern| * |name| steps.
bool GlobMatches(std::string_view pattern, std::string_view name);

}  // namespace revctl::base
