#include "golden/scalar_text.h"

namespace golden {

std::string Quote(std::string_view text) {
  std::string out = "\"";
  for (char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    switch (c) {
      case '"':
        out += "\\\"";
        break;
      case '\\':
        out += "\\\\";
        break;
      case '\n':
        out += "\\n";
        break;
      case '\r':
        out += "\\r";
        break;
      case '\t':
        out += "\\t";
        break;
      default:
        if (byte < 0x20 || byte == 0x7F) {
          constexpr char kDigits[] = "0123456789abcdef";
          out += "\\u00";
          out += kDigits[byte >> 4];
          out += kDigits[byte & 15];
        } else {
          out += c;
        }
    }
  }
  return out + "\"";
}

bool IsPlain(std::string_view text) {
  if (text.empty() || text.size() > 200) return false;
  // Words that YAML takes for something else than text or a number are quoted; numbers are told
  // from text by their quotes.
  if (text.size() <= 4 && std::string_view("nNoOyY").find(text[0]) != std::string_view::npos) {
    for (std::string_view word : {"null", "Null", "NULL", "yes", "no", "on", "off", "Yes", "No",
                                  "On", "Off", "YES", "NO", "ON", "OFF", "y", "n", "Y", "N"}) {
      if (text == word) return false;
    }
  }
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    const bool letter =
        (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || (c >= '0' && c <= '9');
    const bool sign = i > 0 ? (c == '.' || c == '+' || c == '-' || c == '<' || c == '>' || c == '/')
                            : (c == '-' && text.size() > 1 && text[1] != ' ' && text != "---");
    if (!letter && !sign) return false;
  }
  return true;
}

std::string PlainOrQuoted(std::string_view text) {
  return IsPlain(text) ? std::string(text) : Quote(text);
}

std::string KeyText(std::string_view text) {
  std::string letters(text);
  for (std::size_t i = 1; i < letters.size(); ++i) {
    if (letters[i] == '[' || letters[i] == ']' || letters[i] == '#') letters[i] = '_';
  }
  return IsPlain(letters) ? std::string(text) : Quote(text);
}

}  // namespace golden
