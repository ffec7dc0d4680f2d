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

}  // namespace revctl::harness
