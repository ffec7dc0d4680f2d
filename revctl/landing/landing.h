#pragma once
#include <fmt/core.h>

#include <optional>
#include <string>

#include "revctl/git/repository.h"
#include "revctl/workspace/workspace.h"

namespace revctl::commands {

/// What a landing has to know after it was stopped or killed. One file in git's folder of the work
/// tree, so that each work tree has its own.
struct LandState {
  enum class Phase {
    Idle,     ///< the work tree is as the last commit has it
    Joining,  ///< git rebases or merges
    Stopped,  ///< git stopped at a conflict, and a person mends it
    Numbers,  ///< the lists are being written
    Goldens,  ///< the `goldens:` command runs
  };
  std::string branch;    ///< short name
  git::Oid start, head;  ///< of the branch: when it began to land, and at the last step
  Phase phase = Phase::Idle;
  git::Oid target;                           ///< the target's tip at the last step
  std::string verified_tree, verified_line;  ///< the tree that passed, and the command; or empty
  std::optional<git::Oid> landing;           ///< what was pushed, where no answer was seen yet
};

/// nullopt: no landing has begun in this work tree. Exit::Environment where the file is not ours.
base::Result<std::optional<LandState>> ReadLandState(const git::Repository& repository);
base::Result<base::Done> WriteLandState(const git::Repository& repository, const LandState& state);
base::Result<base::Done> RemoveLandState(const git::Repository& repository);

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
