#pragma once
#include "revctl/folding/commit.h"
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

}  // namespace revctl::commands
