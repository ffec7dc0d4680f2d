#pragma once
#include <string>
#include <vector>

#include "revctl/workspace/workspace.h"

namespace revctl::commands {

struct RepairedGoldens {
  std::vector<std::string> mended;  ///< paths from the repository's root, to be added
  std::vector<std::string> left;    ///< paths that could not be resolved, with the reason
};

/// Resolves conflicts of goldens in the work tree in the same way as the merge driver
/// (golden/merge.h). If one side removed a record and the other rewrote it, the list `here`
/// decides; null if the list is unreadable. Does not change the index.
base::Result<RepairedGoldens> RepairGoldens(const Workspace& workspace,
                                            const list::ListConfig& list,
                                            const list::RevisionList* here);

/// Restores goldens of landed revisions that the work tree lacks, for example after a revert, from
/// the merge base with the target. `here` is the repaired list. Returns the restored paths.
base::Result<std::vector<std::string>> RestoreLandedGoldens(const Workspace& workspace,
                                                            const list::ListConfig& list,
                                                            const list::RevisionList& here);

}  // namespace revctl::commands
