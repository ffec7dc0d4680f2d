#include "revctl/findings/printable.h"

#include <fmt/core.h>
#include <algorithm>
#include <cstdint>

#include "revctl/base/ascii.h"
#include "revctl/base/unicode.h"

namespace revctl::findings {
namespace {

using base::Hex;

/// True for blanks that log viewers strip from the start of a line.
bool IsBlank(std::uint32_t code) {
  return code == ' ' || code == '\t' || code == 0xa0 || code == 0x1680 ||
         (code >= 0x2000 && code <= 0x200a) || code == 0x202f || code == 0x205f || code == 0x3000 ||
         code == 0xfeff;
}

/// True for `##[group]` and `##vso[...]`, which are CI commands anywhere in a line.
bool BeginsCommand(std::string_view text) {
  if (!text.starts_with("##")) return false;
  std::size_t i = 2;
  while (i < text.size() && base::IsLetter(text[i])) ++i;
  return i < text.size() && text[i] == '[';
}

std::string Shown(std::string_view text, bool one_line, bool in_log) {
  std::string out;
  out.reserve(text.size());
  bool line_start = true;
  for (std::size_t i = 0; i < text.size();) {
    const auto character = base::CharacterAt(text, i);
    const auto byte = static_cast<unsigned char>(text[i]);
    if (!character) {
      out += "\\x" + Hex(byte, 2);
      line_start = false;
      ++i;
      continue;
    }
    const std::uint32_t code = character->code;
    if (base::Steers(code) || (one_line && (code == '\n' || code == '\t'))) {
      out += code < 0x80 ? "\\x" + Hex(code, 2) : "\\u" + Hex(code, 4);
    } else if (in_log && line_start && text.substr(i, 2) == "::") {
      out += "\\x3a";
    } else if (in_log && BeginsCommand(text.substr(i, 40))) {
      out += "\\x23";
    } else {
      out += text.substr(i, character->length);
    }
    line_start = code == '\n' || (line_start && IsBlank(code));
    i += character->length;
  }
  return out;
}

}  // namespace

std::string Printable(std::string_view text) { return Shown(text, false, true); }

std::string OneLine(std::string_view text) { return Shown(text, true, true); }

std::string Visible(std::string_view text) { return Shown(text, false, false); }

std::string Quoted(std::string_view text) {
  constexpr std::size_t kMost = 60;
  std::size_t size = std::min(text.size(), kMost);
  // Do not cut within a multi-byte character.
  while (size > 0 && size < text.size() && (static_cast<unsigned char>(text[size]) & 0xc0) == 0x80)
    --size;
  return fmt::format("'{}{}", OneLine(text.substr(0, size)), size < text.size() ? "...'" : "'");
}

std::string JsonSafe(const base::Json& value, int indent) {
  const std::string json = base::JsonText(value, indent) + "\n";
  std::string out;
  out.reserve(json.size());
  for (std::size_t i = 0; i < json.size();) {
    const auto character = base::CharacterAt(json, i).value_or(base::Character{'?', 1});
    // In JSON text, line breaks occur only between strings, and '#' only inside strings.
    if (base::Steers(character.code) || json.substr(i, 2) == "##") {
      out += "\\u" + Hex(character.code, 4);
    } else {
      out += json.substr(i, character.length);
    }
    i += character.length;
  }
  return out;
}

}  // namespace revctl::findings
