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

/// What a visit of a large payload says: values outside of lists and short lists as they are, each
/// longer list as digests, one for a chunk of elements: `units[256..511]#digest`. A digest is a sum
/// over its values, each mixed with its path. It does not depend on the order of the values, so
/// that it compares what the leaves of a small golden compare. And if one number of a chunk
/// differs, the difference of the sums gives the number that it was.
struct Condensed {
  bool ok = true;
  bool at_end = true;      ///< reading: no bytes left over
  std::size_t offset = 0;  ///< of the first error
  std::string path, reason;
  std::vector<golden::Leaf> leaves;

  /// The leaves below the digests that the caller wanted, with their full paths.
  std::vector<golden::Leaf> expanded;
  /// For each wanted digest whose difference is that of one number: the number before and now. More
  /// than one for a digest means that none is certain.
  std::map<std::string, std::vector<golden::Change>> solved;
  /// The numbers of blocks in the chunks that the caller wanted.
  struct Numbers {
    std::string type;  ///< `u8`, `f32`
    std::size_t size = 1;
    std::vector<std::byte> bytes;
  };
  std::map<std::string, Numbers> blocks;
  /// Up to kMostFieldsOfPlace offsets for each place without indices (`units[].hp`): where fields
  /// begin.
  std::vector<std::size_t> fields;
};

/// Paths of digests whose values the caller wants to see, each with the expected digest less the
/// one now, if both are known.
using Wanted = std::map<std::string, std::optional<std::uint64_t>>;

/// Reads `bytes` into `object`, which is usually fresh. An Opaque payload is read by the program's
/// own streams, and its values come from a visit of the object.
Condensed CondensedRead(const revctl::TypeInfo& type, std::span<const std::byte> bytes,
                        std::int64_t number, void* object, const Wanted& wanted = {});

/// Visits `object` as writing at revision `number` does. For an Opaque type, too, only values are
/// visited.
Condensed CondensedWrite(const revctl::TypeInfo& type, void* object, std::int64_t number,
                         const Wanted& wanted = {});

/// True if the path is that of a digest, which stands for several values.
bool StandsForMany(const std::string& path);

}  // namespace revctl::harness
