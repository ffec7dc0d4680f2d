#pragma once
#include <cstddef>
#include <vector>

#include "revctl/findings/finding.h"

namespace revctl::findings {

/// Findings with one cause, in their order. Indices into the findings that were grouped.
using CauseGroup = std::vector<std::size_t>;

/// Groups findings that share a cause: they have equal rule and severity, and either an equal
/// `cause` or, for rules of lists, one command that fixes all of them. Groups are in the order of
/// their first findings. Up to base::kFirstFew findings stay apart, because folding them would save
/// no line.
std::vector<CauseGroup> GroupByCause(const std::vector<Finding>& findings);

}  // namespace revctl::findings
