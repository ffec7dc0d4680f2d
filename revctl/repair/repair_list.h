#pragma once
#include <string>
#include <vector>

#include "revctl/findings/finding.h"
#include "revctl/list/merging/merge.h"
#include "revctl/workspace/workspace.h"

namespace revctl::commands {

struct RepairedList {
  list::MergeOutput merged;
  bool unmerged = false;  ///< the index has a conflict in the list
  /// Problems with landed revisions that could not be repaired.
  std::vector<findings::Finding> left;
};

/// Repairs `text`, the work tree's version of the list: merges conflict markers, and restores
/// numbers, names and positions of landed revisions, including dropped ones. Does not add revisions
/// that the branch does not have yet. Writes nothing. Fails if neither the text nor the landed list
/// is readable. Afterwards the caller has to confirm the numbers of pending revisions.
base::Result<RepairedList> RepairList(const Workspace& workspace, const list::ListConfig& list,
                                      const std::string& text);

/// Returns `text` with the numbers in comments corrected to those of their entries. Returns an
/// unreadable text unchanged.
base::Result<std::string> RepairComments(const Workspace& workspace, const list::ListConfig& list,
                                         const std::string& text);

/// True if two different entries of `text` have the same name, so that a person must rename one of
/// them before anything else can be repaired. False for an unreadable list.
bool HasNameClash(const list::ListConfig& list, const std::string& text);

/// True if RepairList has something to repair in `text`, apart from comments. False for an
/// unreadable list without conflict markers.
base::Result<bool> NeedsRepair(const Workspace& workspace, const list::ListConfig& list,
                               const std::string& text);

/// True if a landed revision is renumbered, renamed, dropped or out of order in `text`. False for
/// an unreadable list, because its reader reports the error.
base::Result<bool> LandedIsBroken(const Workspace& workspace, const list::ListConfig& list,
                                  const std::string& text);

}  // namespace revctl::commands
