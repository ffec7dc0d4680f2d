#pragma once
#include <cstdint>
#include <string>
#include <string_view>

// Character classification for ASCII, independent of the locale.
namespace revctl::base {

constexpr bool IsDigit(char c) { return c >= '0' && c <= '9'; }
constexpr bool IsLower(char c) { return c >= 'a' && c <= 'z'; }
constexpr bool IsUpper(char c) { return c >= 'A' && c <= 'Z'; }
constexpr bool IsLetter(char c) { return IsLower(c) || IsUpper(c); }
constexpr bool IsAlphanumeric(char c) { return IsLetter(c) || IsDigit(c); }

/// True if `c` may be part of a C++ name.
constexpr bool IsWord(char c) { return IsAlphanumeric(c) || c == '_'; }

/// True if a C++ name may begin with `c`.
constexpr bool BeginsName(char c) { return IsLetter(c) || c == '_'; }

/// White space within a line, including the carriage return of CRLF.
constexpr bool IsBlank(char c) {
  return c == ' ' || c == '\t' || c == '\v' || c == '\f' || c == '\r';
}

/// True if `text` is not empty and consists only of digits.
constexpr bool IsNumber(std::string_view text) {
  for (const char c : text) {
    if (!IsDigit(c)) return false;
  }
  return !text.empty();
}

/// True for an ASCII C++ identifier. Keywords are accepted, too.
constexpr bool IsIdentifier(std::string_view text) {
  for (const char c : text) {
    if (!IsWord(c)) return false;
  }
  return !text.empty() && BeginsName(text[0]);
}

constexpr char Lower(char c) { return IsUpper(c) ? static_cast<char>(c - 'A' + 'a') : c; }
constexpr char Upper(char c) { return IsLower(c) ? static_cast<char>(c - 'a' + 'A') : c; }

inline std::string Lower(std::string_view text) {
  std::string out(text);
  for (char& c : out) c = Lower(c);
  return out;
}
inline std::string Upper(std::string_view text) {
  std::string out(text);
  for (char& c : out) c = Upper(c);
  return out;
}

/// Returns the value of an upper-case or lower-case hex digit, or -1 if `c` is not a hex digit.
constexpr int HexValue(char c) {
  if (IsDigit(c)) return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

/// True if `text` is not empty and consists only of lower-case hex digits, like a git object id.
constexpr bool IsHex(std::string_view text) {
  for (const char c : text) {
    if (HexValue(c) < 0 || IsUpper(c)) return false;
  }
  return !text.empty();
}

constexpr char HexDigit(std::uint64_t value) { return "0123456789abcdef"[value & 15]; }

/// Returns the lowest `digits` hex digits of `value`, with leading zeros.
inline std::string Hex(std::uint64_t value, int digits) {
  std::string out;
  for (int i = digits - 1; i >= 0; --i) out += HexDigit(value >> (4 * i));
  return out;
}

}  // namespace revctl::base
