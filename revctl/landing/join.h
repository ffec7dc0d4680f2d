#pragma once
#include "revctl/landing/landing.h"

namespace revctl::commands {

/// Rebases the branch onto the target or merges the target, as configured. On a conflict, leaves
/// git's operation in progress for the user and fails with Exit::Findings.
base::Result<base::Done> JoinTarget(Landing& landing);

/// Continues the rebase or merge after the user has resolved the conflicts of JoinTarget.
base::Result<base::Done> ContinueJoin(Landing& landing);

/// Resets the branch to its tip before the landing. Returns a sentence that tells the user about
/// the reset.
base::Result<std::string> AbortLanding(const git::Repository& repository);

/// Cleans up after revctl or git was killed while a landing was writing files: saves the changed
/// files with `git stash`, then resets the work tree to the branch's last commit. `places` lists
/// the version lists and golden folders, the only paths that a landing itself writes.
base::Result<base::Done> RecoverKilled(const git::Repository& repository,
                                       const base::Listener& listener, const LandState& state,
                                       const std::vector<std::string>& places);

}  // namespace revctl::commands
