#pragma once
#include <optional>

#include "revctl/gate/gate.h"

namespace revctl::commands {

/// Returns the commit below the tip of the change if the tip folds pending revisions that the
/// change itself adds, as `land` pushes it: a commit with one parent that removes pending files
/// of revisions which the target does not have. A merge into the target's tip with the same files
/// counts as that commit. Returns nullopt for any other change, and if the target has moved since.
base::Result<std::optional<git::Oid>> CommitBelowFold(const GateRequest& request);

}  // namespace revctl::commands
