#pragma once
#include <string>
#include <vector>

#include "revctl/findings/finding.h"
#include "revctl/landing/landing.h"

namespace revctl::commands {

/// True if the landing assigns numbers to pending revisions: it pushes to the target, and a list
/// has `numbers: at-landing`.
bool FoldsPending(const Landing& landing);

/// Adds a commit to the branch that folds all pending revisions, both the branch's own and those
/// waiting on the target. Regenerates stale goldens with the target's `goldens` command. If some of
/// the branch's revisions cannot be folded, returns findings about them and leaves the branch
/// unchanged.
base::Result<std::vector<findings::Finding>> FoldBranch(Landing& landing);

/// Removes the fold commit from the branch if there is one. Called after a lost race or a failure,
/// because the numbers are valid only on top of the target's tip on which the fold is based.
base::Result<base::Done> TakeBackFold(Landing& landing);

/// Returns the numbers that FoldBranch would assign on top of the fetched tip of the target, such
/// as "SR_BOSS = 667, SR_ANT = 668". Returns "" if there are none.
base::Result<std::string> NumbersOfFold(const Landing& landing);

/// Returns the names of the revisions that are waiting for a fold on the target, as of the last
/// fetch.
base::Result<std::vector<std::string>> PendingOnTarget(const Landing& landing,
                                                       const list::ListConfig& list);

}  // namespace revctl::commands
