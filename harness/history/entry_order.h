#pragma once
#include <string>
#include <vector>

#include "golden/revision_record.h"
#include "harness/layout/renames.h"
#include "harness/trace/tracing.h"

namespace revctl::harness {

/// Whether what an object is written as differs from `expected` in the order of entries of maps and
/// sets alone (another KeyOrder, another comparison). Readers do not mind: they ask for no order.
/// Gives the paths of these containers below the root; nothing where something else differs.
std::vector<std::string> OnlyReordered(const std::vector<golden::Leaf>& expected, const Traced& now,
                                       const Renames& renames);

}  // namespace revctl::harness
