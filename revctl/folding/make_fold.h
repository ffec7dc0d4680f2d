#pragma once
#include "revctl/folding/commit.h"
#include "revctl/session/session.h"
#include "revctl/workspace/workspace.h"

namespace revctl::commands {

/// A fold, and its commit; nullopt: there is nothing to fold.
struct MadeFold {
  Fold fold;
  std::optional<git::Oid> commit;
  git::Oid made_on = {};  ///< where it was planned, and its goldens were recorded
};

/// Plans, records goldens again where types are shared, and writes the commit. What that does not
/// mend stays pending, with its finding; the others are folded.
base::Result<MadeFold> MakeFold(const Workspace& workspace, const FoldQuestion& question,
                                Session& session);

/// A fold once more, on the question's base: with its goldens, so that nothing is built. What has
/// landed in between stays pending. nullopt: it does not fit there as it is.
base::Result<std::optional<MadeFold>> ReplayFold(const FoldQuestion& question,
                                                 const MadeFold& made);

/// Runs the target's `land: goldens:` on `commit`, which is `fold` as it stands, and takes what it
/// wrote into golden folders. There each revision has the place that the fold gives it, also where
/// others before it stay pending. REVCTL_FOLD names the fold's base, whose pending revisions have
/// not landed. The work tree, which must be as its HEAD, is as it was afterwards.
base::Result<base::Done> RefreshForFold(const Workspace& workspace, const FoldQuestion& question,
                                        const git::Oid& commit, Fold& fold, Session& session);

/// Puts back what a killed RefreshForFold left.
base::Result<base::Done> RecoverFold(const Workspace& workspace, Session& session);

}  // namespace revctl::commands
