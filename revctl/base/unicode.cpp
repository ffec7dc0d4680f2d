#include "revctl/base/unicode.h"

namespace revctl::base {

bool IsUnseen(std::uint32_t code) {
  return (code >= 0x80 && code <= 0xa0) || code == 0xad || code == 0x1680 || code == 0x180e ||
         (code >= 0x2000 && code <= 0x200f) || (code >= 0x2028 && code <= 0x202f) ||
         (code >= 0x205f && code <= 0x206f) || code == 0x3000 || code == 0xfeff ||
         (code >= 0xe0000 && code <= 0xe0fff);
}

std::size_t FindTrigraph(std::string_view text) {
  for (std::size_t at = text.find("??"); at != text.npos; at = text.find("??", at + 1)) {
    if (at + 2 < text.size() && std::string_view("=/'()!<>-").find(text[at + 2]) != text.npos)
      return at;
  }
  return text.npos;
}

}  // namespace revctl::base
