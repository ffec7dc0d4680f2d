#include "revctl/generate/source_text.h"

#include <algorithm>
#include <cstdint>

#include "revctl/base/utf8.h"

namespace revctl::generate {
namespace {

bool TurnsWriting(std::uint32_t code) {
  return (code >= 0x202A && code <= 0x202E) || (code >= 0x2066 && code <= 0x2069);
}

}  // namespace

std::optional<BadText> WrongWithText(std::string_view text) {
  Position place{1, 1};
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
        return BadText{place, "a second document, which would not be read",
                       "one definition, one document"};
      ended = ended || ends;
      began = began || !(begins || ends || empty);
    }
    const auto character = base::CharacterAt(text, at);
    if (!character) return BadText{place, "a byte that is no UTF-8", "save the file as UTF-8"};
    const std::uint32_t code = character->code;
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
    at += character->length;
  }
  return std::nullopt;
}

}  // namespace revctl::generate
