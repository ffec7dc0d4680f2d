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
  bool at_end = true;      ///< when reading: no bytes are left over
  bool refused = false;    ///< true if a body or FromWire rejected the data
  std::size_t offset = 0;  ///< offset of the first error; 0 without an error
  /// path and reason of the first error; the path has the form `players[1].name`
  std::string path, reason;
  /// place of the last macro before the error; more exact than the path if a body rejected the data
  std::string error_file;
  int error_line = 0;            ///< 0 if unknown
  std::vector<std::byte> bytes;  ///< when writing: the payload
  /// all values on the wire, with unique paths below the root
  std::vector<golden::Leaf> leaves;
  /// in-memory values, with paths that end in kInMemory; empty unless requested with Leaves
  std::vector<golden::Leaf> memory;
  /// places of values copied byte by byte; collected together with `memory`
  std::set<std::string> copied;
  /// for each element of `memory`, whether it is a float or a duration
  std::vector<bool> memory_may_round;
  std::vector<std::size_t> offsets;  ///< offset of each leaf in the bytes
  /// paths of maps and sets, whose entries may be read in any order
  std::vector<std::string> keyed;
  /// indices of the leaves that begin with a four-byte count
  std::vector<std::size_t> counts;
  /// path and type of each enum value without an enumerator
  std::vector<std::pair<std::string, std::string>> nameless;
  /// Steps of the visit. If visits of the same bytes have equal steps, their leaves are equal.
  std::vector<std::uint64_t> steps;
  LayoutNotes notes;
};

/// Which leaves a visit collects. Most of a visit's cost is due to the paths and texts of leaves,
/// so callers that only compare visits use `Untold` and compare the steps. `AndMemory` also
/// collects printable in-memory values of WireAs types; `OnlyMemory` collects only these.
enum class Leaves { Told, Untold, AndMemory, OnlyMemory };

/// Path suffix of in-memory values, as in `speed#memory`. Records list them with the upgraded
/// values.
inline constexpr std::string_view kInMemory = "#memory";

/// Makes tracers read and write this root type with the program's own streams. The values come from
/// a visit of the object, so the offsets of leaves are unknown.
void TraceByStreams(const revctl::harness::TypeEntry& entry);
/// Returns the entry passed to TraceByStreams for this type, or null.
const revctl::harness::TypeEntry* StreamsOf(const revctl::TypeInfo& type);
/// True if TraceByStreams was called for this type.
bool IsOpaque(const revctl::TypeInfo& type);

/// Writes `object` at revision `number`. Does not check that the object stays unchanged, because
/// rule GH005 does.
Traced TraceWrite(const revctl::TypeInfo& type, void* object, std::int64_t number,
                  Leaves leaves = Leaves::Told);

/// Visits `object` with its body, never with the program's streams.
Traced TraceValues(const revctl::TypeInfo& type, void* object, std::int64_t number);

/// Reads `bytes` into `object`, which is usually fresh.
Traced TraceRead(const revctl::TypeInfo& type, std::span<const std::byte> bytes,
                 std::int64_t number, void* object, Leaves leaves = Leaves::Told);

/// Returns only the bytes that TraceWrite would write, or nullopt if writing fails.
std::optional<std::vector<std::byte>> TracedBytes(const revctl::TypeInfo& type, void* object,
                                                  std::int64_t number);

/// Reads `bytes` only to collect layout notes. Faster than TraceRead, because it does not format
/// paths and values.
LayoutNotes NotesOfReading(const revctl::TypeInfo& type, std::span<const std::byte> bytes,
                           std::int64_t number, void* object);

/// Returns the REMs of a record whose gates are closed, with their defaults. `object` must be
/// fresh.
std::vector<revctl::LayoutField> TraceDefaults(const revctl::TypeInfo& record, void* object,
                                               std::int64_t number);

/// Returns a path without its root: `players[1].name` for `GameScore.players[1].name`.
std::string BelowRoot(const std::string& path, const revctl::TypeInfo& root);

/// Returns a path with its root, for messages: `GameScore.players[1].name`, or only the root if the
/// path is empty.
std::string FromRoot(const std::string& root, const std::string& path);

/// Returns the path of a leaf in the form that goldens use: below the root, and unique even if a
/// body visits a place twice (`hp~2`). `seen` counts the paths so far; its keys point into `path`.
std::string LeafPath(std::string_view path, std::string_view root,
                     std::unordered_map<std::string_view, int>& seen);

/// Returns the first leaf with this path, or null.
const golden::Leaf* FindLeaf(const std::vector<golden::Leaf>& leaves, std::string_view path);

/// Translates the recorded `path` to the current field names, and returns the matching path in
/// `now`. Returns `path` unchanged if no path in `now` matches.
std::string PathNow(const Renames& renames, const std::string& path,
                    const std::vector<golden::Leaf>& now);

/// Returns a path without indices: `players[].name` for `players[3].name`.
std::string PlaceOf(const std::string& path);

/// Returns the first component of the type's paths: its name without namespaces.
std::string RootName(const revctl::TypeInfo& type);

}  // namespace revctl::harness
