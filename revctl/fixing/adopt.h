#pragma once
#include <string>
#include <vector>

#include "revctl/base/listener.h"
#include "revctl/fixing/change_set.h"
#include "revctl/ledger/ledger.h"

namespace revctl::commands {

/// Puts the pending revisions of a list with `numbers: at-landing` into the required form: converts
/// entries that have not landed to pending files in the same order, adds the include lines to the
/// list, restores missing pending files of the target, and removes files that reappeared after
/// their fold. Adds a line to `done` for each repair. An interrupted run can be repeated.
base::Result<base::Done> FixPendingFiles(ChangeSet& changes, const list::ListConfig& list,
                                         const ledger::Snapshot& snapshot,
                                         std::vector<std::string>& done);

/// Reserves numbers for the pending files of a list that has switched back to `numbers:
/// at-reserve`, and removes the files. A dry run only reports these changes.
base::Result<base::Done> ReservePendingFiles(ChangeSet& changes, const list::ListConfig& list,
                                             std::vector<std::string>& done,
                                             const base::Listener& listener);

}  // namespace revctl::commands
