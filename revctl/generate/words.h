#pragma once
#include <algorithm>
#include <string_view>

// Words of a definition file.
namespace revctl::generate {

/// Whether `c` may stand within a C++ name, whatever the locale.
constexpr bool IsWordLetter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

template <class List>
bool Has(const List& list, std::string_view name) {
  return std::find(list.begin(), list.end(), name) != list.end();
}

}  // namespace revctl::generate
