#pragma once
#include <string>
#include <string_view>

namespace revctl::base {

/// Text of a man page. A line that begins with '.' or '\'' would be a request to roff, a '\\'
/// begins an escape, and a plain '-' is a hyphen.
inline std::string Roff(std::string_view text) {
  std::string out;
  bool line_begins = true;
  for (const char c : text) {
    if (line_begins && (c == '.' || c == '\'')) out += "\\&";
    if (c == '\\') out += "\\e";
    else if (c == '-') out += "\\-";
    else out += c;
    line_begins = c == '\n';
  }
  return out;
}

}  // namespace revctl::base
