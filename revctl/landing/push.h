#pragma once
#include "revctl/landing/landing.h"

namespace revctl::commands {

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
