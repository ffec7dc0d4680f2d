#pragma once
#include "revctl/landing/landing.h"

namespace revctl::commands {

enum class Pushed {
  Landed,
  Prepared,  ///< the branch of the pull request was pushed; the host will merge it
  Lost,      ///< another change landed first; the caller tries again
};

/// Pushes HEAD as configured. With `by: merge`, pushes a merge commit with the target's tip as its
/// first parent, so that the first-parent history of the target has one commit per landing.
base::Result<Pushed> PushLanding(Landing& landing);

/// The remote branch of a pull request. The landing pushes the work tree's branch to it.
struct RemoteBranch {
  std::string remote, name;
};
base::Result<RemoteBranch> PullRequestBranch(const Landing& landing);

/// Moves the branch forward to the landed commit, unless this would lose commits.
base::Result<base::Done> FollowTarget(Landing& landing, const git::Oid& landed);

}  // namespace revctl::commands
