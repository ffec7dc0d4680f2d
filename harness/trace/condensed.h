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

/// Lists with more values than this, those of nested lists included, are recorded as digests.
inline constexpr std::size_t kMostListedValues = 64;
/// Limit for the leaves of a condensed visit. Further values are in one digest, `rest#digest`.
inline constexpr std::size_t kMostCondensed = 4096;

/// The values of a large payload: those outside lists and in short lists unchanged, and each longer
/// list as digests, one for each chunk of elements: `units[256..511]#digest`. A digest is a sum
/// over its values, each mixed with its path. It does not depend on the order of the values, so it
/// detects the same differences as a comparison of single values. If only one number of a chunk
/// differs, the difference of the sums gives the recorded number.
struct Condensed {
  bool ok = true;
  bool at_end = true;      ///< reading: no bytes left over
  std::size_t offset = 0;  ///< of the first error
  std::string path, reason;
  std::vector<golden::Leaf> leaves;

  /// A value below a digest that the caller wanted. Its chunk's digest is the sum of
  /// MixDigest(place, bits) over its values.
  struct Element {
    golden::Leaf leaf;
    std::uint64_t place = 0, bits = 0;
    const revctl::TypeInfo* type = nullptr;  ///< for a number or an enumerator, else null
  };
  std::vector<Element> expanded;
  /// For each wanted digest whose difference can be explained by one number: that number before and
  /// now. If a digest has several, none of them is certain.
  std::map<std::string, std::vector<golden::Change>> solved;
  /// The numbers of blocks in the chunks that the caller wanted.
  struct Numbers {
    std::string type;  ///< `u8`, `f32`
    std::size_t size = 1;
    std::vector<std::byte> bytes;
  };
  std::map<std::string, Numbers> blocks;
  /// If the caller asked for them: up to kMostFieldsOfPlace offsets for each place without indices
  /// (`units[].hp`): where fields begin.
  std::vector<std::size_t> fields;
};

/// Paths of digests whose values the caller wants to see, each with the expected digest minus the
/// current one, if both are known.
using Wanted = std::map<std::string, std::optional<std::uint64_t>>;

/// Reads `bytes` into `object`, which is usually fresh. An Opaque payload is read by the program's
/// own streams, and its values come from a visit of the object. `fields`: also collects the offsets
/// at which fields begin.
Condensed CondensedRead(const revctl::TypeInfo& type, std::span<const std::byte> bytes,
                        std::int64_t number, void* object, const Wanted& wanted = {},
                        bool fields = false);

/// Visits `object` like a writer at revision `number`. Only values are visited, also for an Opaque
/// type.
Condensed CondensedWrite(const revctl::TypeInfo& type, void* object, std::int64_t number,
                         const Wanted& wanted = {});

/// True if the path belongs to a digest, which represents several values.
bool StandsForMany(const std::string& path);

/// The elements that a digest represents: for `units[256..511]#digest` the list `units`, 256 and
/// 511.
struct Chunk {
  std::string list;
  std::size_t first = 0, last = 0;
};
/// Returns nullopt for other paths, and for `rest#digest`.
std::optional<Chunk> ChunkOf(const std::string& path);

/// The share of a value in the digest of its chunk.
std::uint64_t MixDigest(std::uint64_t place, std::uint64_t bits);

/// Returns the text of a number on the wire, as leaves have it; `type` is `u8`, `f32`, `bool`.
std::string NumberText(const std::string& type, const std::byte* at);
/// Returns the size of such a number in bytes.
std::size_t NumberSize(const std::string& type);
/// Returns the text of a number, not of an enumerator, whose Element::bits are these.
std::string TextOfBits(const revctl::TypeInfo& type, std::uint64_t bits);
/// Returns the Element::bits of a word or of the bytes of a text.
std::uint64_t BitsOfText(std::string_view text);

}  // namespace revctl::harness
