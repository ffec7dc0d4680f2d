#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "revctl/findings/finding.h"
#include "revctl/landing/landing.h"

// The steps of a landing, grouped by source file. RunLand() and Try() in commands/land.cpp define
// the order in which they run.
namespace revctl::commands {

// ---- begin.cpp

/// Cleans up after a killed landing, except in a dry run. Then checks that the branch can land: no
/// other git operation is in progress, and everything is committed.
base::Result<LandState> BeginLanding(const Workspace& workspace, const base::Listener& listener,
                                     bool dry_run);

/// Returns the saved state of a landing that stopped at a conflict. Fails if no landing stopped.
base::Result<LandState> ContinueLanding(const Workspace& workspace);

// ---- join.cpp

/// Rebases the branch onto the target or merges the target, as configured. On a conflict, leaves
/// git's operation in progress for the user and fails with Exit::Findings.
base::Result<base::Done> JoinTarget(Landing& landing);

/// Continues the rebase or merge after the user has resolved the conflicts of JoinTarget.
base::Result<base::Done> ContinueJoin(Landing& landing);

/// Resets the branch to its tip before the landing. Returns a sentence that tells the user about
/// the reset.
base::Result<std::string> AbortLanding(const git::Repository& repository);

// ---- steps.cpp. Each step commits its changes, so the work tree matches HEAD before and after
// every step.

/// Makes the repairs that need no user: renumbers revisions, and regenerates stale goldens with the
/// `goldens:` command. Then runs the gate on HEAD and returns the remaining findings, or nullopt if
/// the target has moved in the meantime.
base::Result<std::optional<std::vector<findings::Finding>>> CheckLanding(Landing& landing);
/// Returns the findings that need a person's decision. Must be called before the join, because a
/// rebase drops commits that only add a line that the target already has. Returns no findings if
/// the gate cannot check the list yet.
base::Result<std::vector<findings::Finding>> FindQuestions(const Landing& landing);
/// Runs the gate on the fold at HEAD, compared with its parent commit.
base::Result<std::vector<findings::Finding>> CheckFold(const Landing& landing);
/// Returns `at_head`, plus a finding if the server would reject an earlier commit of the branch
/// (CheckIntermediateCommits). Skips that check if the landing makes new commits of the branch's.
base::Result<std::vector<findings::Finding>> CheckOwnCommits(
    const Landing& landing, std::vector<findings::Finding> at_head);

/// Runs the `verify:` command unless this tree has passed it already. Fails with Exit::Findings if
/// the command fails.
base::Result<base::Done> Verify(Landing& landing);

/// A revision that the landing adds to the target.
struct LandedRevision {
  std::string list, name;
  std::int64_t number = 0;
  bool was_pending = false;  ///< true if it was already waiting for a fold on the target
};
/// Returns the revisions in the lists of `commit` that were missing from the target's lists when
/// the target was fetched.
base::Result<std::vector<LandedRevision>> NewRevisions(const Landing& landing,
                                                       const git::Oid& commit);

/// Returns the steps of the landing, one per line, such as "rebase boss onto origin/main at
/// 3f2c1d0abc". Changes nothing.
base::Result<std::vector<std::string>> PlanLanding(const Landing& landing);

// ---- fold_branch.cpp

/// Adds a commit to the branch that folds all pending revisions, both the branch's own and those
/// waiting on the target. Regenerates stale goldens with the target's `goldens` command. If some of
/// the branch's revisions cannot be folded, returns findings about them and leaves the branch
/// unchanged. Does nothing unless the landing pushes to the target and a list has `numbers:
/// at-landing`.
base::Result<std::vector<findings::Finding>> FoldBranch(Landing& landing);

/// Removes the fold commit from the branch if there is one. Called after a lost race or a failure,
/// because the numbers are valid only on top of the target's tip on which the fold is based.
base::Result<base::Done> TakeBackFold(Landing& landing);

/// Returns the numbers that FoldBranch would assign on top of the fetched tip of the target, such
/// as "SR_BOSS = 667, SR_ANT = 668". Returns "" if no revision waits for a fold.
base::Result<std::string> NumbersOfFold(const Landing& landing);

/// Returns the names of the revisions that are waiting for a fold on the target, as of the last
/// fetch.
base::Result<std::vector<std::string>> PendingOnTarget(const Landing& landing,
                                                       const list::ListConfig& list);

// ---- push.cpp

enum class Pushed {
  Landed,
  Prepared,  ///< the pull request's branch was pushed, and the host will merge it
  Lost,      ///< another change landed first, so the caller must try again
};

/// Pushes HEAD as configured. With `by: merge`, pushes a merge commit whose first parent is the
/// target's tip, so that the target's first-parent history has one commit per landing.
base::Result<Pushed> PushLanding(Landing& landing);

/// The remote branch of a pull request, to which the landing pushes the work tree's branch.
struct RemoteBranch {
  std::string remote, name;
};
base::Result<RemoteBranch> PullRequestBranch(const Landing& landing);

/// Moves the branch forward to the landed commit, unless that would lose commits.
base::Result<base::Done> FollowTarget(Landing& landing, const git::Oid& landed);

}  // namespace revctl::commands
