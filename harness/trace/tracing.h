#pragma once
#include <cstddef>
#include <cstdint>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include <revctl/harness.h>
#include <revctl/trace.h>

#include "golden/revision_record.h"
#include "harness/trace/layout_notes.h"

namespace revctl::harness {

/// The result of a visit that reads or writes a payload. If there was an error, the result covers
/// everything before it.
struct Traced {
  bool ok = true;
  bool at_end = true;      ///< reading: no bytes left over
  bool refused = false;    ///< a body or FromWire rejected the data
  std::size_t offset = 0;  ///< offset of the first error
  std::string path,
      reason;  ///< reason for the first error, with a path such as `players[1].name`
  /// place of the last macro before the error; if a body rejected the data, this is more exact than
  /// the path
  std::string error_file;
  int error_line = 0;            ///< 0 if unknown
  std::vector<std::byte> bytes;  ///< writing: the payload
  /// Every value on the wire, by its unique path below the root.
  std::vector<golden::Leaf> leaves;
  std::vector<golden::Leaf> memory;  ///< only with Leaves::AndMemory; the paths end in kInMemory
  /// only with Leaves::OnlyMemory: places of values copied byte by byte
  std::set<std::string> copied;
  /// for each element of `memory`: true for a float or a duration
  std::vector<bool> memory_may_round;
  std::vector<std::size_t> offsets;  ///< offset of each leaf
  /// Paths, below the root, of maps and sets, whose entries may be read in any order.
  std::vector<std::string> keyed;
  /// Positions of the leaves that begin with a four-byte count.
  std::vector<std::size_t> counts;
  /// Path and type of each enum value that has no enumerator.
  std::vector<std::pair<std::string, std::string>> nameless;
  /// The steps of the visit. Two visits of the same bytes with equal steps have equal leaves.
  std::vector<std::uint64_t> steps;
  LayoutNotes notes;
};

/// Determines whether a visit collects leaves, whose paths and texts are most of its cost. Callers
/// that only compare visits use the steps instead. `AndMemory` also collects the in-memory values
/// of WireAs types, if they have a text; `OnlyMemory` collects nothing else.
enum class Leaves { Told, Untold, AndMemory, OnlyMemory };

/// Suffix of the path of an in-memory value among a golden's upgraded values: `speed#memory`.
inline constexpr std::string_view kInMemory = "#memory";

/// From now on, bytes of this root type come from the program's own streams, and its values come
/// from a visit of the object. Offsets of leaves are unknown for such a type.
void TraceByStreams(const revctl::harness::TypeEntry& entry);
/// Returns the entry that TraceByStreams received for this type, or null.
const revctl::harness::TypeEntry* StreamsOf(const revctl::TypeInfo& type);
/// True if TraceByStreams was called for this type.
bool IsOpaque(const revctl::TypeInfo& type);

/// Writes `object` at revision `number`. Does not check that writing leaves the object unchanged;
/// GH005 does.
Traced TraceWrite(const revctl::TypeInfo& type, void* object, std::int64_t number,
                  Leaves leaves = Leaves::Told);

/// Visits `object` as its body describes it. Unlike TraceWrite, does not run the program's streams.
Traced TraceValues(const revctl::TypeInfo& type, void* object, std::int64_t number);

/// Reads `bytes` into `object`, which is usually fresh.
Traced TraceRead(const revctl::TypeInfo& type, std::span<const std::byte> bytes,
                 std::int64_t number, void* object, Leaves leaves = Leaves::Told);

/// Returns only the bytes that TraceWrite would write, or nullopt if writing fails.
std::optional<std::vector<std::byte>> TracedBytes(const revctl::TypeInfo& type, void* object,
                                                  std::int64_t number);

/// Reads `bytes` only for the notes. Costs less than TraceRead, because paths and texts are not
/// formatted.
LayoutNotes NotesOfReading(const revctl::TypeInfo& type, std::span<const std::byte> bytes,
                           std::int64_t number, void* object);

/// Returns the closed REMs of a record, with their defaults in `object`, which must be fresh.
std::vector<revctl::LayoutField> TraceDefaults(const revctl::TypeInfo& record, void* object,
                                               std::int64_t number);

/// Returns a path without its root: `players[1].name` for `GameScore.players[1].name`.
std::string BelowRoot(const std::string& path, const revctl::TypeInfo& root);

/// Returns a path with its root, for messages: `GameScore.players[1].name`. Returns the root alone
/// if the path is empty, for example because the body of the root rejected the data.
std::string FromRoot(const std::string& root, const std::string& path);

/// Returns the path of a leaf as in goldens: below the root called `root`, and made unique, because
/// a body may visit a place twice (`hp~2`). `seen` counts the paths so far. Its keys refer to
/// `path`.
std::string LeafPath(std::string_view path, std::string_view root,
                     std::unordered_map<std::string_view, int>& seen);

/// Returns a path without indices: `players[].name` for `players[3].name`.
std::string PlaceOf(const std::string& path);

/// Returns the first component of paths of `type`: its name without namespaces.
std::string RootName(const revctl::TypeInfo& type);

}  // namespace revctl::harness
