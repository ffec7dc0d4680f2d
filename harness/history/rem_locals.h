#pragma once
#include <map>
#include <string>

#include "harness/history/history.h"
#include "harness/layout/layout_diff.h"
#include "harness/layout/renames.h"

namespace revctl::harness {

/// Adds to `renames` what the locals of REMs are called whose fields were recorded under another
/// name: the name of a local concerns the body alone. `today`: layouts at the latest revision.
///
/// Such a REM has the type, the range and the condition of a recorded field whose own name no code
/// of today visits there. Of several alike the first reads what was recorded first.
void AddNamesOfLocals(const History& history, const std::map<std::string, TypeTrace>& today,
                      Renames& renames);

}  // namespace revctl::harness
