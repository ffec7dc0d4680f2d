#pragma once

// Characters as C++ source has them, whatever the locale.
namespace revctl::list::detail {

constexpr bool IsDigit(char c) { return c >= '0' && c <= '9'; }

/// White space within a line; a carriage return stands before its line feed.
constexpr bool IsBlank(char c) {
  return c == ' ' || c == '\t' || c == '\v' || c == '\f' || c == '\r';
}

}  // namespace revctl::list::detail
