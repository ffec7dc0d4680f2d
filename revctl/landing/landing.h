#pragma once
#include <fmt/core.h>

#include <optional>
#include <string>

#include "revctl/folding/make_fold.h"
#include "revctl/git/repository.h"
#include "revctl/workspace/workspace.h"

namespace revctl::commands {

/// The state that a landing needs after it was stopped or killed. Stored in one file in the git
/// folder of the work tree, so each work tree has its own.
struct LandState {
  enum class Phase {
    Idle,     ///< the work tree matches the last commit
    Joining,  ///< git is rebasing or merging
    Stopped,  ///< git stopped at a conflict that the user must resolve
    Numbers,
    Goldens,
    Folding,  ///< the branch moves to its fold
  };
  std::string branch;  ///< short name
  git::Oid start;      ///< tip of the branch when the landing began
  git::Oid head;       ///< tip of the branch after the last step
  Phase phase = Phase::Idle;
  git::Oid target;                           ///< the target's tip at the last step
  std::string verified_tree, verified_line;  ///< passed tree and command of `verify`, or empty
  std::optional<git::Oid> landing;           ///< the pushed commit while the push is unconfirmed
  /// The commit that gives the branch's pending revisions their numbers, until it has landed. Its
  /// numbers are wrong once others land first, so the branch then goes back to the commit's parent.
  std::optional<git::Oid> fold;
};

/// Returns nullopt if no landing has begun here; Exit::Environment if the file is not revctl's.
base::Result<std::optional<LandState>> ReadLandState(const git::Repository& repository);
base::Result<base::Done> WriteLandState(const git::Repository& repository, const LandState& state);
base::Result<base::Done> RemoveLandState(const git::Repository& repository);

/// A landing: the branch in the work tree, and the target as last fetched. `land` owns it and
/// passes it to each step.
struct Landing {
  Workspace workspace;
  FoldCallbacks calls;
  std::string program;  ///< argv[0], which git calls as the merge driver
  LandState state = {};
  ledger::Snapshot seen = {};      ///< has a target once it has been fetched
  config::LandPolicy policy = {};  ///< the target's policy, but `by` may come from the user
  /// The branch before this run merged the target, unless more than numbers was committed since.
  /// After a lost race, the next merge starts from that commit, so that merges do not accumulate.
  std::optional<git::Oid> head_before_merge = {};

  const base::Listener& listener() const { return calls.listener; }
  git::Repository& repository() const { return workspace.repository(); }
  const git::Oid& target() const { return *seen.target; }
  /// Returns "origin/main at 3f2c1d0abc".
  std::string TargetText() const {
    return fmt::format("{} at {}", workspace.TargetLabel(), target().substr(0, 10));
  }
};

/// Saves the phase and the current HEAD for a later --continue or recovery.
base::Result<base::Done> SaveLandState(Landing& landing, LandState::Phase phase);

/// Returns the commit at HEAD. Fails with Exit::Environment on a branch without a commit.
base::Result<git::Oid> HeadOf(const git::Repository& repository);

/// Returns a sentence that explains `land --abort`.
std::string AbortAdvice(const LandState& state);

}  // namespace revctl::commands
