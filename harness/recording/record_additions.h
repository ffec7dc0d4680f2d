#pragma once
#include <string>

#include "golden/store.h"
#include "harness/history/history.h"
#include "harness/recording/recording.h"
#include "harness/trace/registry.h"

namespace revctl::harness {

/// What the code of a revision's own time recorded of it, for today's store. Payloads, values and
/// layouts are kept; the upgraded values are what today's code makes of them, since it alone is
/// guarded. Where today's store has the revision already, only goldens that it does not have.
///
/// Troubles: the old list gives the revision another number or lineage; a budget.
Recording CarryOver(const Registry& registry, const History& history, const Revision& revision,
                    const golden::StoredRecord& then, const RecordingOptions& options);

/// What has been registered since the newest revision was recorded: root types without goldens,
/// samples by hand that no golden has. Empty cases where there is nothing.
Recording RecordAdditions(const Registry& registry, const History& history,
                          const RecordingOptions& options);

/// Goldens of the root types `types` at revision `index`, at which none were recorded since nothing
/// of them changed there: what files of it hold, as they inherit it.
Recording RecordInherited(const Registry& registry, const History& history, std::size_t index,
                          const std::vector<std::string>& types, const RecordingOptions& options);

/// A payload that a user's program wrote at revision `index`, as a golden called `name`. A trouble
/// where it does not load, is too large, or the name is taken.
Recording RecordImport(const RootType& root, const History& history, std::size_t index,
                       const std::string& name, std::span<const std::byte> payload,
                       const RecordingOptions& options);

}  // namespace revctl::harness
