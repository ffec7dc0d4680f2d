// Packs bytes that are mostly zeros: a count of zeros, a count of other bytes, those bytes, and so
// on. Each count is one byte.
#pragma once
#include <cstddef>
#include <span>
#include <vector>

namespace voxel {

inline std::vector<std::byte> PackZeros(std::span<const std::byte> bytes) {
  std::vector<std::byte> packed;
  const auto run = [&](std::size_t from, bool zeros) {
    std::size_t n = 0;
    while (n < 255 && from + n < bytes.size() && (bytes[from + n] == std::byte{0}) == zeros) ++n;
    packed.push_back(static_cast<std::byte>(n));
    return n;
  };
  for (std::size_t at = 0; at < bytes.size();) {
    at += run(at, true);
    const std::size_t others = run(at, false);
    packed.insert(packed.end(), bytes.begin() + static_cast<std::ptrdiff_t>(at),
                  bytes.begin() + static_cast<std::ptrdiff_t>(at + others));
    at += others;
  }
  return packed;
}

/// Returns false if `packed` is damaged or would unpack to more than `most` bytes.
inline bool UnpackZeros(std::span<const std::byte> packed, std::size_t most,
                        std::vector<std::byte>& bytes) {
  bytes.clear();
  for (std::size_t at = 0; at < packed.size();) {
    if (packed.size() - at < 2) return false;
    const auto zeros = std::to_integer<std::size_t>(packed[at]),
               others = std::to_integer<std::size_t>(packed[at + 1]);
    at += 2;
    if (others > packed.size() - at || zeros + others > most - bytes.size()) return false;
    bytes.resize(bytes.size() + zeros);
    bytes.insert(bytes.end(), packed.begin() + static_cast<std::ptrdiff_t>(at),
                 packed.begin() + static_cast<std::ptrdiff_t>(at + others));
    at += others;
  }
  return true;
}

}  // namespace voxel
