#pragma once
#include <string>
#include <vector>

#include "revctl/findings/finding.h"
#include "revctl/list/merging/merge.h"
#include "revctl/repair/merge_context.h"
#include "revctl/workspace/workspace.h"

namespace revctl::commands {

struct RepairedList {
  list::MergeOutput merged;
  bool unmerged = false;  ///< true if the index has a conflict in the list
  /// Problems with landed revisions that could not be repaired.
  std::vector<findings::Finding> left;
};

/// Repairs one list in the work tree. Gathers and owns the data that the repairs need. Writes no
/// files. The Workspace must outlive this object.
class ListRepair {
 public:
  static base::Result<ListRepair> Of(const Workspace& workspace, const list::ListConfig& list);

  /// True if Repair() would change `text`, apart from comments. False for an unreadable list
  /// without conflict markers.
  base::Result<bool> IsNeeded(const std::string& text) const;
  /// Merges conflict markers in `text`, and restores the numbers, names and positions of landed
  /// revisions, including revisions that were dropped. Does not add revisions that the branch does
  /// not have yet. Fails if neither the text nor the landed list is readable. The caller must
  /// confirm the numbers of pending revisions afterwards.
  base::Result<RepairedList> Repair(const std::string& text) const;
  /// Returns `text` with the numbers in comments corrected to those of their entries (RV010).
  /// Returns an unreadable text unchanged.
  std::string WithRightComments(const std::string& text) const;
  /// True if a landed revision is renumbered, renamed, missing or out of order in `text`. False for
  /// an unreadable list, because parsing it already reports the error.
  bool LandedIsBroken(const std::string& text) const;

 private:
  ListRepair(const Workspace& workspace, const list::ListConfig& list)
      : workspace_(&workspace), list_(&list) {}
  /// Returns the findings about landed revisions in `text`, except for revisions that the branch
  /// does not contain yet.
  std::vector<findings::Finding> Broken(const std::string& text,
                                        const list::ListConfig& config) const;
  base::Result<base::Done> PutBack(const list::ListConfig& config, list::MergeOutput& merged) const;

  const Workspace* workspace_;
  const list::ListConfig* list_;
  MergeScene scene_;
  std::vector<std::string> bases_;  ///< texts of the lists that the branch got its landed
                                    ///< revisions from
};

/// True if two different entries in `text` have the same name. A person must then rename one of
/// them before anything else can be repaired. False for an unreadable list.
bool HasNameClash(const list::ListConfig& list, const std::string& text);

}  // namespace revctl::commands
