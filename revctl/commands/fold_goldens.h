#pragma once
#include "revctl/commands/fold_commit.h"
#include "revctl/commands/session.h"

namespace revctl::commands {

/// Runs the target's `land: goldens:` on the fold's base, where pending revisions are still
/// pending, and takes what it wrote into golden folders. The work tree, which must be as its HEAD,
/// is as it was afterwards.
base::Result<base::Done> RefreshForFold(const Workspace& workspace, const FoldQuestion& question,
                                        Fold& fold, Session& session);

/// Puts back what a killed RefreshForFold left.
base::Result<base::Done> RecoverFold(const Workspace& workspace, Session& session);

}  // namespace revctl::commands
