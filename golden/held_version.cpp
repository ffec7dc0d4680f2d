#include "golden/held_version.h"

#include <algorithm>

namespace revctl::golden {
namespace {

constexpr std::uint32_t kWidths[] = {1, 2, 4, 8};
constexpr std::size_t kWidest = 8;

/// Returns byte `index` of `number` as stored with the width and byte order of `place`.
std::byte ByteOf(const HeldVersion& place, std::int64_t number, std::uint32_t index) {
  const std::uint32_t shift = 8 * (place.big_endian ? place.size - 1 - index : index);
  return static_cast<std::byte>(static_cast<std::uint64_t>(number) >> shift & 0xFF);
}

}  // namespace

bool Fits(const HeldVersion& place, std::int64_t number) {
  return number >= 0 &&
         (place.size == kWidest || static_cast<std::uint64_t>(number) >> (8 * place.size) == 0);
}

bool Holds(const HeldVersion& place, std::span<const std::byte> payload, std::int64_t number) {
  if (!Fits(place, number) || place.at > payload.size() || place.size > payload.size() - place.at)
    return false;
  for (std::uint32_t i = 0; i < place.size; ++i) {
    if (payload[place.at + i] != ByteOf(place, number, i)) return false;
  }
  return true;
}

std::vector<HeldVersion> FindHeldVersion(std::span<const std::byte> then, std::int64_t then_number,
                                         std::span<const std::byte> now, std::int64_t now_number) {
  std::vector<HeldVersion> places;
  if (then.size() != now.size()) return places;
  const auto first = static_cast<std::size_t>(
      std::mismatch(then.begin(), then.end(), now.begin()).first - then.begin());
  if (first == then.size()) return places;
  const auto last =
      then.size() - 1 -
      static_cast<std::size_t>(std::mismatch(then.rbegin(), then.rend(), now.rbegin()).first -
                               then.rbegin());
  for (const std::uint32_t size : kWidths) {
    for (std::size_t at = last < size ? 0 : last + 1 - size; at <= first; ++at) {
      for (const bool big_endian : {false, true}) {
        if (size == 1 && big_endian) continue;
        const HeldVersion place{"", at, size, big_endian};
        if (Holds(place, then, then_number) && Holds(place, now, now_number))
          places.push_back(place);
      }
    }
  }
  return places;
}

void PutVersion(const HeldVersion& place, std::span<std::byte> payload, std::int64_t number) {
  for (std::uint32_t i = 0; i < place.size; ++i) payload[place.at + i] = ByteOf(place, number, i);
}

std::vector<std::byte> WithVersion(const HeldVersion& place, std::span<const std::byte> payload,
                                   std::int64_t number) {
  std::vector<std::byte> bytes(payload.begin(), payload.end());
  PutVersion(place, bytes, number);
  return bytes;
}

}  // namespace revctl::golden
