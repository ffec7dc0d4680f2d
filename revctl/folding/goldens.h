#pragma once
#include "revctl/folding/commit.h"
#include "revctl/session/session.h"

namespace revctl::commands {

/// Runs the target's `land: goldens:` on `commit`, which is `fold` as it stands, and takes what it
/// wrote into golden folders. There each revision has the place that the fold gives it, also where
/// others before it stay pending. REVCTL_FOLD names the fold's base, whose pending revisions have
/// not landed. The work tree, which must be as its HEAD, is as it was afterwards.
base::Result<base::Done> RefreshForFold(const Workspace& workspace, const FoldQuestion& question,
                                        const git::Oid& commit, Fold& fold, Session& session);

/// Puts back what a killed RefreshForFold left.
base::Result<base::Done> RecoverFold(const Workspace& workspace, Session& session);

}  // namespace revctl::commands
