#pragma once
#include <string>
#include <string_view>

#include "revctl/base/json.h"

namespace revctl::findings {

// Names, comments and messages may come from an untrusted branch, so all output passes through one
// of these functions: Printable() or OneLine() for terminals and logs, JsonSafe() for JSON. The
// formats with workflow commands and XML have their own functions.

/// Returns `text` with control characters and invalid UTF-8 made visible (`\x1b`, `\u202e`), and
/// with CI log commands disarmed: `::add-mask::` at the beginning of a line, and `##[...]`.
std::string Printable(std::string_view text);

/// Like Printable(), but also makes line breaks visible.
std::string OneLine(std::string_view text);

/// Like Printable(), but does not disarm CI commands.
std::string Visible(std::string_view text);

/// Returns user input for use in a message: quoted, on one line, and shortened.
std::string Quoted(std::string_view text);

/// Returns the JSON text and a line break. Strings in the result cannot control a terminal or a CI
/// system. `indent` is passed to base::JsonText.
std::string JsonSafe(const base::Json& json, int indent = -1);

}  // namespace revctl::findings
