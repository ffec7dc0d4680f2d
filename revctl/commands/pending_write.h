#pragma once
#include <string>

#include "revctl/commands/workspace.h"
#include "revctl/pending/pending_file.h"

namespace revctl::commands {

/// Writes a pending file, its folder, and the file that keeps the folder in git. An Error where the
/// folder is a link or leads out of the repository.
base::Result<base::Done> WritePending(const Workspace& workspace, const list::ListConfig& list,
                                      const std::string& name,
                                      const pending::PendingRevision& revision);

/// The folder alone, with what keeps it in git.
base::Result<base::Done> MakePendingFolder(const Workspace& workspace,
                                           const list::ListConfig& list);

}  // namespace revctl::commands
