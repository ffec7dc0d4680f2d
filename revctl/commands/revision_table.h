#pragma once
#include <string>
#include <vector>

#include "revctl/workspace/workspace.h"

namespace revctl::commands {

/// Returns a Markdown table of the revisions that this work tree adds to the target, with their
/// numbers, for a comment on a pull request. Lists that cannot be read are left out, because the
/// gate reports them.
base::Result<std::string> RevisionTable(const Workspace& workspace,
                                        const std::vector<const list::ListConfig*>& lists,
                                        const ledger::Snapshot& snapshot);

}  // namespace revctl::commands
