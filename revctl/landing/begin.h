#pragma once
#include "revctl/landing/landing.h"
#include "revctl/workspace/workspace.h"

namespace revctl::commands {

/// Checks that the branch can land: no other git operation is in progress and everything is
/// committed. Before that, cleans up after a killed landing, except in a dry run.
base::Result<LandState> BeginLanding(const Workspace& workspace, const base::Listener& listener,
                                     bool dry_run);

/// Returns the state of the landing that stopped at a conflict.
base::Result<LandState> ContinueLanding(const Workspace& workspace);

}  // namespace revctl::commands
