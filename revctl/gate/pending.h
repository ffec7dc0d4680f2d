#pragma once
#include <string>

#include "revctl/gate/list_gate.h"

namespace revctl::commands {

/// RV029, RV030, for lists with `numbers: at-landing`: what the tree is before and after decides,
/// never the form of a commit. `merged` is the list that the merge gives, without its pending
/// files. `files` are the pending files that it gives; `clashes` those that both sides wrote.
base::Result<base::Done> CheckPending(ListGate& gate, const list::RevisionList& merged,
                                      const std::vector<pending::PendingText>& files,
                                      const std::vector<std::string>& clashes);

/// RV029 for a change that begins with numbers at landing: the list includes its pending revisions
/// where they belong, and the file is not in git.
base::Result<base::Done> CheckTurnToLanding(ListGate& gate, const list::RevisionList& list);

/// RV018: a release has no pending files.
base::Result<base::Done> CheckPendingOnRelease(ListGate& gate);

}  // namespace revctl::commands
