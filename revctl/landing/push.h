#pragma once
#include "revctl/landing/landing.h"

namespace revctl::commands {

enum class Pushed {
  Landed,
  Prepared,  ///< the pull request's branch is pushed, and the host merges
  Lost,      ///< another change landed first
};

/// Pushes HEAD to where the policy says; `merge` policies land a merge whose first parent is the
/// target's tip, so that the target's own history is one commit for each landing.
base::Result<Pushed> PushLanding(Landing& landing);

/// The branch at the remote that the pull request is of: where the branch in the work tree is
/// pushed to.
struct RemoteBranch {
  std::string remote, name;
};
base::Result<RemoteBranch> PullRequestBranch(const Landing& landing);

/// Puts the branch at what has landed, which holds the same files.
base::Result<base::Done> FollowTarget(Landing& landing, const git::Oid& landed);

}  // namespace revctl::commands
