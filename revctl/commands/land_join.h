#pragma once
#include "revctl/commands/land.h"

namespace revctl::commands {

/// Puts the branch onto the target, or the target into the branch, as the policy says. Where a
/// person has to mend a conflict git stays stopped, and this is Exit::Findings.
findings::Result<findings::Done> JoinTarget(Landing& landing);

/// Goes on where JoinTarget stopped, once the conflicts are mended.
findings::Result<findings::Done> ContinueJoin(Landing& landing);

/// Takes the branch back to where the landing began.
findings::Result<findings::Done> AbortLanding(git::Repository& repository, Session& session);

/// Puts the work tree back to the branch's last commit, where a landing was killed while it, or the
/// git that it ran, wrote there. What lay there goes into `git stash` first. `places`: the lists
/// and golden folders, which are all that a landing writes itself.
findings::Result<findings::Done> RecoverKilled(const git::Repository& repository, Session& session,
                                               const LandState& state,
                                               const std::vector<std::string>& places);

}  // namespace revctl::commands
