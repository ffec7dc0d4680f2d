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

/// For each REM whose local variable is named differently than the recorded field, adds this rename
/// to `renames`. The difference is harmless, because only the body uses the local's name. `today`
/// contains the layouts of the current code at some revision.
///
/// A REM matches a recorded field of the same type, range and condition, unless the current code
/// visits a field of that name at the revision. If several REMs match, they are paired with the
/// fields in order.
void AddNamesOfLocals(const History& history, const std::map<std::string, TypeTrace>& today,
                      Renames& renames);
/// Adds the renames for a single record. `number` is the current number of the record's revision.
void AddNamesOfLocals(const golden::RevisionRecord& record, std::int64_t number,
                      const std::map<std::string, TypeTrace>& today, Renames& renames);

/// Returns the paths of maps and sets whose entries are ordered differently in `now` than in
/// `expected`, or an empty list if there are other differences. A different order is harmless,
/// because readers accept any order.
std::vector<std::string> OnlyReordered(const std::vector<golden::Leaf>& expected, const Traced& now,
                                       const Renames& renames);

}  // namespace revctl::harness
