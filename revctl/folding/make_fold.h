#pragma once
#include "revctl/base/listener.h"
#include "revctl/config/project_line.h"
#include "revctl/folding/commit.h"
#include "revctl/workspace/workspace.h"

namespace revctl::commands {

/// A fold and its commit. There is no commit if there is nothing to fold.
struct MadeFold {
  Fold fold;
  std::optional<git::Oid> commit;
  git::Oid made_on = {};  ///< the base that the fold was planned and its goldens were recorded
                          ///< on
};

/// Functions that the caller of a fold provides.
struct FoldCallbacks {
  base::Listener listener;
  config::ProjectRunner run;  ///< runs the `goldens` command
};

/// Plans a fold, regenerates goldens if revisions share types, and writes the commit. Revisions
/// that still have findings afterwards stay pending; the others are folded.
base::Result<MadeFold> MakeFold(const Workspace& workspace, const FoldQuestion& question,
                                const FoldCallbacks& calls);

/// Applies the fold `made` to `question.base` and reuses its goldens, so that nothing has to be
/// built. Revisions that have landed on the target in the meantime stay pending. Returns nullopt if
/// the fold does not fit the new base.
base::Result<std::optional<MadeFold>> ReplayFold(const FoldQuestion& question,
                                                 const MadeFold& made);

/// Runs the target's `land: goldens:` command on `commit`, which contains `fold`, and adds the
/// golden files that the command changes to `fold`. In `commit`, every revision has its planned
/// number, even if it stays pending in the end. Sets REVCTL_FOLD to the fold's base, so that the
/// command knows which revisions have not landed. Fails if the work tree is not clean, and restores
/// it afterwards.
base::Result<base::Done> RefreshForFold(const Workspace& workspace, const FoldQuestion& question,
                                        const git::Oid& commit, Fold& fold,
                                        const FoldCallbacks& calls);

/// Restores the user's checkout if RefreshForFold was killed.
base::Result<base::Done> RecoverFold(const Workspace& workspace, const base::Listener& listener);

/// Writes the include files of lists with numbers at landing, because a build might not call
/// `revctl sync`.
base::Result<base::Done> WriteIncludes(const Workspace& workspace, const config::Config& config);

}  // namespace revctl::commands
