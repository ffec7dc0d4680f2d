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
  std::vector<std::string> names = {};  ///< moved after the branch's other pending revisions
  bool dry_run = false;                 ///< decide only; change neither ledger nor list
  bool offline = false;  ///< decide on the basis of the last fetch; only with `dry_run`
};

struct NumberMove {
  std::string name;
  std::int64_t from = 0, to = 0;  ///< equal if the ledger only confirms the number
  bool changes_ledger = false;
  std::string holder;  ///< the other user who holds the reservation, or ""
};

struct RenumberedList {
  std::vector<NumberMove> moves = {};
  std::string text = {};  ///< the new list; empty if it stays as it is
  bool confirmed = true;  ///< false if the ledger could not be reached and the config allows that
};

/// Moves the pending revisions of a list after everything that has landed, keeping the branch's
/// order, and confirms their numbers in the ledger. Repairs damaged landed entries first. Running
/// it again changes nothing. Fails with Exit::Findings on a release branch, for a name that has
/// landed, or if the landed entries cannot be repaired. Reports repairs, doubts about the ledger
/// and stale goldens to `listener`. The caller must hold Workspace::LockLists.
base::Result<RenumberedList> RenumberList(const Workspace& workspace,
                                          const list::ListConfig& config,
                                          const RenumberRequest& request,
                                          const base::Listener& listener);

/// Returns one line per move: "SR_BOSS 667 -> 669" or "SR_BOSS = 667 confirmed". Of more than four
/// that move by one distance, the first three: "and 37 more by +2, up to SR_LAST = 709".
std::vector<std::string> MoveLines(const RenumberedList& renumbered);

}  // namespace revctl::commands
