#pragma once
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace revctl::golden {

/// The position at which an Opaque type's own writer stores the revision number in a payload. If a
/// revision changes no other bytes, it inherits the type's goldens, and its record contains this
/// position.
struct HeldVersion {
  std::string type;
  std::uint64_t at = 0;    ///< offset in the payload, in bytes
  std::uint32_t size = 1;  ///< 1, 2, 4 or 8 bytes
  bool big_endian = false;
  bool operator==(const HeldVersion&) const = default;
};

/// Compares two payloads with the same values, and returns the possible places of the revision
/// number, sorted by size. At such a place, `then` contains `then_number` and `now` contains
/// `now_number`, and all other bytes are equal. Returns an empty list if the payloads are equal or
/// also differ elsewhere.
std::vector<HeldVersion> FindHeldVersion(std::span<const std::byte> then, std::int64_t then_number,
                                         std::span<const std::byte> now, std::int64_t now_number);

bool Fits(const HeldVersion& place, std::int64_t number);

/// True if `payload` contains `number` at `place`.
bool Holds(const HeldVersion& place, std::span<const std::byte> payload, std::int64_t number);

/// Writes `number` to `payload` at `place`, which must be inside the payload and wide enough.
void PutVersion(const HeldVersion& place, std::span<std::byte> payload, std::int64_t number);
/// Like PutVersion, but changes and returns a copy of the payload.
std::vector<std::byte> WithVersion(const HeldVersion& place, std::span<const std::byte> payload,
                                   std::int64_t number);

}  // namespace revctl::golden
