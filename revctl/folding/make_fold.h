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

/// Restores the user's checkout if MakeFold was killed while it recorded goldens.
base::Result<base::Done> RecoverFold(const Workspace& workspace, const base::Listener& listener);

/// Returns the golden folders of all lists in `config`, relative to the repository's root. `prefix`
/// is the folder of the config.
std::vector<std::string> GoldenFolders(const config::Config& config, const std::string& prefix);

/// Writes the include files of lists with numbers at landing, because a build might not call
/// `revctl sync`.
base::Result<base::Done> WriteIncludes(const Workspace& workspace, const config::Config& config);

}  // namespace revctl::commands
