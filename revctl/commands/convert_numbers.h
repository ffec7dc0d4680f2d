#pragma once
#include <vector>

#include "revctl/commands/session.h"
#include "revctl/commands/workspace.h"

namespace revctl::commands {

/// Lets a list give its numbers at landing: the lines that include pending revisions, their folder,
/// what git ignores, and `.revctl.yaml` last, so that a run that was killed is begun again.
/// `floor`: the ledger's high-water mark. Gives what was done, a line each.
base::Result<std::vector<std::string>> ToAtLanding(const Workspace& workspace,
                                                   const list::ListConfig& list,
                                                   std::optional<std::int64_t> floor);

}  // namespace revctl::commands
