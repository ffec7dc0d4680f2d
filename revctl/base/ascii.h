#pragma once
#include <string>
#include <string_view>

// Characters of ASCII, whatever the locale.
namespace revctl::base {

constexpr bool IsDigit(char c) { return c >= '0' && c <= '9'; }
constexpr bool IsLower(char c) { return c >= 'a' && c <= 'z'; }
constexpr bool IsUpper(char c) { return c >= 'A' && c <= 'Z'; }
constexpr bool IsLetter(char c) { return IsLower(c) || IsUpper(c); }
constexpr bool IsAlphanumeric(char c) { return IsLetter(c) || IsDigit(c); }

/// Whether `c` may stand within a C++ name.
constexpr bool IsWord(char c) { return IsAlphanumeric(c) || c == '_'; }

/// White space within a line; a carriage return stands before its line feed.
constexpr bool IsBlank(char c) {
  return c == ' ' || c == '\t' || c == '\v' || c == '\f' || c == '\r';
}

/// One digit or more, and no other character.
constexpr bool IsNumber(std::string_view text) {
  for (const char c : text) {
    if (!IsDigit(c)) return false;
  }
  return !text.empty();
}

/// A name of C++ in ASCII, keywords too.
constexpr bool IsIdentifier(std::string_view text) {
  for (const char c : text) {
    if (!IsWord(c)) return false;
  }
  return !text.empty() && !IsDigit(text[0]);
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

}  // namespace revctl::base
