#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "revctl/base/listener.h"
#include "revctl/base/result.h"
#include "revctl/list/reading/list_config.h"
#include "revctl/workspace/workspace.h"

namespace revctl::commands {

struct RenumberRequest {
  /// Revisions to move after the branch's other pending revisions; may be empty.
  std::vector<std::string> names = {};
  bool dry_run = false;  ///< if true, change neither the ledger nor the list
  /// If true, use the last fetch and do not contact the server; valid only with `dry_run`.
  bool offline = false;
};

struct NumberMove {
  std::string name;
  std::int64_t from = 0, to = 0;  ///< equal if the ledger only has to confirm the number
  bool changes_ledger = false;
  std::string holder;  ///< the other user who holds the reservation; "" if it is the current user
                       ///< or nobody
};

struct RenumberedList {
  std::vector<NumberMove> moves = {};
  std::string text = {};  ///< new text of the list; empty if the list does not change
  bool confirmed = true;  ///< false if the ledger could not be written and the config allows that
};

/// Moves the pending revisions of a list after everything that has landed, in the branch's order,
/// and confirms their numbers in the ledger. Repairs damaged landed entries first. A second run
/// changes nothing. Fails with Exit::Findings on a release branch, if one of `names` has landed, or
/// if the landed entries cannot be repaired. Reports repairs, problems with the ledger and stale
/// goldens to `listener`. The caller must hold Workspace::LockLists.
base::Result<RenumberedList> RenumberList(const Workspace& workspace,
                                          const list::ListConfig& config,
                                          const RenumberRequest& request,
                                          const base::Listener& listener);

/// Returns a line for each move: "SR_BOSS 667 -> 669" or "SR_BOSS = 667 confirmed". If more than
/// four revisions move by the same distance, returns lines for the first three and a summary such
/// as "and 37 more shifted by +2, up to SR_LAST = 709".
std::vector<std::string> MoveLines(const RenumberedList& renumbered);

}  // namespace revctl::commands
