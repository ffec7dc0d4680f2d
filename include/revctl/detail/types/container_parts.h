#pragma once
#include <algorithm>
#include <bitset>
#include <cstddef>
#include <string>
#include <vector>

#include <revctl/detail/types/wire_kind.h>

// Converts containers for the wire: sorts entries by key, packs bits into bytes.

namespace revctl::detail {

template <class C>
auto SortedEntries(C& container) {
  std::vector<decltype(&*container.begin())> entries;
  entries.reserve(container.size());
  for (auto& entry : container) entries.push_back(&entry);
  std::sort(entries.begin(), entries.end(), [](auto* a, auto* b) {
    if constexpr (requires { typename Shape<C>::Mapped; }) {
      return KeyOrder<typename Shape<C>::Key>::Less(a->first, b->first);
    } else {
      return KeyOrder<typename Shape<C>::Key>::Less(*a, *b);
    }
  });
  return entries;
}

template <class C, class F>
void ForEachInOrder(C& container, F f) {
  if constexpr (Shape<C>::sorted) {
    for (auto& entry : container) f(entry);
  } else {
    for (auto* entry : SortedEntries(container)) f(*entry);
  }
}

template <std::size_t n>
std::string PackBits(const std::bitset<n>& bits) {
  std::string bytes((n + 7) / 8, '\0');
  for (std::size_t i = 0; i < n; ++i) {
    if (bits[i])
      bytes[i / 8] = static_cast<char>(static_cast<unsigned char>(bytes[i / 8]) | (1u << (i % 8)));
  }
  return bytes;
}

/// Unpacks a bitset. Returns false if a padding bit after the last bit is set, which writers never
/// do.
template <std::size_t n>
bool UnpackBits(const char* bytes, std::bitset<n>& bits) {
  for (std::size_t i = 0; i < (n + 7) / 8 * 8; ++i) {
    bool set = (static_cast<unsigned char>(bytes[i / 8]) >> (i % 8)) & 1u;
    if (i < n) {
      bits[i] = set;
    } else if (set) {
      return false;
    }
  }
  return true;
}

inline constexpr char kNotAsWire[] = "the type's WireAs conversion rejects the value";
inline constexpr char kUnregisteredClass[] =
    "the object's class is not registered; register it with REVCTL_REGISTER_CLASS";

}  // namespace revctl::detail
