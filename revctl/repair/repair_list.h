#pragma once
#include <string>
#include <vector>

#include "revctl/findings/finding.h"
#include "revctl/list/merging/merge.h"
#include "revctl/workspace/workspace.h"

namespace revctl::commands {

/// A list of the work tree as the merge driver would have left it.
struct MendedList {
  list::MergeOutput merged;
  bool unmerged = false;                ///< the index holds a conflict of it
  std::vector<findings::Finding> left;  ///< what is wrong with landed revisions all the same
};

/// `text` is the list's, as it stands in the work tree. Conflict markers are merged, landed
/// revisions get their numbers, names and places back, also those that a merge or a hand has
/// dropped; being behind the target is no loss. Writes nothing. An Error where neither the text nor
/// what has landed can be read.
base::Result<MendedList> MendList(const Workspace& workspace, const list::ListConfig& list,
                                  const std::string& text);

/// Is a landed revision renumbered, renamed, dropped or out of order in `text`? A list that cannot
/// be read holds none: its reader says why.
base::Result<bool> LandedIsBroken(const Workspace& workspace, const list::ListConfig& list,
                                  const std::string& text);

}  // namespace revctl::commands
