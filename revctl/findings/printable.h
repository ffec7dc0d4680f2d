#pragma once
#include <string>
#include <string_view>

#include "revctl/base/json.h"

namespace revctl::findings {

// Names, comments and messages may come from a stranger's branch. Each way out has one function
// that every such byte passes: Printable() and OneLine() for a terminal and for logs, JsonSafe()
// for JSON; workflow commands and XML have theirs where they are made.

/// What steers a terminal, or is no UTF-8, is shown (`\x1b`, `\u202e`), not sent. So is what a CI
/// system takes for a command in its log: `::add-mask::` at the beginning of a line, `##[...]`.
std::string Printable(std::string_view text);

/// The same, and line ends are shown as well.
std::string OneLine(std::string_view text);

/// Shows only what steers: for places where a CI system reads no commands.
std::string Visible(std::string_view text);

/// What a user typed, within a message: quoted, in one line, and not longer than a line has room
/// for.
std::string Quoted(std::string_view text);

/// The value and a line's end: no byte of its texts steers a terminal or a CI system. `indent` as
/// for base::JsonText.
std::string JsonSafe(const base::Json& json, int indent = -1);

}  // namespace revctl::findings
