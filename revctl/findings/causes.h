#pragma once
#include <cstddef>
#include <vector>

#include "revctl/findings/finding.h"

namespace revctl::findings {

/// Findings with the same cause. Both members contain indices into the grouped findings, in their
/// original order.
struct CauseGroup {
  std::vector<std::size_t> same;       ///< findings of the same rule; never empty
  std::vector<std::size_t> following;  ///< findings of any rule that follow from those in `same`

  std::size_t Size() const { return same.size() + following.size(); }
};

/// Groups findings that share a cause. Such findings have the same rule and severity, and either
/// the same `cause` or, for rules about lists, the same command as their fix. Groups are in the
/// order of their first findings. If at most base::kFirstFew findings share a cause, they stay
/// separate, because folding them would not save a line. A finding that `follows` another finding
/// joins that finding's group.
std::vector<CauseGroup> GroupByCause(const std::vector<Finding>& findings);

}  // namespace revctl::findings
