#pragma once
#include <string>
#include <string_view>

namespace revctl::findings {

/// Names, comments and messages may come from a stranger's branch: what could steer a terminal is
/// shown (`\x1b`), not sent.
std::string Printable(std::string_view text);

/// The same, and line ends are shown as well.
std::string OneLine(std::string_view text);

/// What a user typed, within a message: quoted, in one line, and not longer than a line has room
/// for.
std::string Quoted(std::string_view text);

}  // namespace revctl::findings
