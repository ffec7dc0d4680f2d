#pragma once
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "golden/result.h"

namespace revctl::golden {

/// Maximum size, in bytes, of a payload in a record's `.golden` file. Larger payloads, and payloads
/// with too many values for a record, get their own file.
inline constexpr std::size_t kLargestSmallPayload = std::size_t{256} << 10;
/// Maximum size of a large payload, in bytes.
inline constexpr std::size_t kLargestLargePayload = std::size_t{64} << 20;

/// Returns the content of a `.payload` file: one large payload, with runs of equal bytes
/// compressed.
///
///     8 bytes   "rvlarge\1"
///     u64       size of the payload
///     u64       XXH64 of the payload
///     blocks    u32 n, n bytes unchanged, u32 m, one byte that is repeated m times
///
/// All numbers are little-endian. The blocks fill the rest of the file.
std::string PackLargePayload(std::span<const std::byte> payload);

/// Reads the next bytes of a file. Fills the buffer and returns its size, or a smaller number at
/// the end of the file.
using ReadBytes = std::function<Result<std::size_t>(std::span<char> buffer)>;

/// Reads the file of a large golden in pieces, so that the payload and the file, each up to 64 MiB,
/// are never in memory together. Checks sizes before allocating, and the hash at the end. If the
/// file is a Git LFS pointer, the error says so. With `even_damaged`, also returns a payload with
/// the wrong hash, so that the caller can locate the damage. The returned vector has some spare
/// capacity.
Result<std::vector<std::byte>> UnpackLargePayload(const ReadBytes& read, std::string_view file,
                                                  bool even_damaged = false);

/// The content of a Git LFS pointer: the SHA-256 and the size of the file that it replaces.
struct LfsPointer {
  std::string sha256;
  std::uint64_t size = 0;
};
inline constexpr std::size_t kLongestLfsPointer = 1024;

/// True if the text begins like a Git LFS pointer.
bool IsLfsPointer(std::string_view text);
/// Parses a Git LFS pointer. Returns nullopt if the text is not a complete pointer.
std::optional<LfsPointer> ParseLfsPointer(std::string_view text);
/// True if these bytes are the content of the file that the pointer replaces.
bool Names(const LfsPointer& pointer, std::string_view bytes);

/// Returns the SHA-256 of `bytes` as 64 lowercase hex digits. Git LFS identifies files by it.
std::string Sha256(std::string_view bytes);

}  // namespace revctl::golden
