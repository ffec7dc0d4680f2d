#pragma once
#include <optional>

#include "revctl/gate/gate.h"

namespace revctl::commands {

/// If the tip of the change folds pending revisions that the change itself adds, as `land` pushes
/// it, returns the commit below the tip. Such a tip has one parent and removes pending files of
/// revisions that the target does not have. It may also be merged into the target's tip, if the
/// merge has the same files. Returns nullopt for any other change, and if the target has moved
/// since.
base::Result<std::optional<git::Oid>> CommitBelowFold(const GateRequest& request);

}  // namespace revctl::commands
