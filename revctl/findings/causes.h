#pragma once
#include <cstddef>
#include <vector>

#include "revctl/findings/finding.h"

namespace revctl::findings {

/// Findings with one cause, in their order, as indices into the findings that were grouped.
struct CauseGroup {
  std::vector<std::size_t> same;       ///< findings of one rule; never empty
  std::vector<std::size_t> following;  ///< consequences of those, of any rule

  std::size_t Size() const { return same.size() + following.size(); }
};

/// Groups findings that share a cause: they have equal rule and severity, and either an equal
/// `cause` or, for rules of lists, one command that fixes all of them. Groups are in the order of
/// their first findings. Up to base::kFirstFew findings stay apart, because folding them would save
/// no line. A finding that `follows` another one joins the group of that one.
std::vector<CauseGroup> GroupByCause(const std::vector<Finding>& findings);

}  // namespace revctl::findings
