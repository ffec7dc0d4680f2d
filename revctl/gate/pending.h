#pragma once
#include <string>

#include "revctl/gate/list_gate.h"

namespace revctl::commands {

/// RV029 and RV030 for lists with `numbers: at-landing`. Compares the trees before and after,
/// regardless of how commits are shaped. `merged` is the merged list without pending files, `files`
/// are the merged pending files, and `clashes` names the files that both sides wrote.
base::Result<base::Done> CheckPending(ListGate& gate, const list::RevisionList& merged,
                                      const std::vector<pending::PendingText>& files,
                                      const std::vector<std::string>& clashes);

/// RV029 for a change that switches to numbers at landing: the list must include the include file
/// in the right place, and the include file must not be in git.
base::Result<base::Done> CheckTurnToLanding(ListGate& gate, const list::RevisionList& list);

/// RV018: a release has no pending files.
base::Result<base::Done> CheckPendingOnRelease(ListGate& gate);

}  // namespace revctl::commands
