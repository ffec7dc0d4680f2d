#pragma once
#include <string>
#include <vector>

#include "revctl/findings/finding.h"
#include "revctl/list/merging/merge.h"
#include "revctl/workspace/workspace.h"

namespace revctl::commands {

struct RepairedList {
  list::MergeOutput merged;
  bool unmerged = false;                ///< the index has a conflict in it
  std::vector<findings::Finding> left;  ///< problems with landed revisions that remain
};

/// Repairs the list in `text`, the work tree's version: merges conflict markers and restores
/// numbers, names and positions of landed revisions, including dropped ones. Revisions that the
/// branch does not have yet are not added. Writes nothing. Fails if neither the text nor the landed
/// list is readable. The caller confirms the numbers of pending revisions afterwards.
base::Result<RepairedList> RepairList(const Workspace& workspace, const list::ListConfig& list,
                                      const std::string& text);

/// Returns `text` with the numbers that its comments keep equal to those of their entries. Returns
/// an unreadable text unchanged.
base::Result<std::string> RepairComments(const Workspace& workspace, const list::ListConfig& list,
                                         const std::string& text);

/// True if two different entries of `text` have one name, so that a person must rename one before
/// anything else can be repaired. False for an unreadable list.
bool HasNameClash(const list::ListConfig& list, const std::string& text);

/// True if RepairList has something to repair in `text`, apart from comments. False for an
/// unreadable list without conflict markers.
base::Result<bool> NeedsRepair(const Workspace& workspace, const list::ListConfig& list,
                               const std::string& text);

/// True if a landed revision is renumbered, renamed, dropped or out of order in `text`. False for
/// an unreadable list, whose reader reports the error.
base::Result<bool> LandedIsBroken(const Workspace& workspace, const list::ListConfig& list,
                                  const std::string& text);

}  // namespace revctl::commands
