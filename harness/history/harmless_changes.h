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

/// Adds to `renames` the names of REM locals that differ from the recorded name of their field,
/// because only the body uses the name of a local. `today` contains the layouts of today's code at
/// any revision.
///
/// A REM is matched with a recorded field of the same type, range and condition whose name today's
/// code does not visit at that revision. If several REMs match, the first of them gets the field
/// that was recorded first.
void AddNamesOfLocals(const History& history, const std::map<std::string, TypeTrace>& today,
                      Renames& renames);
/// Does the same with a single record, whose revision has this number today.
void AddNamesOfLocals(const golden::RevisionRecord& record, std::int64_t number,
                      const std::map<std::string, TypeTrace>& today, Renames& renames);

/// Returns the paths, below the root, of maps and sets whose entries have another order in `now`
/// than in `expected`. Returns an empty list if anything else differs. Such a change, caused by
/// another KeyOrder or comparison, is harmless because readers accept any order.
std::vector<std::string> OnlyReordered(const std::vector<golden::Leaf>& expected, const Traced& now,
                                       const Renames& renames);

}  // namespace revctl::harness
