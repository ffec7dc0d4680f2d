#pragma once
#include <optional>

#include "revctl/gate/gate.h"

namespace revctl::commands {

/// Returns the commit below the tip if the tip folds pending revisions that the change itself adds,
/// as in a push by `land`. Such a tip has one parent and removes pending files of revisions that
/// the target does not have. The tip may also be a merge of such a commit into the target, if the
/// merge has the same files. Returns nullopt for any other change, or if the target has moved
/// since.
base::Result<std::optional<git::Oid>> CommitBelowFold(const GateRequest& request);

}  // namespace revctl::commands
