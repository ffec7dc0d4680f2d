#pragma once
#include <string>
#include <vector>

#include "revctl/base/listener.h"
#include "revctl/fixing/change_set.h"
#include "revctl/ledger/ledger.h"

namespace revctl::commands {

/// Brings the pending revisions of a list with `numbers: at-landing` into the form that the config
/// asks for: entries that have not landed become pending files in the same order, the list includes
/// the include file, files of the target that are missing come back, and files that came back after
/// their fold go. Adds a line to `done` for each repair. An interrupted run can be repeated.
base::Result<base::Done> FixPendingFiles(ChangeSet& changes, const list::ListConfig& list,
                                         const ledger::Snapshot& snapshot,
                                         std::vector<std::string>& done);

/// Reserves numbers for the pending files of a list with `numbers: at-reserve`, which the way back
/// from `at-landing` leaves behind, and removes the files. A dry run only names them.
base::Result<base::Done> ReservePendingFiles(ChangeSet& changes, const list::ListConfig& list,
                                             std::vector<std::string>& done,
                                             const base::Listener& listener);

}  // namespace revctl::commands
