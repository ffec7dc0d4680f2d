#pragma once
#include <string>

namespace revctl::harness {

/// Escapes `<` and similar characters, because a script element ends at `</` even inside quotes.
/// These characters occur only in JSON strings, where they can be escaped.
inline std::string ForScript(const std::string& json) {
  std::string out;
  out.reserve(json.size());
  for (const char c : json) {
    switch (c) {
      case '<':
        out += "\\u003c";
        break;
      case '>':
        out += "\\u003e";
        break;
      case '&':
        out += "\\u0026";
        break;
      default:
        out += c;
    }
  }
  return out;
}

/// Replaces the only occurrence of `place` in a page.
inline void Fill(std::string& page, const std::string& place, const std::string& text) {
  page.replace(page.find(place), place.size(), text);
}

}  // namespace revctl::harness
