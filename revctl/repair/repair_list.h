#pragma once
#include <string>
#include <vector>

#include "revctl/findings/finding.h"
#include "revctl/list/merging/merge.h"
#include "revctl/workspace/workspace.h"

namespace revctl::commands {

/// Whether messages about provisional numbers ask the user to confirm them.
enum class Provisional {
  Reported,
  ConfirmedNext,  ///< the caller is about to confirm them
};

struct RepairedList {
  list::MergeOutput merged;
  bool unmerged = false;                ///< the index has a conflict in it
  std::vector<findings::Finding> left;  ///< problems with landed revisions that remain
};

/// Repairs the list in `text`, the work tree's version: merges conflict markers and restores
/// numbers, names and positions of landed revisions, including dropped ones. Revisions that the
/// branch does not have yet are not added. Writes nothing. Fails if neither the text nor the landed
/// list is readable.
base::Result<RepairedList> RepairList(const Workspace& workspace, const list::ListConfig& list,
                                      const std::string& text, Provisional provisional);

/// True if RepairList has something to repair in `text`. False for an unreadable list without
/// conflict markers.
base::Result<bool> NeedsRepair(const Workspace& workspace, const list::ListConfig& list,
                               const std::string& text);

/// True if a landed revision is renumbered, renamed, dropped or out of order in `text`. False for
/// an unreadable list, whose reader reports the error.
base::Result<bool> LandedIsBroken(const Workspace& workspace, const list::ListConfig& list,
                                  const std::string& text);

}  // namespace revctl::commands
