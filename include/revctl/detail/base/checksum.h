#pragma once
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>

#include <revctl/detail/base/little_endian.h>

namespace revctl {

/// Returns the XXH64 of `bytes` with seed 0. It detects accidental damage to files, but not
/// deliberate changes.
inline std::uint64_t Checksum(std::span<const std::byte> bytes) {
  constexpr std::uint64_t p1 = 0x9E3779B185EBCA87u, p2 = 0xC2B2AE3D27D4EB4Fu,
                          p3 = 0x165667B19E3779F9u, p4 = 0x85EBCA77C2B2AE63u,
                          p5 = 0x27D4EB2F165667C5u;
  const auto word = [](const std::byte* p) {
    std::uint64_t v;
    detail::CopyValue<std::uint64_t>(&v, p);
    return v;
  };
  const auto round = [](std::uint64_t lane, std::uint64_t v) {
    return std::rotl(lane + v * p2, 31) * p1;
  };
  const std::byte* p = bytes.data();
  std::size_t left = bytes.size();
  std::uint64_t hash = p5;
  if (left >= 32) {
    std::uint64_t lane[4] = {p1 + p2, p2, 0, 0 - p1};
    for (; left >= 32; left -= 32) {
      for (std::uint64_t& each : lane) {
        each = round(each, word(p));
        p += 8;
      }
    }
    hash = std::rotl(lane[0], 1) + std::rotl(lane[1], 7) + std::rotl(lane[2], 12) +
           std::rotl(lane[3], 18);
    for (const std::uint64_t each : lane) hash = (hash ^ round(0, each)) * p1 + p4;
  }
  hash += bytes.size();
  for (; left >= 8; left -= 8, p += 8) hash = std::rotl(hash ^ round(0, word(p)), 27) * p1 + p4;
  if (left >= 4) {
    std::uint32_t v;
    detail::CopyValue<std::uint32_t>(&v, p);
    hash = std::rotl(hash ^ v * p1, 23) * p2 + p3;
    p += 4;
    left -= 4;
  }
  for (; left > 0; --left, ++p)
    hash = std::rotl(hash ^ std::to_integer<std::uint64_t>(*p) * p5, 11) * p1;
  hash = (hash ^ hash >> 33) * p2;
  hash = (hash ^ hash >> 29) * p3;
  return hash ^ hash >> 32;
}

}  // namespace revctl
