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

/// The result of a visit that reads or writes a payload. After an error, it covers everything
/// before.
struct Traced {
  bool ok = true;
  bool at_end = true;      ///< reading: no bytes left over
  bool refused = false;    ///< a body or FromWire() rejected the data
  std::size_t offset = 0;  ///< of the first error
  std::string path,
      reason;  ///< of the first error, with a path such as `players[1].name`
  /// place of the last macro before the error; more exact than the path if a body rejected the data
  std::string error_file;
  int error_line = 0;            ///< 0 if unknown
  std::vector<std::byte> bytes;  ///< writing: the payload
  /// Every value on the wire, by unique path below the root.
  std::vector<golden::Leaf> leaves;
  std::vector<golden::Leaf> memory;    ///< Leaves::AndMemory: the paths end in kInMemory
  std::set<std::string> copied;        ///< Leaves::OnlyMemory: places of values copied byte by byte
  std::vector<bool> memory_may_round;  ///< for each of these places: it is a float or a duration
  std::vector<std::size_t> offsets;    ///< where each leaf begins
  /// Maps and sets, by path below the root: their entries are read in any order.
  std::vector<std::string> keyed;
  /// Positions of the leaves that begin with a four-byte count.
  std::vector<std::size_t> counts;
  /// Path and type of each enum value without a name.
  std::vector<std::pair<std::string, std::string>> nameless;
  /// The steps of the visit. Two visits of the same bytes with equal steps have equal leaves.
  std::vector<std::uint64_t> steps;
  LayoutNotes notes;
};

/// Selects whether a visit returns its leaves. Their paths and texts are most of its cost, and
/// callers for whom the steps are sufficient leave them out. `AndMemory`: also the in-memory values
/// of WireAs types, if they have a text. `OnlyMemory`: only these values.
enum class Leaves { Told, Untold, AndMemory, OnlyMemory };

/// Suffix of the path of such an in-memory value in a golden's upgraded values: `speed#memory`.
inline constexpr std::string_view kInMemory = "#memory";

/// From now on, bytes of this root type come from the program's own streams, and values from a
/// visit of the object. Offsets of leaves are unknown for such a type.
void TraceByStreams(const revctl::harness::TypeEntry& entry);
/// Returns the entry that was set for this type, or null.
const revctl::harness::TypeEntry* StreamsOf(const revctl::TypeInfo& type);
/// True after TraceByStreams for this type.
bool IsOpaque(const revctl::TypeInfo& type);

/// Writes `object` at revision `number`. Writing must not change the object; another signal checks
/// that.
Traced TraceWrite(const revctl::TypeInfo& type, void* object, std::int64_t number,
                  Leaves leaves = Leaves::Told);

/// Visits `object` as the body describes it. Unlike TraceWrite, does not run streams of the
/// program.
Traced TraceValues(const revctl::TypeInfo& type, void* object, std::int64_t number);

/// Reads `bytes` into `object`, which is usually fresh.
Traced TraceRead(const revctl::TypeInfo& type, std::span<const std::byte> bytes,
                 std::int64_t number, void* object, Leaves leaves = Leaves::Told);

/// Returns only the bytes that TraceWrite would write, or nullopt if writing fails.
std::optional<std::vector<std::byte>> TracedBytes(const revctl::TypeInfo& type, void* object,
                                                  std::int64_t number);

/// Reads `bytes` only for the notes; cheaper because no paths and texts are formatted.
LayoutNotes NotesOfReading(const revctl::TypeInfo& type, std::span<const std::byte> bytes,
                           std::int64_t number, void* object);

/// Returns the closed REMs of a record, with their defaults in `object`, which must be fresh.
std::vector<revctl::LayoutField> TraceDefaults(const revctl::TypeInfo& record, void* object,
                                               std::int64_t number);

/// Returns a path without its root: `players[1].name` for `GameScore.players[1].name`.
std::string BelowRoot(const std::string& path, const revctl::TypeInfo& root);

/// The reverse, for messages: `GameScore.players[1].name`. Returns only the root if the path is
/// empty, which happens if the body of the root rejected a value.
std::string FromRoot(const std::string& root, const std::string& path);

/// Returns the path of a leaf as in goldens: below the root called `root`, and unique, because a
/// body may visit a place twice (`hp~2`). `seen` counts the paths so far, and refers to `path`.
std::string LeafPath(std::string_view path, std::string_view root,
                     std::unordered_map<std::string_view, int>& seen);

/// Returns a path without indices: `players[].name` for `players[3].name`.
std::string PlaceOf(const std::string& path);

/// Returns the first component of paths of `type`: its name without namespaces.
std::string RootName(const revctl::TypeInfo& type);

}  // namespace revctl::harness
