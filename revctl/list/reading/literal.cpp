#include <iterator>
#include <limits>
#include <string>

#include "revctl/base/ascii.h"
#include "revctl/base/unicode.h"
#include "revctl/list/reading/integer.h"

namespace revctl::list::detail {
namespace {

/// Returns the suffix in lower case and with `u` first ("", "u", "l", "ul", "ll", "ull", "z",
/// "uz"), or nullopt if it is invalid.
std::optional<std::string> Suffix(std::string_view text) {
  std::string lower = base::Lower(text);
  if (text.find("lL") != text.npos || text.find("Ll") != text.npos) return std::nullopt;
  if (lower.size() > 1 && lower.back() == 'u') lower = "u" + lower.substr(0, lower.size() - 1);
  for (std::string_view known : {"", "u", "l", "ul", "ll", "ull", "z", "uz"}) {
    if (lower == known) return lower;
  }
  return std::nullopt;
}

/// Returns the value as the first type in the C++ standard's table of literal types that can hold
/// it.
Computed Typed(std::uint64_t value, const std::string& suffix, bool decimal, bool preprocessor) {
  const bool is_unsigned = !suffix.empty() && suffix[0] == 'u';
  const std::string length = is_unsigned ? suffix.substr(1) : suffix;
  if (preprocessor) {
    const bool fits = value <= static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max());
    if (!is_unsigned && !fits && decimal)
      return {{}, "this number does not fit in a signed 64-bit integer"};
    return {{value, is_unsigned || !fits ? kUnsignedLongLong : kLongLong}};
  }
  const IntegerType types[] = {kInt, kUnsigned, kLong, kUnsignedLong, kLongLong, kUnsignedLongLong};
  const std::uint8_t least = length == "ll"   ? kLongLong.rank
                             : length.empty() ? kInt.rank
                                              : kLong.rank;
  for (const IntegerType type : types) {
    if (type.rank < least || (is_unsigned && type.is_signed)) continue;
    if (!is_unsigned && decimal && !type.is_signed) continue;
    if (Fits({value, kUnsignedLongLong}, type)) return {{value, type}};
  }
  return {{}, "this decimal number does not fit in a signed 64-bit integer"};
}

/// One character or one escape sequence of a literal.
struct Unit {
  std::uint32_t code = 0;
  bool ok = false;
  /// true for \x and octal escapes, which are code units rather than characters
  bool numeric = false;
};

Unit Hex(std::string_view text, std::size_t& i, std::size_t least, std::size_t most) {
  std::uint64_t code = 0;
  std::size_t digits = 0;
  for (; i < text.size() && digits < most && base::HexValue(text[i]) >= 0; ++i, ++digits) {
    code = code * 16 + static_cast<unsigned>(base::HexValue(text[i]));
    if (code > 0xffffffffu) return {};
  }
  return {static_cast<std::uint32_t>(code), digits >= least};
}

Unit Escape(std::string_view text, std::size_t& i) {
  if (i >= text.size()) return {};
  const char c = text[i];
  if (c >= '0' && c <= '7') {
    std::uint32_t code = 0;
    for (int n = 0; n < 3 && i < text.size() && text[i] >= '0' && text[i] <= '7'; ++n) {
      code = code * 8 + static_cast<std::uint32_t>(text[i++] - '0');
    }
    return {code, true, true};
  }
  ++i;
  if (c == 'x') {
    Unit unit = Hex(text, i, 1, text.size());
    unit.numeric = true;
    return unit;
  }
  if (c == 'u') return Hex(text, i, 4, 4);
  if (c == 'U') return Hex(text, i, 8, 8);
  static constexpr std::string_view kNames = "ntvbrfa\\?'\"";
  static constexpr std::string_view kCodes = "\n\t\v\b\r\f\a\\?'\"";
  const std::size_t at = kNames.find(c);
  if (at == kNames.npos) return {};
  return {static_cast<unsigned char>(kCodes[at]), true};
}

Computed Wide(std::string_view text, IntegerType type) {
  std::size_t i = 0;
  Unit unit;
  if (text[0] == '\\') {
    i = 1;
    unit = Escape(text, i);
  } else if (const auto character = base::CharacterAt(text, 0)) {
    i = character->length;
    unit = {character->code, true};
  }
  const Integer value{unit.code, kUnsigned};
  if (!unit.ok || i != text.size() || !Fits(value, {type.bits, false, type.rank})) {
    return {{}, "invalid character literal"};
  }
  return {Convert(value, type)};
}

Computed Narrow(std::string_view text) {
  constexpr const char* kUnreadable = "invalid character literal";
  std::uint32_t packed = 0;
  int count = 0;
  for (std::size_t i = 0; i < text.size(); ++count) {
    // Each byte of a non-ASCII character is a separate unit. \u0100 does not fit in one byte and is
    // an error.
    Unit unit{static_cast<unsigned char>(text[i]), true, true};
    if (text[i] == '\\') {
      unit = Escape(text, ++i);
    } else {
      ++i;
    }
    if (!unit.ok || unit.code > (unit.numeric ? 0xffu : 0x7fu)) return {{}, kUnreadable};
    packed = (packed << 8) | unit.code;
  }
  if (count == 1) return {Convert({packed, kUnsigned}, kChar)};
  if (count > 4) return {{}, "this character literal has more than four characters"};
  return {Convert({packed, kUnsigned}, kInt)};
}

}  // namespace

Computed IntegerLiteral(std::string_view text, bool preprocessor) {
  std::uint64_t base = 10;
  std::size_t i = 0;
  if (text.size() > 1 && text[0] == '0') {
    const char kind = text[1];
    base = kind == 'x' || kind == 'X' ? 16 : kind == 'b' || kind == 'B' ? 2 : 8;
    i = base == 8 ? 1 : 2;
  }
  std::uint64_t value = 0;
  std::size_t digits = base == 8 ? 1 : 0;
  for (; i < text.size(); ++i) {
    if (text[i] == '\'') {
      if (digits == 0) return {{}, "not an integer"};
      continue;
    }
    const int digit = base::HexValue(text[i]);
    if (digit < 0 || digit >= static_cast<int>(base)) break;
    if (__builtin_mul_overflow(value, base, &value) ||
        __builtin_add_overflow(value, static_cast<std::uint64_t>(digit), &value)) {
      return {{}, "this number does not fit in 64 bits"};
    }
    ++digits;
  }
  const auto suffix = Suffix(text.substr(i));
  if (digits == 0 || !suffix) return {{}, "not an integer"};
  return Typed(value, *suffix, base == 10, preprocessor);
}

Computed CharacterLiteral(std::string_view text) {
  const std::size_t open = text.find('\'');
  if (open == text.npos || text.size() < open + 3) return {{}, "empty character literal"};
  const std::string_view prefix = text.substr(0, open),
                         inside = text.substr(open + 1, text.size() - open - 2);
  if (prefix == "u8") return Wide(inside, kUnsignedChar);
  if (prefix == "u") return Wide(inside, kUnsignedShort);
  if (prefix == "U") return Wide(inside, kUnsigned);
  if (prefix == "L") return Wide(inside, kInt);
  return Narrow(inside);
}

}  // namespace revctl::list::detail
