#pragma once
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <string>
#include <type_traits>
#include <utility>

// Short runs of bytes, as most texts and many vectors are: without a call of memcpy, which takes
// longer than the copy.

namespace revctl::detail {

template <std::size_t n>
[[gnu::always_inline]] inline void CopyEnds(void* to, const void* from, std::size_t size) {
  char first[n], last[n];
  std::memcpy(first, from, n);
  std::memcpy(last, static_cast<const char*>(from) + size - n, n);
  std::memcpy(to, first, n);
  std::memcpy(static_cast<char*>(to) + size - n, last, n);
}

/// memcpy. Up to 32 bytes it is two copies of one size, which overlap.
[[gnu::always_inline]] inline void CopyShort(void* to, const void* from, std::size_t size) {
  if (size >= 8) {
    if (size > 32) {
      std::memcpy(to, from, size);
    } else if (size >= 16) {
      CopyEnds<16>(to, from, size);
    } else {
      CopyEnds<8>(to, from, size);
    }
  } else if (size >= 4) {
    CopyEnds<4>(to, from, size);
  } else if (size != 0) {
    char* const out = static_cast<char*>(to);
    const char* const in = static_cast<const char*>(from);
    out[0] = in[0];
    if (size > 1) CopyEnds<1>(out + size / 2, in + size / 2, size - size / 2);
  }
}

/// Characters that a std::string keeps in itself, at least: 15 in libstdc++ and MSVC, 22 in libc++.
inline constexpr std::size_t kShortText = 15;

/// Makes an empty string of `size` bytes, of which `left` may be looked at. A short one is made
/// where it stands, from a number of bytes that the compiler knows, and cut: that is a copy of two
/// words. A long one is made beside it first, since that may throw.
template <class Text>
[[gnu::always_inline]] inline void MakeText(Text& text, const char* bytes, std::size_t size,
                                            std::size_t left) {
  const auto allocator = text.get_allocator();
  if (size <= kShortText && left >= kShortText) [[likely]] {
    std::destroy_at(std::addressof(text));
    std::construct_at(std::addressof(text), bytes, kShortText, allocator);
    text.resize(size);
  } else {
    Text made(bytes, size, allocator);
    std::destroy_at(std::addressof(text));
    std::construct_at(std::addressof(text), std::move(made));
  }
}

/// One value in bytes that need not be aligned for it; an iterator over such reads them one by one.
template <class T>
class PackedValue {
 public:
  [[gnu::always_inline]] operator T() const {  // NOLINT(google-explicit-constructor)
    T value;
    std::memcpy(&value, bytes_, sizeof(T));
    return value;
  }

 private:
  unsigned char bytes_[sizeof(T)];
};

}  // namespace revctl::detail
