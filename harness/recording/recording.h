#pragma once
#include <cstdint>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "golden/payload_pack.h"
#include "golden/revision_record.h"
#include "harness/history/history.h"
#include "harness/layout/renames.h"
#include "harness/recording/kept_goldens.h"
#include "harness/samples/samples.h"
#include "harness/signals/signals.h"
#include "harness/trace/registry.h"

namespace revctl::harness {

/// What a record is to say about itself, and how samples are made.
struct RecordingOptions {
  std::string command = "record";
  std::uint64_t seed = 1;
  Renames renames;       ///< approved ones, which are no change of an upgraded value
  bool upgrades = true;  ///< note all that today's code makes of older goldens; once, with the
                         ///< newest of several revisions
  /// Records that are written anew, whose values are kept. The one at hand is at `kept_at`; of what
  /// it said that it changes of older goldens, it goes on saying what still holds.
  const KeptRecords* kept = nullptr;
  std::size_t kept_at = 0;
  /// Landed::JoinedWith, where what has landed is known.
  std::optional<std::set<std::string>> landed = std::nullopt;
  /// Where numbers are given at landing: those of the list that have none yet.
  std::set<std::string> unfolded = {};
};

/// What a golden with these values became when it was saved again.
std::vector<golden::Change> UpgradeOf(const std::vector<golden::Leaf>& values,
                                      const Traced& resaved);

struct Recording {
  golden::RevisionRecord record;
  golden::PayloadPack payloads;
  std::vector<std::string> changed;   ///< root types with goldens in this record
  std::vector<std::string> troubles;  ///< samples that could not be recorded, and why
  std::vector<std::string> losses;    ///< recorded values that could not be kept
  std::vector<std::string> warnings;  ///< what made-up values brought to light
  bool nothing = false;  ///< no goldens of the revision can be made: it stays unrecorded
};

/// Why `record --backfill` leaves out a type whose wire is Opaque.
inline constexpr char kNoBackfill[] =
    "its wire is Opaque, so goldens of older revisions need the streams of that time";

/// What revision `index` of the history adds to what is recorded before it: layouts that changed at
/// it, goldens of the root types that this touches, and what it changes about the upgraded values
/// of older goldens.
Recording Record(const Registry& registry, const History& history, std::size_t index,
                 const RecordingOptions& options);

/// Name and version of the compiler that built this program.
std::string CompilerName();

}  // namespace revctl::harness
