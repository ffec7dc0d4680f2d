#pragma once
#include <string>

#include "golden/store.h"
#include "harness/history/history.h"
#include "harness/recording/recording.h"
#include "harness/trace/registry.h"

namespace revctl::harness {

/// Adds a record that the revision's own code made to the current store. Keeps its payloads, values
/// and layouts, but computes the upgraded values with the current code. If the store already has
/// the revision, adds only the goldens that it lacks. Fails if the revision had a different number
/// or lineage in the old list, or if a budget is exceeded.
Recording CarryOver(const Registry& registry, const History& history, const Revision& revision,
                    const golden::StoredRecord& then, const RecordingOptions& options);

/// Records root types and hand-written samples that were registered after the newest revision was
/// recorded. If there are none, the result has no cases.
Recording RecordAdditions(const Registry& registry, const History& history,
                          const RecordingOptions& options);

/// Records goldens of `types` at revision `index`, which so far has only inherited goldens of these
/// types.
Recording RecordInherited(const Registry& registry, const History& history, std::size_t index,
                          const std::vector<std::string>& types, const RecordingOptions& options);

/// Records a payload that a user's program wrote at revision `index` as the golden `name`. Fails if
/// the payload does not load, if it exceeds a budget, or if the name is taken.
Recording RecordImport(const Registry& registry, const RootType& root, const History& history,
                       std::size_t index, const std::string& name, std::vector<std::byte> payload,
                       const RecordingOptions& options);

}  // namespace revctl::harness
