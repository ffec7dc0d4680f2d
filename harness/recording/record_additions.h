#pragma once
#include <string>

#include "golden/store.h"
#include "harness/history/history.h"
#include "harness/recording/recording.h"
#include "harness/trace/registry.h"

namespace revctl::harness {

/// Transfers a record made by the revision's own code into today's store. Payloads, values and
/// layouts are kept; upgraded values are recomputed with today's code, because only today's code is
/// protected. If the store has the revision already, adds only the goldens that it lacks. Fails if
/// the old list has another number or lineage for the revision, or a budget is exceeded.
Recording CarryOver(const Registry& registry, const History& history, const Revision& revision,
                    const golden::StoredRecord& then, const RecordingOptions& options);

/// Records what was registered since the newest revision was recorded: root types without goldens
/// and new samples by hand. Cases are empty if there is nothing.
Recording RecordAdditions(const Registry& registry, const History& history,
                          const RecordingOptions& options);

/// Records goldens of the root types `types` at revision `index`, at which they inherit all goldens
/// because they did not change.
Recording RecordInherited(const Registry& registry, const History& history, std::size_t index,
                          const std::vector<std::string>& types, const RecordingOptions& options);

/// Records a payload written by a user's program at revision `index` as golden `name`. Fails if it
/// does not load, exceeds a budget, or the name is taken.
Recording RecordImport(const Registry& registry, const RootType& root, const History& history,
                       std::size_t index, const std::string& name, std::vector<std::byte> payload,
                       const RecordingOptions& options);

}  // namespace revctl::harness
