#pragma once
#include "revctl/commands/list_gate.h"

namespace revctl::commands {

/// RV029, RV030, for lists with `numbers: at-landing`: what the tree is before and after decides,
/// never the form of a commit. `merged` is the list that the merge gives, without its pending
/// files. `files` are the pending files that it gives; `clashes` those that both sides wrote.
base::Result<base::Done> JudgePending(ListGate& gate, const list::RevisionList& merged,
                                      const std::vector<pending::PendingText>& files,
                                      const std::vector<std::string>& clashes);

/// RV018: a release has no pending files.
void JudgePendingOnRelease(ListGate& gate);

}  // namespace revctl::commands
