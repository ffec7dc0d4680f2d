#pragma once
#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "golden/payload_pack.h"
#include "golden/revision_record.h"
#include "golden/store.h"
#include "harness/history/history.h"
#include "harness/layout/renames.h"
#include "harness/recording/kept_goldens.h"
#include "harness/samples/samples.h"
#include "harness/signals/signals.h"
#include "harness/trace/registry.h"

namespace revctl::harness {

/// Provenance of a record, and options for its samples.
struct RecordingOptions {
  std::string command = "record";
  std::uint64_t seed = 1;
  Renames renames = {};  ///< approved renames, which do not count as changes
  /// Whether to record the upgrades of older goldens. If several revisions are recorded, true only
  /// for the newest one.
  bool upgrades = true;
  /// The old records whose values the new records reuse, or null. The old record of this revision
  /// is at `kept_at`; its upgrades are reused if they still apply.
  const KeptRecords* kept = nullptr;
  std::size_t kept_at = 0;
  /// Result of Landed::JoinedWith, or nullopt if it is unknown which revisions have landed.
  std::optional<std::set<std::string>> landed = std::nullopt;
  /// With numbers at landing: the revisions of the list that have no number yet.
  std::set<std::string> unfolded = {};
  /// root types to skip, because their goldens cannot be recorded now
  std::set<std::string> left_out = {};
};

/// Returns the changes that reading and saving a golden makes to its recorded values.
std::vector<golden::Change> UpgradeOf(const std::vector<golden::Leaf>& values,
                                      const Traced& resaved);

struct Recording {
  golden::RevisionRecord record;
  golden::PayloadPack payloads;
  std::vector<golden::LargeFile> large;  ///< the files of the record's large goldens
  std::vector<std::string> changed;      ///< root types with goldens in this record
  std::vector<std::string> troubles;     ///< samples that could not be recorded, with reasons
  std::set<std::string> failed;          ///< root types with entries in `troubles`
  std::vector<std::string> losses;       ///< recorded values that could not be kept
  std::vector<std::string> warnings;     ///< problems with made-up values
  bool nothing = false;  ///< true if the revision cannot have goldens, so it stays unrecorded
};

/// Why `record --backfill` skips an Opaque type.
inline constexpr char kNoBackfill[] =
    "its wire kind is Opaque, so only the original code can write goldens of older revisions";

/// Records revision `index`: the layouts that changed at this revision, goldens of the affected
/// root types, and changes to the upgraded values of older goldens.
Recording Record(const Registry& registry, const History& history, std::size_t index,
                 const RecordingOptions& options);

}  // namespace revctl::harness
