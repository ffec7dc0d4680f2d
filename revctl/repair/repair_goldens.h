#pragma once
#include <optional>
#include <string>
#include <vector>

#include "revctl/workspace/workspace.h"

namespace revctl::commands {

/// A file that a repair writes or, in a dry run, would write. `before` and `after` are the contents
/// before and after the repair, or nullopt if the file does not exist then.
struct FileChange {
  std::string path;  ///< relative to the repository's root
  std::optional<std::string> before, after;
};

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
