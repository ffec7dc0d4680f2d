#pragma once
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "golden/revision_record.h"
#include "harness/history/history.h"
#include "harness/layout/layout_diff.h"
#include "harness/layout/renames.h"
#include "harness/trace/tracing.h"

namespace revctl::harness {

/// Adds to `renames` what the locals of REMs are called whose fields were recorded under another
/// name: the name of a local concerns the body alone. `today`: what today's body visits at any
/// revision.
///
/// Such a REM has the type, the range and the condition of a recorded field whose own name no code
/// of today visits there. Of several alike the first reads what was recorded first.
void AddNamesOfLocals(const History& history, const std::map<std::string, TypeTrace>& today,
                      Renames& renames);
/// The same by one record alone, of the revision that has this number today.
void AddNamesOfLocals(const golden::RevisionRecord& record, std::int64_t number,
                      const std::map<std::string, TypeTrace>& today, Renames& renames);

/// Whether what an object is written as differs from `expected` in the order of entries of maps and
/// sets alone (another KeyOrder, another comparison). Readers do not mind: they ask for no order.
/// Gives the paths of these containers below the root; nothing where something else differs.
std::vector<std::string> OnlyReordered(const std::vector<golden::Leaf>& expected, const Traced& now,
                                       const Renames& renames);

}  // namespace revctl::harness
