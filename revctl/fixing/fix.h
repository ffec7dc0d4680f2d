#pragma once
#include <optional>
#include <string>
#include <vector>

#include "revctl/base/listener.h"
#include "revctl/findings/finding.h"
#include "revctl/fixing/change_set.h"
#include "revctl/numbering/renumber_list.h"

namespace revctl::commands {

struct FixRequest {
  std::vector<const list::ListConfig*> lists = {};
  /// Revisions to move after the branch's other pending revisions. May be empty.
  std::vector<std::string> last = {};
  std::string only_list = {};  ///< the only list to check afterwards; all lists if empty
};

struct ListMoves {
  std::string list;  ///< name of the list
  std::vector<NumberMove> moves;
};

struct FixReport {
  std::vector<std::string> done = {};      ///< one line for each repair
  std::vector<ListMoves> renumbered = {};  ///< the changed numbers, also described in `done`
  /// Paths of resolved conflicts, which the user must pass to `git add`.
  std::vector<std::string> to_add = {};
  std::vector<findings::Finding> left =
      {};                          ///< errors that need a person; a dry run finds only conflicts
  std::string compared_with = {};  ///< "origin/main at 3f2c1d0abc"; empty if the target is unknown
  /// The error that ended the run early, after the repairs in `done`; nullopt if the run finished.
  std::optional<base::Error> stopped = std::nullopt;
};

/// Makes every repair that `check` suggests and that needs no decision by the user, then checks the
/// result. Records the changed files in `changes`. Contacts the server only to assign numbers to
/// pending revisions. A second run changes nothing. The caller must hold Workspace::LockLists.
FixReport FixLists(ChangeSet& changes, const FixRequest& request, const base::Listener& listener);

}  // namespace revctl::commands
