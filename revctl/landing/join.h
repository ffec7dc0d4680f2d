#pragma once
#include "revctl/landing/landing.h"

namespace revctl::commands {

/// Puts the branch onto the target, or the target into the branch, as the policy says. Where a
/// person has to mend a conflict git stays stopped, and this is Exit::Findings.
base::Result<base::Done> JoinTarget(Landing& landing);

/// Goes on where JoinTarget stopped, once the conflicts are mended.
base::Result<base::Done> ContinueJoin(Landing& landing);

/// Takes the branch back to where the landing began.
base::Result<base::Done> AbortLanding(git::Repository& repository, Session& session);

/// Puts the work tree back to the branch's last commit, where a landing was killed while it, or the
/// git that it ran, wrote there. What lay there goes into `git stash` first. `places`: the lists
/// and golden folders, which are all that a landing writes itself.
base::Result<base::Done> RecoverKilled(const git::Repository& repository, Session& session,
                                       const LandState& state,
                                       const std::vector<std::string>& places);

}  // namespace revctl::commands
