#pragma once
#include "revctl/landing/landing.h"

namespace revctl::commands {

/// Rebases the branch onto the target or merges the target, as configured. On a conflict, leaves
/// git stopped for the user and fails with Exit::Findings.
base::Result<base::Done> JoinTarget(Landing& landing);

/// Continues after the user has resolved the conflicts of JoinTarget.
base::Result<base::Done> ContinueJoin(Landing& landing);

/// Resets the branch to where the landing began. Returns a sentence that says so.
base::Result<std::string> AbortLanding(const git::Repository& repository);

/// Resets the work tree to the branch's last commit after a landing was killed while it or its git
/// process was writing. Saves the changed files with `git stash` first. `places` are the lists and
/// golden folders, the only files that a landing writes itself.
base::Result<base::Done> RecoverKilled(const git::Repository& repository,
                                       const base::Listener& listener, const LandState& state,
                                       const std::vector<std::string>& places);

}  // namespace revctl::commands
