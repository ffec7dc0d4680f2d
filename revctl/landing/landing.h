#pragma once
#include <fmt/core.h>

#include <optional>
#include <string>

#include "revctl/landing/state.h"
#include "revctl/workspace/workspace.h"

namespace revctl::commands {

/// One landing: the branch in the work tree, and the target as the last fetch has it. The parts of
/// `land` pass it on.
struct Landing {
  Session& session;
  Workspace workspace;
  LandState state;
  ledger::Snapshot seen;      ///< with a target, once it was fetched
  config::LandPolicy policy;  ///< the target's; `by` may be the user's
  /// The branch before this run merged the target, while only numbers were committed since: a race
  /// that is lost merges anew from there, so that merges do not pile up.
  std::optional<git::Oid> unjoined = {};

  git::Repository& repository() const { return workspace.repository(); }
  const git::Oid& target() const { return *seen.target; }
  /// "origin/main at 3f2c1d0abc"
  std::string TargetText() const {
    return fmt::format("{} at {}", workspace.TargetLabel(), target().substr(0, 10));
  }
};

/// Saves the phase of the landing and the current HEAD, for a later --continue or recovery.
base::Result<base::Done> SaveLandState(Landing& landing, LandState::Phase phase);

/// Returns the commit that HEAD is at; Exit::Environment on a branch without a commit.
base::Result<git::Oid> HeadOf(const git::Repository& repository);

/// Returns the sentence that tells the user what `land --abort` would do.
std::string AbortAdvice(const LandState& state);

}  // namespace revctl::commands
