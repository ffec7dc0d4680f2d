#pragma once
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <revctl/harness.h>

#include "golden/revision_record.h"
#include "harness/trace/tracing.h"

namespace revctl::harness {

/// A list with more values than this, including those of nested lists, is recorded as digests.
inline constexpr std::size_t kMostListedValues = 64;
/// Limit for the leaves of a condensed visit. A single digest, `rest#digest`, covers all remaining
/// values.
inline constexpr std::size_t kMostCondensed = 4096;

/// The result of a visit of a large payload. Values outside lists and in short lists are leaves as
/// usual. Each longer list is represented by digests, one for each chunk of elements:
/// `units[256..511]#digest`. A digest is the sum over the chunk's values, each mixed with its path.
/// The order of the values does not affect the digest, so that comparing digests is equivalent to
/// comparing the leaves of a small golden. If a single number of a chunk differs, the difference of
/// the sums reveals its recorded value.
struct Condensed {
  bool ok = true;
  bool at_end = true;      ///< reading: no bytes left over
  std::size_t offset = 0;  ///< offset of the first error
  std::string path, reason;
  std::vector<golden::Leaf> leaves;

  /// A value below a digest that the caller wanted. Its chunk's digest is the sum of
  /// MixDigest(place, bits) over its values.
  struct Element {
    golden::Leaf leaf;
    std::uint64_t place = 0, bits = 0;
    const revctl::TypeInfo* type = nullptr;  ///< the type of a number or an enumerator, else null
  };
  std::vector<Element> expanded;
  /// For each wanted digest whose difference a change of one number can explain: the number before
  /// and now. Several candidates for a digest mean that none of them is certain.
  std::map<std::string, std::vector<golden::Change>> solved;
  /// The numbers of the blocks in the chunks that the caller wanted.
  struct Numbers {
    std::string type;  ///< `u8`, `f32`
    std::size_t size = 1;
    std::vector<std::byte> bytes;
  };
  std::map<std::string, Numbers> blocks;
  /// Offsets at which fields begin, if the caller asked for them: up to kMostFieldsOfPlace for each
  /// path without indices (`units[].hp`).
  std::vector<std::size_t> fields;
};

/// Paths of the digests whose values the caller wants to see, each with the expected digest minus
/// the actual one if both are known.
using Wanted = std::map<std::string, std::optional<std::uint64_t>>;

/// Reads `bytes` into `object`, which is usually fresh. The program's own streams read an Opaque
/// payload, and its values come from a visit of the object. If `fields` is true, also notes where
/// fields begin.
Condensed CondensedRead(const revctl::TypeInfo& type, std::span<const std::byte> bytes,
                        std::int64_t number, void* object, const Wanted& wanted = {},
                        bool fields = false);

/// Visits `object` in the same way as writing at revision `number` does. Does not run the streams
/// of an Opaque type.
Condensed CondensedWrite(const revctl::TypeInfo& type, void* object, std::int64_t number,
                         const Wanted& wanted = {});

/// True if the path belongs to a digest, which stands for several values.
bool StandsForMany(const std::string& path);

/// The elements that a digest stands for: `units[256..511]#digest` stands for the elements 256 to
/// 511 of the list `units`.
struct Chunk {
  std::string list;
  std::size_t first = 0, last = 0;
};
/// Returns the chunk of a digest's path, or nullopt for other paths and for `rest#digest`.
std::optional<Chunk> ChunkOf(const std::string& path);

/// Returns the contribution of a value to the digest of its chunk.
std::uint64_t MixDigest(std::uint64_t place, std::uint64_t bits);

/// Returns the text of a number on the wire, in the same form as in leaves. `type` is a wire type
/// such as `u8`, `f32` or `bool`.
std::string NumberText(const std::string& type, const std::byte* at);
/// Returns the size of a number of this wire type in bytes.
std::size_t NumberSize(const std::string& type);
/// Returns the text of a number, given its Element::bits. Does not support enumerators.
std::string TextOfBits(const revctl::TypeInfo& type, std::uint64_t bits);
/// Returns the Element::bits of a word, or of the bytes of a text.
std::uint64_t BitsOfText(std::string_view text);

}  // namespace revctl::harness
