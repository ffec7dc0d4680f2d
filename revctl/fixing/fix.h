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
  std::vector<std::string> last = {};  ///< moved after the branch's other pending revisions
  std::string only_list = {};          ///< check this list alone afterwards; empty: all
};

struct ListMoves {
  std::string list;  ///< its name
  std::vector<NumberMove> moves;
};

struct FixReport {
  std::vector<std::string> done = {};      ///< one line for each repair
  std::vector<ListMoves> renumbered = {};  ///< the number changes among them
  std::vector<std::string> to_add = {};    ///< paths of resolved conflicts, for `git add`
  std::vector<findings::Finding> left =
      {};                          ///< for a person; empty in a dry run that has no conflict
  std::string compared_with = {};  ///< "origin/main at 3f2c1d0abc"; empty if unknown
  /// Why the run ended early. The repairs in `done` were made before.
  std::optional<base::Error> stopped = std::nullopt;
};

/// Repairs everything in the lists that `check` reports and a program can repair, and checks the
/// result. The files that change are in `changes`. Only numbers of pending revisions need the
/// server. Running it again changes nothing. The caller must hold Workspace::LockLists.
FixReport FixLists(ChangeSet& changes, const FixRequest& request, const base::Listener& listener);

}  // namespace revctl::commands
