#pragma once
#include <string>
#include <vector>

#include "revctl/findings/finding.h"
#include "revctl/landing/landing.h"

namespace revctl::commands {

/// True if the landing assigns numbers to pending revisions. It does so if it pushes to the target
/// and a list has `numbers: at-landing`.
bool FoldsPending(const Landing& landing);

/// Adds a commit to the branch that folds all pending revisions: the branch's own, and those that
/// already wait on the target. Records stale goldens again with the target's `goldens` command. If
/// revisions of the branch cannot be folded, returns findings about them and leaves the branch
/// unchanged.
base::Result<std::vector<findings::Finding>> FoldBranch(Landing& landing);

/// If the branch has a fold, moves the branch back to the commit before it. Called after a lost
/// race or a failure, because the numbers in a fold are valid only on top of the target's tip that
/// the fold was made for.
base::Result<base::Done> TakeBackFold(Landing& landing);

/// Returns the numbers that FoldBranch would assign on top of the fetched tip of the target, as
/// "SR_BOSS = 667, SR_ANT = 668". Returns "" if there are none.
base::Result<std::string> NumbersOfFold(const Landing& landing);

/// Returns the names of the revisions that wait for a fold on the target, as of the last fetch.
base::Result<std::vector<std::string>> PendingOnTarget(const Landing& landing,
                                                       const list::ListConfig& list);

}  // namespace revctl::commands
