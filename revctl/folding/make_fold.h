#pragma once
#include "revctl/base/listener.h"
#include "revctl/config/project_line.h"
#include "revctl/folding/commit.h"
#include "revctl/workspace/workspace.h"

namespace revctl::commands {

/// A fold and its commit; no commit if there is nothing to fold.
struct MadeFold {
  Fold fold;
  std::optional<git::Oid> commit;
  git::Oid made_on = {};  ///< the base on which it was planned and its goldens were recorded
};

/// The callbacks of a fold.
struct FoldCallbacks {
  base::Listener listener;
  config::ProjectRunner run;  ///< runs the `goldens` command
};

/// Plans a fold, regenerates goldens if types are shared, and writes the commit. Revisions that
/// still have a finding stay pending; the others are folded.
base::Result<MadeFold> MakeFold(const Workspace& workspace, const FoldQuestion& question,
                                const FoldCallbacks& calls);

/// Applies a fold to the question's base, reusing its goldens so that nothing is built. Revisions
/// that landed meanwhile stay pending. Returns nullopt if the fold does not fit the new base.
base::Result<std::optional<MadeFold>> ReplayFold(const FoldQuestion& question,
                                                 const MadeFold& made);

/// Runs the target's `land: goldens:` on `commit`, which is the written `fold`, and takes the
/// golden files that it changes into `fold`. The commit numbers all revisions as planned, even if
/// earlier ones will stay pending. REVCTL_FOLD names the fold's base, whose pending revisions have
/// not landed. The work tree must be clean and is restored afterwards.
base::Result<base::Done> RefreshForFold(const Workspace& workspace, const FoldQuestion& question,
                                        const git::Oid& commit, Fold& fold,
                                        const FoldCallbacks& calls);

/// Restores the work tree after RefreshForFold was killed.
base::Result<base::Done> RecoverFold(const Workspace& workspace, const base::Listener& listener);

/// Writes the include files of lists with numbers at landing, for builds that do not call sync.
base::Result<base::Done> WriteIncludes(const Workspace& workspace, const config::Config& config);

}  // namespace revctl::commands
