#pragma once
#include "revctl/landing/landing.h"
#include "revctl/workspace/workspace.h"

namespace revctl::commands {

/// The branch in the work tree, as it may land: nothing else goes on there, and all is committed.
/// What a killed landing left is put back first, but for a dry run.
base::Result<LandState> BeginLanding(const Workspace& workspace, Session& session, bool dry_run);

/// The landing that has stopped at a conflict.
base::Result<LandState> ContinueLanding(const Workspace& workspace);

}  // namespace revctl::commands
