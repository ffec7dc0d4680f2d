#pragma once
#include <vector>

#include "revctl/session/session.h"
#include "revctl/workspace/workspace.h"

namespace revctl::commands {

/// Lets a list give its numbers at landing: the lines that include pending revisions, their folder,
/// what git ignores, and `.revctl.yaml` last, so that a run that was killed is begun again.
/// `floor`: the ledger's high-water mark. Gives what was done, a line each.
base::Result<std::vector<std::string>> ToAtLanding(const Workspace& workspace,
                                                   const list::ListConfig& list,
                                                   std::optional<std::int64_t> floor);

/// Makes a list give its numbers at reserve: removes the include lines and the folder of pending
/// files. Exit::Findings if a revision is still pending. Returns one line per change.
base::Result<std::vector<std::string>> ToAtReserve(const Workspace& workspace,
                                                   const list::ListConfig& list);

/// Brings this branch's own revisions into the form that its `.revctl.yaml` asks for: entries of
/// the list that have not landed become pending files, in their order; or pending files that the
/// target does not have become reserved entries. Prints what it did. Killed anywhere, it can be run
/// again.
base::Result<base::Done> Adopt(const Workspace& workspace, const list::ListConfig& list,
                               Session& session);

}  // namespace revctl::commands
