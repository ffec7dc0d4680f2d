#include "golden/text/scalar_text.h"

#include "revctl/base/ascii.h"

namespace revctl::golden {
namespace {

/// True if YAML 1.1 reads `text` as a number or a date. `0.1.0` is neither, because it contains two
/// decimal points.
bool LooksLikeNumber(std::string_view text) {
  if (text.starts_with('-') || text.starts_with('+')) text.remove_prefix(1);
  if (text.empty() || !base::IsDigit(text[0])) return false;
  const std::size_t point = text.find('.');
  return point == std::string_view::npos || text.find('.', point + 1) == std::string_view::npos;
}

/// True if YAML 1.1 reads `text` as null or a bool. `true` and `false` are excluded: they are bools
/// in every version.
bool IsWordOfYaml(std::string_view text) {
  if (text.empty() || text.size() > 5 ||
      std::string_view("nNoOyYtTfF").find(text[0]) == std::string_view::npos)
    return false;
  for (std::string_view word :
       {"null", "Null", "NULL", "yes", "no", "on", "off", "Yes",  "No",   "On",    "Off",  "YES",
        "NO",   "ON",   "OFF",  "y",   "n",  "Y",  "N",   "True", "TRUE", "False", "FALSE"}) {
    if (text == word) return true;
  }
  return false;
}

}  // namespace

unsigned UnlikeCharacter(std::string_view text, std::size_t at) {
  const auto byte = [&](std::size_t i) {
    return at + i < text.size() ? static_cast<unsigned char>(text[at + i]) : 0U;
  };
  if (byte(0) == 0xC2 && byte(1) >= 0x80 && byte(1) < 0xA0) return byte(1);
  const unsigned code = (byte(0) & 0xF) << 12 | (byte(1) & 0x3F) << 6 | (byte(2) & 0x3F);
  if (byte(0) == 0xE2 && (code == 0x2028 || code == 0x2029)) return code;
  if (byte(0) == 0xEF && (code == 0xFEFF || code == 0xFFFE || code == 0xFFFF)) return code;
  return 0;
}

std::string Quote(std::string_view text) {
  constexpr std::string_view kSpecial = "\"\\\n\r\t", kLetters = "\"\\nrt";
  std::string out = "\"";
  for (std::size_t i = 0; i < text.size(); ++i) {
    const auto byte = static_cast<unsigned char>(text[i]);
    if (const std::size_t special = kSpecial.find(text[i]); special != std::string_view::npos) {
      out += '\\';
      out += kLetters[special];
    } else if (byte < 0x20 || byte == 0x7F) {
      out += "\\u" + base::Hex(byte, 4);
    } else if (const unsigned code = byte < 0x80 ? 0 : UnlikeCharacter(text, i); code != 0) {
      out += "\\u" + base::Hex(code, 4);
      i += code < 0x100 ? 1 : 2;
    } else {
      out += text[i];
    }
  }
  return out + "\"";
}

bool IsPlain(std::string_view text) {
  if (text.empty() || text.size() > 200) return false;
  if (IsWordOfYaml(text)) return false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    const bool sign = i > 0 ? (c == '.' || c == '+' || c == '-' || c == '<' || c == '>' || c == '/')
                            : (c == '-' && text.size() > 1 && text[1] != ' ' && text != "---");
    if (!base::IsWord(c) && !sign) return false;
  }
  return true;
}

std::string PlainOrQuoted(std::string_view text) {
  const bool is_bool = text == "true" || text == "false";
  return IsPlain(text) && !is_bool && !LooksLikeNumber(text) ? std::string(text) : Quote(text);
}

std::string_view WordOf(std::string_view value) {
  if (!value.starts_with('"')) return value;
  value = value.substr(1, value.size() - 2);
  return IsWordOfYaml(value) ? value : std::string_view();
}

std::string NumberOrWord(std::string_view text) {
  if (text == "-0") return "-0.0";
  const std::size_t e = text.find('e');
  const std::size_t digits = text.starts_with('-') ? 1 : 0;
  if (e == std::string_view::npos || e == digits ||
      text.substr(digits, e - digits).find_first_not_of("0123456789") != std::string_view::npos)
    return std::string(text);
  return std::string(text.substr(0, e)) + ".0" + std::string(text.substr(e));
}

std::string ShortNumber(std::string_view text) {
  if (text == "-0.0") return "-0";
  const std::size_t e = text.find(".0e");
  if (e == std::string_view::npos || text.find_first_not_of("-0123456789") != e)
    return std::string(text);
  return std::string(text.substr(0, e)) + std::string(text.substr(e + 2));
}

std::string KeyText(std::string_view text) {
  std::string letters(text);
  for (std::size_t i = 1; i < letters.size(); ++i) {
    if (letters[i] == '[' || letters[i] == ']' || letters[i] == '#') letters[i] = '_';
  }
  return IsPlain(letters) ? std::string(text) : Quote(text);
}

}  // namespace revctl::golden
