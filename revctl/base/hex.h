#pragma once
#include <cstdint>
#include <string>
#include <string_view>

#include "revctl/base/ascii.h"

// Hexadecimal digits. They are written in lower case.
namespace revctl::base {

/// Of a digit in either case; -1: `c` is none.
constexpr int HexValue(char c) {
  if (IsDigit(c)) return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

/// One digit in lower case or more, and no other character: how ids are written.
constexpr bool IsHex(std::string_view text) {
  for (const char c : text) {
    if (HexValue(c) < 0 || IsUpper(c)) return false;
  }
  return !text.empty();
}

/// The last digit of `value`.
constexpr char HexDigit(std::uint64_t value) { return "0123456789abcdef"[value & 15]; }

/// The last `digits` digits of `value`.
inline std::string Hex(std::uint64_t value, int digits) {
  std::string out;
  for (int i = digits - 1; i >= 0; --i) out += HexDigit(value >> (4 * i));
  return out;
}

}  // namespace revctl::base
