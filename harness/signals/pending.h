#pragma once
#include <string>
#include <vector>

#include "golden/approval.h"

namespace revctl::harness {

/// A change that may be meant: a person can accept it with a reason. Until then it is a finding.
struct Pending {
  golden::Approval approval;  ///< without a reason
  std::string text;           ///< what the finding says, for the one who decides
  std::string fix;            ///< what mends it if it is not meant
};

/// Adds a change; one that is there already is not added again, and equal upgrades of several
/// goldens are one.
void AddPending(std::vector<Pending>& all, Pending pending);

}  // namespace revctl::harness
