#pragma once
#include "revctl/commands/fold_commit.h"
#include "revctl/commands/workspace.h"

namespace revctl::commands {

/// A fold, and its commit; nullopt: there is nothing to fold.
struct MadeFold {
  Fold fold;
  std::optional<git::Oid> commit;
};

/// Plans, records goldens again where types are shared, and writes the commit. What that does not
/// mend stays pending, with its finding; the others are folded.
base::Result<MadeFold> MakeFold(const Workspace& workspace, const FoldQuestion& question,
                                Session& session);

/// A fold that was made on `base`, once more on the question's: with its goldens, so that nothing
/// is built. What has landed in between stays pending. nullopt: it does not fit there as it is.
base::Result<std::optional<MadeFold>> ReplayFold(const FoldQuestion& question, const git::Oid& base,
                                                 const MadeFold& made);

}  // namespace revctl::commands
