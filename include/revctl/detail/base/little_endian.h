#pragma once
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>

// Copies values to and from little-endian bytes on any host. Tests define REVCTL_DETAIL_SWAP to
// force byte swapping on a little-endian machine. A round trip then swaps each value twice.

namespace revctl::detail {

#ifdef REVCTL_DETAIL_SWAP
inline constexpr bool kSwapBytes = true;
#else
inline constexpr bool kSwapBytes = std::endian::native == std::endian::big;
#endif
static_assert(std::endian::native == std::endian::big || std::endian::native == std::endian::little,
              "revctl: mixed-endian machines are not supported");

template <std::size_t n>
inline void CopySwapped(void* to, const void* from) {
  const unsigned char* in = static_cast<const unsigned char*>(from);
  unsigned char* out = static_cast<unsigned char*>(to);
  for (std::size_t i = 0; i < n; ++i) out[i] = in[n - 1 - i];
}

/// Copies one value of type T between memory and wire. `to` and `from` must not overlap.
template <class T>
inline void CopyValue(void* to, const void* from) {
  if constexpr (kSwapBytes && sizeof(T) > 1) {
    CopySwapped<sizeof(T)>(to, from);
  } else {
    std::memcpy(to, from, sizeof(T));
  }
}

/// Loads one value from the wire. Stores a T rather than bytes, because a byte store could alias
/// the archive's cursor, which the compiler would then reload after every field. Uses CopyValue()
/// on machines whose float registers change NaNs.
template <class T>
[[gnu::always_inline]] inline void LoadValue(T& value, const void* from) {
#if defined(__FLT_EVAL_METHOD__) && __FLT_EVAL_METHOD__ != 0
  CopyValue<T>(&value, from);
#else
  T loaded;
  CopyValue<T>(&loaded, from);
  value = loaded;
#endif
}

/// Copies `count` values of type T. The pointers may be null if `count` is 0.
template <class T>
inline void CopyValues(void* to, const void* from, std::size_t count) {
  if constexpr (kSwapBytes && sizeof(T) > 1) {
    for (std::size_t i = 0; i < count; ++i) {
      CopySwapped<sizeof(T)>(static_cast<char*>(to) + i * sizeof(T),
                             static_cast<const char*>(from) + i * sizeof(T));
    }
  } else if (count != 0) {
    std::memcpy(to, from, count * sizeof(T));
  }
}

/// Stores the low `size` bytes (1, 2, 4 or 8) of `number` as an integer of that size.
inline void CopyLowBytes(void* to, std::int64_t number, std::size_t size) {
  const auto put = [to](auto value) { std::memcpy(to, &value, sizeof value); };
  switch (size) {
    case 1:
      put(static_cast<std::uint8_t>(number));
      break;
    case 2:
      put(static_cast<std::uint16_t>(number));
      break;
    case 4:
      put(static_cast<std::uint32_t>(number));
      break;
    default:
      put(number);
  }
}

}  // namespace revctl::detail
