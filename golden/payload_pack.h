#pragma once
#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "golden/result.h"

namespace revctl::golden {

/// Bytes of one payload. Goldens are there to be reviewed and to be read at every check: what is
/// larger belongs into a file of test data.
inline constexpr std::size_t kLargestPayload = std::size_t{1} << 20;

/// XXH64, seed 0.
std::uint64_t PayloadHash(std::span<const std::byte> payload);

/// `SR_NAME.golden`: the payloads of one record, each distinct one once, in order of their hashes.
///
///     8 bytes   "rvgold\1\n"
///     u32       number of payloads, n
///     n times   u64 XXH64 of the payload, u32 its size
///     n times   the payload's bytes
///
/// Little-endian; ends with the last payload's last byte. Nothing is compressed: git does that, and
/// a pack in the clear can be read with a hex dump and shares its parts with its neighbours in
/// git's packs.
class PayloadPack {
 public:
  /// Adds a payload and returns its hash. One that is there already is not added again.
  std::uint64_t Add(std::span<const std::byte> payload);

  /// The payload with this hash; null where there is none. Valid until the pack is changed or
  /// destroyed.
  const std::vector<std::byte>* Find(std::uint64_t hash) const;

  /// All of them, by hash.
  const std::map<std::uint64_t, std::vector<std::byte>>& payloads() const { return payloads_; }

  std::size_t size() const { return payloads_.size(); }

  /// The whole file.
  std::string Bytes() const;

  /// Reads a file, trusting nothing: every size and hash is checked, each payload must be there
  /// once, and nothing may be left over. A Git LFS pointer in its place is an error that says so.
  static Result<PayloadPack> Parse(std::string_view bytes, std::string_view file);

 private:
  std::map<std::uint64_t, std::vector<std::byte>> payloads_;
};

}  // namespace revctl::golden
