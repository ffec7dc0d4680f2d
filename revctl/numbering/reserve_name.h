#pragma once
#include <cstdint>
#include <string>

#include "revctl/base/listener.h"
#include "revctl/base/result.h"
#include "revctl/git/repository.h"
#include "revctl/list/reading/list_config.h"
#include "revctl/list/reading/revision_list.h"
#include "revctl/workspace/workspace.h"

namespace revctl::commands {

struct ReserveRequest {
  std::string name;        ///< must have passed CheckRevisionName
  std::string message;     ///< text of the entry's comment
  bool take_over = false;  ///< if true, take over a name that another user holds
  bool offline = false;    ///< if true, assign a provisional number without the server
  bool dry_run = false;
};

struct ReservedName {
  std::int64_t number = 0;
  bool provisional = false;  ///< true if the reservation is not in the team's ledger yet
};

/// Fails with Exit::Usage if `name` cannot be a new revision of the list: it is not an identifier,
/// lacks the list's prefix, or is already the name of the list's sentinel or of an alias.
base::Result<base::Done> CheckRevisionName(const Workspace& workspace,
                                           const list::ListConfig& config, const std::string& name);

/// Reserves a number in the ledger and adds the entry to the list, for lists with numbers at
/// reserve. Returns the existing number if the user has already reserved the name. Fails with
/// Exit::Findings if the name has landed or another user holds it. The caller must hold
/// Workspace::LockLists.
base::Result<ReservedName> ReserveName(const Workspace& workspace, const list::ListConfig& config,
                                       const ReserveRequest& request,
                                       const base::Listener& listener);

/// Returns `message` as the comment for a new entry. Adds the initials of `who` if most comments in
/// the list begin with initials.
std::string EntryComment(const std::string& message, const git::Person& who,
                         const list::RevisionList& list);

}  // namespace revctl::commands
