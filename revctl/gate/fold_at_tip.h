#pragma once
#include <optional>

#include "revctl/gate/gate.h"

namespace revctl::commands {

/// If the tip folds pending revisions that the change itself adds, as `land` does, returns the
/// commit below the tip. Such a tip has one parent and removes pending files of revisions that the
/// target does not have. The tip may also be a merge of such a commit into the target, if the merge
/// has the same files. Returns nullopt for any other change, or if the target has moved in the
/// meantime.
base::Result<std::optional<git::Oid>> CommitBelowFold(const GateRequest& request);

}  // namespace revctl::commands
