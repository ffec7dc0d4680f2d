#pragma once
#include <algorithm>
#include <string_view>

// Words of a definition file.
namespace revctl::generate {

template <class List>
bool Has(const List& list, std::string_view name) {
  return std::find(list.begin(), list.end(), name) != list.end();
}

}  // namespace revctl::generate
