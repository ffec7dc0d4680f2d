#pragma once
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace revctl::golden {

/// The place in a payload where the program's own writer puts the number of the revision. Only
/// types with an Opaque wire have such a place. A revision that changes nothing else in the bytes
/// inherits the goldens of the type, and its record contains the place.
struct HeldVersion {
  std::string type;        ///< root type
  std::uint64_t at = 0;    ///< offset in the payload, in bytes
  std::uint32_t size = 1;  ///< 1, 2, 4 or 8 bytes
  bool big_endian = false;
  bool operator==(const HeldVersion&) const = default;
};

/// Returns the places that explain all differences between two payloads of the same values: `then`
/// contains `then_number` at the place, `now` contains `now_number`, and all other bytes are equal.
/// Narrow places come first. Returns nothing if the payloads are equal or differ elsewhere.
std::vector<HeldVersion> FindHeldVersion(std::span<const std::byte> then, std::int64_t then_number,
                                         std::span<const std::byte> now, std::int64_t now_number);

/// True if `number` fits into the place.
bool Fits(const HeldVersion& place, std::int64_t number);

/// True if the payload contains `number` at the place.
bool Holds(const HeldVersion& place, std::span<const std::byte> payload, std::int64_t number);

/// Puts `number` into the place, which must be inside the payload. The number must fit.
void PutVersion(const HeldVersion& place, std::span<std::byte> payload, std::int64_t number);
/// Like PutVersion, but returns a copy of the payload.
std::vector<std::byte> WithVersion(const HeldVersion& place, std::span<const std::byte> payload,
                                   std::int64_t number);

}  // namespace revctl::golden
