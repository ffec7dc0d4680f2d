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

/// Maximum size of a payload, in bytes. Goldens are reviewed, and every check reads them, so larger
/// samples belong in a test data file.
inline constexpr std::size_t kLargestPayload = std::size_t{1} << 20;

/// Returns the XXH64 of a payload, with seed 0.
std::uint64_t PayloadHash(std::span<const std::byte> payload);

/// `SR_NAME.golden`: the distinct payloads of one record, ordered by hash.
///
///     8 bytes   "rvgold\1\n"
///     u32       number of payloads, n
///     n times   u64 XXH64 of the payload, u32 its size
///     n times   the payload's bytes
///
/// Little-endian, without padding or a trailer. Payloads are not compressed, because git compresses
/// them anyway and finds common parts only in uncompressed files. This also keeps hex dumps
/// readable.
class PayloadPack {
 public:
  /// Adds a payload unless the pack already has it. Returns its hash.
  std::uint64_t Add(std::span<const std::byte> payload);

  /// Returns the payload with this hash, or null if there is none. The pointer is valid until the
  /// pack is changed or destroyed.
  const std::vector<std::byte>* Find(std::uint64_t hash) const;

  const std::map<std::uint64_t, std::vector<std::byte>>& payloads() const { return payloads_; }

  std::size_t size() const { return payloads_.size(); }

  /// Returns the content of the `.golden` file.
  std::string Bytes() const;

  /// Parses a file. Checks every size and hash, and fails on duplicates and trailing bytes. If the
  /// file is a Git LFS pointer, the error says so.
  static Result<PayloadPack> Parse(std::string_view bytes, std::string_view file);

 private:
  std::map<std::uint64_t, std::vector<std::byte>> payloads_;
};

/// Appends a number as little-endian bytes.
template <class Number>
void PutNumber(std::string& out, Number number) {
  for (std::size_t i = 0; i < sizeof number; ++i)
    out += static_cast<char>(number >> (8 * i) & 0xFF);
}

/// Returns the little-endian number at `offset`. The whole number must be within `bytes`.
template <class Number>
Number GetNumber(std::string_view bytes, std::size_t offset) {
  Number number = 0;
  for (std::size_t i = 0; i < sizeof number; ++i) {
    number |= static_cast<Number>(static_cast<Number>(static_cast<unsigned char>(bytes[offset + i]))
                                  << (8 * i));
  }
  return number;
}

}  // namespace revctl::golden
