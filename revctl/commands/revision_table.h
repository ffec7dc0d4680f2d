#pragma once
#include <string>
#include <vector>

#include "revctl/workspace/workspace.h"

namespace revctl::commands {

/// Returns Markdown for a pull request comment: a table of the revisions and numbers that this work
/// tree adds to the target, and a line for each layout that these revisions change according to the
/// golden folders. Omits unreadable lists and records, because the gate and the harness report
/// them.
base::Result<std::string> RevisionTable(const Workspace& workspace,
                                        const std::vector<const list::ListConfig*>& lists,
                                        const ledger::Snapshot& snapshot);

}  // namespace revctl::commands
