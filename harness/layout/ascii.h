#pragma once

// Letters as C++ names have them, whatever the locale.
namespace revctl::harness {

constexpr bool IsLower(char c) { return c >= 'a' && c <= 'z'; }
constexpr bool IsUpper(char c) { return c >= 'A' && c <= 'Z'; }
constexpr bool IsDigit(char c) { return c >= '0' && c <= '9'; }
constexpr bool IsWordLetter(char c) { return IsLower(c) || IsUpper(c) || IsDigit(c) || c == '_'; }

}  // namespace revctl::harness
