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

/// Adds to `renames` the names of REM locals that differ from the recorded name of their field.
/// Such names are harmless, because only the body uses them. `today` contains the layouts of the
/// current code at some revision.
///
/// A REM is matched with a recorded field of the same type, range and condition, provided that the
/// current code does not visit the field's name at that revision. If several REMs match, the first
/// one gets the field that was recorded first.
void AddNamesOfLocals(const History& history, const std::map<std::string, TypeTrace>& today,
                      Renames& renames);
/// Like the function above, but uses only one record. `number` is the current number of the
/// record's revision.
void AddNamesOfLocals(const golden::RevisionRecord& record, std::int64_t number,
                      const std::map<std::string, TypeTrace>& today, Renames& renames);

/// Returns the paths, below the root, of maps and sets whose entries are in a different order in
/// `now` than in `expected`. Returns an empty list if anything else differs. A different order,
/// caused by a different KeyOrder or comparison, is harmless because readers accept any order.
std::vector<std::string> OnlyReordered(const std::vector<golden::Leaf>& expected, const Traced& now,
                                       const Renames& renames);

}  // namespace revctl::harness
