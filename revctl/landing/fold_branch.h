#pragma once
#include <string>
#include <vector>

#include "revctl/findings/finding.h"
#include "revctl/landing/landing.h"

namespace revctl::commands {

/// True if the landing gives numbers to pending revisions: it pushes to the target, and a list has
/// `numbers: at-landing`.
bool FoldsPending(const Landing& landing);

/// Adds a commit to the branch that folds all pending revisions: its own, and those that already
/// wait on the target. Stale goldens are recorded again with the target's `goldens` command.
/// Returns findings about revisions of the branch that cannot be folded; then the branch stays.
base::Result<std::vector<findings::Finding>> FoldBranch(Landing& landing);

/// Moves the branch back to the commit below its fold, if there is one. The numbers of a fold are
/// final only on the target's tip for which they were made.
base::Result<base::Done> TakeBackFold(Landing& landing);

/// Returns the numbers that FoldBranch would give if the target did not move: "SR_BOSS = 667,
/// SR_ANT = 668"; "" if there are none.
base::Result<std::string> NumbersOfFold(const Landing& landing);

/// Returns the names that wait for a fold on the target as it was fetched.
base::Result<std::vector<std::string>> PendingOnTarget(const Landing& landing,
                                                       const list::ListConfig& list);

}  // namespace revctl::commands
