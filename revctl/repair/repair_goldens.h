#pragma once
#include <string>
#include <vector>

#include "revctl/repair/file_change.h"
#include "revctl/workspace/workspace.h"

namespace revctl::commands {

struct RepairedGoldens {
  std::vector<FileChange> repaired;  ///< files that the user must add to git's index
  std::vector<std::string> left;     ///< paths of conflicts that a person must resolve
};

/// Resolves conflicts in the work tree's goldens in the same way as the merge driver
/// (golden/merge.h). If one side removed a record and the other side rewrote it, keeps the record
/// if the list `here` has the revision; `here` is null if the list is unreadable. Does not change
/// the index. A dry run changes nothing.
base::Result<RepairedGoldens> RepairGoldens(const Workspace& workspace,
                                            const list::ListConfig& list,
                                            const list::RevisionList* here, bool dry_run);

/// Restores goldens of landed revisions that are missing from the work tree, for example after a
/// revert. Takes them from the merge base with the target. `here` is the repaired list. Returns the
/// restored files.
base::Result<std::vector<FileChange>> RestoreLandedGoldens(const Workspace& workspace,
                                                           const list::ListConfig& list,
                                                           const list::RevisionList& here,
                                                           bool dry_run);

}  // namespace revctl::commands
