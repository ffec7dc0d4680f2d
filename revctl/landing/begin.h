#pragma once
#include "revctl/landing/landing.h"
#include "revctl/workspace/workspace.h"

namespace revctl::commands {

/// Cleans up after a killed landing, except in a dry run. Then checks that the branch can land: no
/// other git operation is in progress, and everything is committed.
base::Result<LandState> BeginLanding(const Workspace& workspace, const base::Listener& listener,
                                     bool dry_run);

/// Returns the saved state of a landing that stopped at a conflict. Fails if there is none.
base::Result<LandState> ContinueLanding(const Workspace& workspace);

}  // namespace revctl::commands
