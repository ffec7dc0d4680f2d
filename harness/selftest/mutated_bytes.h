#pragma once
#include <algorithm>
#include <cstddef>
#include <span>
#include <vector>

// Functions that return a mutated copy of a payload, as if incorrect code had written it.
namespace revctl::harness::mutated {

using Bytes = std::vector<std::byte>;

/// A range of bytes in a payload, such as those of one value.
struct Range {
  std::size_t offset = 0, size = 0;
  std::size_t end() const { return offset + size; }
};

inline Bytes Of(std::span<const std::byte> payload, Range range) {
  const auto part = payload.subspan(range.offset, range.size);
  return {part.begin(), part.end()};
}

inline Bytes Without(std::span<const std::byte> payload, Range range) {
  Bytes bytes = Of(payload, {0, range.offset});
  const auto rest = payload.subspan(range.end());
  bytes.insert(bytes.end(), rest.begin(), rest.end());
  return bytes;
}

inline Bytes With(std::span<const std::byte> payload, std::size_t at, const Bytes& more) {
  Bytes bytes = Of(payload, {0, at});
  bytes.insert(bytes.end(), more.begin(), more.end());
  const auto rest = payload.subspan(at);
  bytes.insert(bytes.end(), rest.begin(), rest.end());
  return bytes;
}

/// Swaps two ranges. `first` ends before `second` begins.
inline Bytes Exchanged(std::span<const std::byte> payload, Range first, Range second) {
  Bytes bytes = Of(payload, {0, first.offset});
  const auto append = [&](Range range) {
    const auto part = payload.subspan(range.offset, range.size);
    bytes.insert(bytes.end(), part.begin(), part.end());
  };
  append(second);
  append({first.end(), second.offset - first.end()});
  append(first);
  append({second.end(), payload.size() - second.end()});
  return bytes;
}

inline Bytes Reversed(std::span<const std::byte> payload, Range range) {
  Bytes bytes(payload.begin(), payload.end());
  const auto begin = bytes.begin() + static_cast<std::ptrdiff_t>(range.offset);
  std::reverse(begin, begin + static_cast<std::ptrdiff_t>(range.size));
  return bytes;
}

}  // namespace revctl::harness::mutated
