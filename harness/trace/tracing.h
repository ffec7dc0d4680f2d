#pragma once
#include <cstddef>
#include <cstdint>
#include <optional>
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

/// What a visit that reads or writes a payload tells. After an error, what was seen up to it.
struct Traced {
  bool ok = true;
  bool at_end = true;      ///< reading: nothing left over
  bool refused = false;    ///< a body said no, or a FromWire
  std::size_t offset = 0;  ///< of the first error
  std::string path,
      reason;              ///< of the first error; the path as messages have it: `players[1].name`
  std::string error_file;  ///< with the macro visited last before it, which knows more than the
                           ///< path where a body said no
  int error_line = 0;      ///< 0: none was
  std::vector<std::byte> bytes;  ///< writing: the payload
  /// every value on the wire, by path below the root, paths made unique
  std::vector<golden::Leaf> leaves;
  std::vector<golden::Leaf> memory;  ///< Leaves::AndMemory: the paths end in kInMemory
  std::vector<std::size_t> offsets;  ///< where each leaf begins
  /// Maps and sets, by path below the root: their entries are read in any order.
  std::vector<std::string> keyed;
  /// positions of the leaves that begin with a count of four bytes
  std::vector<std::size_t> counts;
  /// Values of enums that have no name there: path and type.
  std::vector<std::pair<std::string, std::string>> nameless;
  /// What was visited, step by step. Two visits of the same bytes whose steps are the same have the
  /// same leaves.
  std::vector<std::uint64_t> steps;
  LayoutNotes notes;
};

/// Whether a visit says its leaves. Their paths and texts are most of its cost. Where the steps
/// tell as much, no caller reads them. `AndMemory`: with what values of WireAs types are in memory,
/// where their text can be told.
enum class Leaves { Told, Untold, AndMemory };

/// How the path of such a value ends in a golden's upgraded values: `speed#memory`.
inline constexpr std::string_view kInMemory = "#memory";

/// From here on the bytes of this root type are those of the program's own streams, and its values
/// those of a visit of the object. No offset of a leaf is known then.
void TraceByStreams(const revctl::harness::TypeEntry& entry);
/// Whether that was said.
bool IsOpaque(const revctl::TypeInfo& type);

/// Writes `object` at revision `number`. The object is not changed (that is a signal of its own).
Traced TraceWrite(const revctl::TypeInfo& type, void* object, std::int64_t number,
                  Leaves leaves = Leaves::Told);

/// Reads `bytes` into `object`, a fresh one unless the caller wants otherwise.
Traced TraceRead(const revctl::TypeInfo& type, std::span<const std::byte> bytes,
                 std::int64_t number, void* object, Leaves leaves = Leaves::Told);

/// What TraceWrite would write, and nothing about how; none where it cannot be written.
std::optional<std::vector<std::byte>> TracedBytes(const revctl::TypeInfo& type, void* object,
                                                  std::int64_t number);

/// The same for what bodies announce alone: the values need no paths and texts, which cost most.
LayoutNotes NotesOfReading(const revctl::TypeInfo& type, std::span<const std::byte> bytes,
                           std::int64_t number, void* object);

/// The closed REMs of a record, with the defaults that `object`, a fresh one, gives them.
std::vector<revctl::LayoutField> TraceDefaults(const revctl::TypeInfo& record, void* object,
                                               std::int64_t number);

/// `GameScore.players[1].name` without the root: `players[1].name`.
std::string BelowRoot(const std::string& path, const revctl::TypeInfo& root);

/// The path of a leaf as goldens have it: below the root called `root`, and each path once, since a
/// body may visit one place twice (`hp~2`). `seen` counts the paths so far, and refers to `path`.
std::string LeafPath(std::string_view path, std::string_view root,
                     std::unordered_map<std::string_view, int>& seen);

/// `players[3].name` as `players[].name`: what a place is, not which.
std::string PlaceOf(const std::string& path);

/// The name that paths of `type` begin with: without namespaces.
std::string RootName(const revctl::TypeInfo& type);

}  // namespace revctl::harness
