#pragma once
#include <string>
#include <string_view>

namespace revctl::findings {

/// Names, comments and messages may come from a stranger's branch: what could steer a terminal is shown (`\x1b`), not sent.
std::string Printable(std::string_view text);

}  // namespace revctl::findings
