#pragma once
#include <string>
#include <vector>

#include "revctl/workspace/workspace.h"

namespace revctl::commands {

/// Returns Markdown for a comment on a pull request: a table of the revisions that this work tree
/// adds to the target, with their numbers, and a line for each layout that they change, as recorded
/// in the golden folders. Leaves out lists and records that cannot be read, because the gate and
/// the harness report them.
base::Result<std::string> RevisionTable(const Workspace& workspace,
                                        const std::vector<const list::ListConfig*>& lists,
                                        const ledger::Snapshot& snapshot);

}  // namespace revctl::commands
