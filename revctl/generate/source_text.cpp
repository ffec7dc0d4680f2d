#include "revctl/generate/source_text.h"

#include <algorithm>
#include <cstdint>

namespace revctl::generate {
namespace {

/// Bytes of the character at the front of `text`, and which it is; 0 where it is none.
std::size_t Character(std::string_view text, std::uint32_t& code) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned char first = byte(0);
  const std::size_t size = first < 0x80   ? 1
                           : first < 0xC2 ? 0
                           : first < 0xE0 ? 2
                           : first < 0xF0 ? 3
                           : first < 0xF5 ? 4
                                          : 0;
  if (size == 0 || size > text.size()) return 0;
  code = size == 1 ? first : first & (0x7FU >> size);
  for (std::size_t i = 1; i < size; ++i) {
    if ((byte(i) & 0xC0) != 0x80) return 0;
    code = code << 6 | (byte(i) & 0x3FU);
  }
  const bool too_long = (size == 3 && code < 0x800) || (size == 4 && code < 0x10000);
  return too_long || code > 0x10FFFF || (code >= 0xD800 && code < 0xE000) ? 0 : size;
}

bool TurnsWriting(std::uint32_t code) {
  return (code >= 0x202A && code <= 0x202E) || (code >= 0x2066 && code <= 0x2069);
}

}  // namespace

std::optional<BadText> WrongWithText(std::string_view text) {
  Place place{1, 1};
  bool began = false, ended = false;
  for (std::size_t at = 0; at < text.size();) {
    if (place.column == 1) {
      const std::string_view line =
          text.substr(at, std::min(text.find_first_of("\r\n", at), text.size()) - at);
      const bool begins = line == "---" || line.starts_with("--- ");
      const bool empty = line.starts_with('#') || line.starts_with('%') ||
                         line.find_first_not_of(' ') == std::string_view::npos;
      const bool ends = line == "..." || line.starts_with("... ");
      if ((begins && began) || (ended && !empty && !ends))
        return BadText{place, "a second document, which nobody would read",
                       "one definition, one document"};
      ended = ended || ends;
      began = began || !(begins || ends || empty);
    }
    std::uint32_t code = 0;
    const std::size_t size = Character(text.substr(at), code);
    if (size == 0) return BadText{place, "a byte that is no UTF-8", "save the file as UTF-8"};
    if (code == 0x7F || (code < 0x20 && code != '\n' && code != '\r' && code != '\t')) {
      return BadText{place, "a byte that is no text", "save the file as UTF-8"};
    }
    if (TurnsWriting(code))
      return BadText{place, "a character that turns the direction of writing", "take it away"};
    if (code == '\n') {
      ++place.line;
      place.column = 1;
    } else {
      ++place.column;
    }
    at += size;
  }
  return std::nullopt;
}

}  // namespace revctl::generate
