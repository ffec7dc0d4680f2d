#pragma once
#include <string>

#include "revctl/pending/pending_file.h"
#include "revctl/workspace/workspace.h"

namespace revctl::commands {

/// Writes a pending file, its folder, and the file that keeps the folder in git. An Error where the
/// folder is a link or leads out of the repository. A new file begins with a comment that names
/// `by`: where two people reserve one name with the same words, their files conflict all the same.
/// A file that is there keeps its comment.
base::Result<base::Done> WritePending(const Workspace& workspace, const list::ListConfig& list,
                                      const std::string& name,
                                      const pending::PendingRevision& revision,
                                      const std::string& by = "");

/// The folder alone, with what keeps it in git.
base::Result<base::Done> MakePendingFolder(const Workspace& workspace,
                                           const list::ListConfig& list);

}  // namespace revctl::commands
