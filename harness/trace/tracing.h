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

/// The result of a visit that reads or writes a payload. If an error occurred, covers everything
/// before it.
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
  /// All values on the wire, each with its unique path below the root.
  std::vector<golden::Leaf> leaves;
  /// in-memory values, with paths that end in kInMemory; empty unless requested by Leaves
  std::vector<golden::Leaf> memory;
  /// places of values that are copied byte by byte; collected together with `memory`
  std::set<std::string> copied;
  /// for each element of `memory`: true if it is a float or a duration
  std::vector<bool> memory_may_round;
  std::vector<std::size_t> offsets;  ///< offset of each leaf in the bytes
  /// Paths below the root of maps and sets, because their entries may be read in any order.
  std::vector<std::string> keyed;
  /// Indices of the leaves that begin with a four-byte count.
  std::vector<std::size_t> counts;
  /// Path and type of each enum value that has no enumerator.
  std::vector<std::pair<std::string, std::string>> nameless;
  /// The steps of the visit. If two visits of the same bytes have equal steps, their leaves are
  /// equal.
  std::vector<std::uint64_t> steps;
  LayoutNotes notes;
};

/// Which leaves a visit collects. Most of the cost of a visit is in the paths and texts of its
/// leaves, so callers that only compare visits use `Untold` and compare the steps. `AndMemory` also
/// collects the in-memory values of WireAs types that can be printed. `OnlyMemory` collects nothing
/// else.
enum class Leaves { Told, Untold, AndMemory, OnlyMemory };

/// Path suffix of in-memory values, as in `speed#memory`. A golden lists these values with its
/// upgraded values.
inline constexpr std::string_view kInMemory = "#memory";

/// Makes the tracer read and write bytes of this root type with the program's own streams from now
/// on, and take the values from a visit of the object. The offsets of leaves are unknown for such a
/// type.
void TraceByStreams(const revctl::harness::TypeEntry& entry);
/// Returns the entry that was passed to TraceByStreams for this type, or null.
const revctl::harness::TypeEntry* StreamsOf(const revctl::TypeInfo& type);
/// True if TraceByStreams was called for this type.
bool IsOpaque(const revctl::TypeInfo& type);

/// Writes `object` at revision `number`. Does not check that writing leaves the object unchanged,
/// because GH005 does this.
Traced TraceWrite(const revctl::TypeInfo& type, void* object, std::int64_t number,
                  Leaves leaves = Leaves::Told);

/// Visits `object` as its body describes it. Unlike TraceWrite, never runs the program's streams.
Traced TraceValues(const revctl::TypeInfo& type, void* object, std::int64_t number);

/// Reads `bytes` into `object`, which is usually fresh.
Traced TraceRead(const revctl::TypeInfo& type, std::span<const std::byte> bytes,
                 std::int64_t number, void* object, Leaves leaves = Leaves::Told);

/// Returns only the bytes that TraceWrite would write, or nullopt if writing fails.
std::optional<std::vector<std::byte>> TracedBytes(const revctl::TypeInfo& type, void* object,
                                                  std::int64_t number);

/// Reads `bytes` only to get the notes. Costs less than TraceRead, because it formats no paths and
/// texts.
LayoutNotes NotesOfReading(const revctl::TypeInfo& type, std::span<const std::byte> bytes,
                           std::int64_t number, void* object);

/// Returns the closed REMs of a record with their defaults. `object` must be fresh.
std::vector<revctl::LayoutField> TraceDefaults(const revctl::TypeInfo& record, void* object,
                                               std::int64_t number);

/// Returns a path without its root. For example, returns `players[1].name` for
/// `GameScore.players[1].name`.
std::string BelowRoot(const std::string& path, const revctl::TypeInfo& root);

/// Returns a path with its root, such as `GameScore.players[1].name`, for messages. Returns only
/// the root if the path is empty, for example because the root's body rejected the data.
std::string FromRoot(const std::string& root, const std::string& path);

/// Returns the path of a leaf as goldens contain it: below the root, and unique even if a body
/// visits a place twice (`hp~2`). `seen` counts the paths so far, and its keys point into `path`.
std::string LeafPath(std::string_view path, std::string_view root,
                     std::unordered_map<std::string_view, int>& seen);

/// Returns a path without indices. For example, returns `players[].name` for `players[3].name`.
std::string PlaceOf(const std::string& path);

/// Returns the first component of the type's paths, which is its name without namespaces.
std::string RootName(const revctl::TypeInfo& type);

}  // namespace revctl::harness
