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

/// A list with more values than this, including those in nested lists, is recorded as digests.
inline constexpr std::size_t kMostListedValues = 64;
/// Maximum number of leaves of a condensed visit. All further values are combined in `rest#digest`.
inline constexpr std::size_t kMostCondensed = 4096;

/// The result of visiting a large payload. Values outside lists and in short lists are ordinary
/// leaves. Longer lists are represented by digests, one for each chunk of elements, such as
/// `units[256..511]#digest`. A digest is the sum of a chunk's values, each mixed with its path. It
/// does not depend on the order of the visits, so comparing digests is equivalent to comparing the
/// leaves of a small golden. If a single number in a chunk differs, its recorded value can be
/// computed from the difference between the digests.
struct Condensed {
  bool ok = true;
  bool at_end = true;      ///< when reading: no bytes are left over
  std::size_t offset = 0;  ///< offset of the first error; 0 without an error
  std::string path, reason;
  std::vector<golden::Leaf> leaves;

  /// A value that contributes to a wanted digest. The digest is the sum of MixDigest(place, bits)
  /// over all such values.
  struct Element {
    golden::Leaf leaf;
    std::uint64_t place = 0, bits = 0;
    /// type of a number or enumerator; null for other values
    const revctl::TypeInfo* type = nullptr;
  };
  std::vector<Element> expanded;
  /// Possible explanations of a wanted digest's difference, by the digest's path. Each explanation
  /// is a single number with its earlier and its current value. If a digest has several
  /// explanations, none of them is certain.
  std::map<std::string, std::vector<golden::Change>> solved;
  /// The numbers of a block in a chunk whose values the caller wants.
  struct Numbers {
    std::string type;  ///< wire type, such as `u8` or `f32`
    std::size_t size = 1;
    std::vector<std::byte> bytes;
  };
  std::map<std::string, Numbers> blocks;
  /// Where a value is in the bytes.
  struct Field {
    std::size_t offset = 0, size = 0;
    std::string path;
    const revctl::TypeInfo* type = nullptr;
  };
  /// Positions of fields, empty unless requested. Contains at most kMostFieldsOfPlace fields whose
  /// paths differ only in their indices, such as `units[0].hp` and `units[1].hp`.
  std::vector<Field> fields;
};

/// The digests whose values the caller wants. Maps each path to the expected digest minus the
/// actual digest, or to nullopt if one of them is unknown.
using Wanted = std::map<std::string, std::optional<std::uint64_t>>;

/// Reads `bytes` into `object`, which is usually fresh. For an Opaque type, the program's own
/// streams read the bytes, and the values are then collected by visiting the object. If `fields` is
/// true, also collects the positions of fields.
Condensed CondensedRead(const revctl::TypeInfo& type, std::span<const std::byte> bytes,
                        std::int64_t number, void* object, const Wanted& wanted = {},
                        bool fields = false);

/// Visits `object` as if writing it at revision `number`, but never runs an Opaque type's streams.
Condensed CondensedWrite(const revctl::TypeInfo& type, void* object, std::int64_t number,
                         const Wanted& wanted = {});

/// True for the path of a digest, which represents several values.
bool StandsForMany(const std::string& path);

/// The elements that a digest represents. For example, `units[256..511]#digest` represents elements
/// 256 to 511 of the list `units`.
struct Chunk {
  std::string list;
  std::size_t first = 0, last = 0;
};
/// Returns the chunk for a path such as `units[256..511]#digest`. Returns nullopt for other paths,
/// including `rest#digest`, which does not represent the elements of a single list.
std::optional<Chunk> ChunkOf(const std::string& path);

/// Returns a value's contribution to the digest of its chunk.
std::uint64_t MixDigest(std::uint64_t place, std::uint64_t bits);

/// Returns the text of a number on the wire, formatted like a leaf. `type` is a wire type such as
/// `u8`, `f32` or `bool`.
std::string NumberText(const std::string& type, const std::byte* at);
/// Returns the size in bytes of a number of this wire type.
std::size_t NumberSize(const std::string& type);
/// Returns the text of a number, given its Element::bits. Does not support enumerators.
std::string TextOfBits(const revctl::TypeInfo& type, std::uint64_t bits);
/// Returns the Element::bits of a word, or of a string's bytes.
std::uint64_t BitsOfText(std::string_view text);

}  // namespace revctl::harness
