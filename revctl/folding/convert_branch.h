#pragma once
#include "revctl/session/session.h"
#include "revctl/workspace/workspace.h"

namespace revctl::commands {

/// Brings this branch's own revisions into the form that its `.revctl.yaml` asks for: entries of
/// the list that have not landed become pending files, in their order; or pending files that the
/// target does not have become reserved entries. Prints what it did. Killed anywhere, it can be run
/// again.
base::Result<base::Done> Adopt(const Workspace& workspace, const list::ListConfig& list,
                               Session& session);

}  // namespace revctl::commands
