#pragma once
#include <fmt/core.h>

#include <optional>
#include <string>
#include <vector>

#include "revctl/folding/make_fold.h"
#include "revctl/git/repository.h"
#include "revctl/workspace/workspace.h"

namespace revctl::commands {

/// The state that a later run needs to continue a stopped or killed landing. It is stored in the
/// work tree's git folder, so each work tree has its own state.
struct LandState {
  enum class Phase {
    Idle,     ///< the work tree matches the last commit
    Joining,  ///< git is rebasing or merging
    Stopped,  ///< git stopped at a conflict that the user must resolve
    Numbers,
    Goldens,
    Folding,  ///< the branch is being moved to its fold commit
  };
  std::string branch;  ///< short name of the branch
  git::Oid start;      ///< tip of the branch when the landing began
  git::Oid head;       ///< tip of the branch after the last step
  Phase phase = Phase::Idle;
  git::Oid target;  ///< the target's tip at the last step
  /// The tree that passed verification, and the `verify` command that checked it. Both are empty if
  /// no tree has passed yet.
  std::string verified_tree, verified_line;
  std::optional<git::Oid> landing;  ///< the pushed commit while the push is unconfirmed;
                                    ///< otherwise nullopt
  /// The commit that assigns numbers to the branch's pending revisions. Set until the fold has
  /// landed. If another change lands first, these numbers are wrong, and the branch goes back to
  /// the parent of this commit.
  std::optional<git::Oid> fold;
};

/// Returns the saved state, or nullopt if no landing has begun in this work tree. Fails with
/// Exit::Environment if revctl did not write the file.
base::Result<std::optional<LandState>> ReadLandState(const git::Repository& repository);
base::Result<base::Done> WriteLandState(const git::Repository& repository, const LandState& state);
base::Result<base::Done> RemoveLandState(const git::Repository& repository);

/// A landing: the branch in the work tree, and the target as of the last fetch. Owned by the `land`
/// command, which passes it to each step.
struct Landing {
  Workspace workspace;
  FoldCallbacks calls;
  std::string program;  ///< argv[0], which git calls as the merge driver
  LandState state = {};
  ledger::Snapshot seen = {};      ///< the target and the ledger as of the last fetch; no target
                                   ///< before the first fetch
  config::LandPolicy policy = {};  ///< from the target, except that `--by` overrides `by`
  /// The branch's tip before this run merged the target. Reset to nullopt once this run has
  /// committed anything other than numbers. After a lost race, the next merge starts from this
  /// commit, so that merges do not accumulate.
  std::optional<git::Oid> head_before_merge = {};

  const base::Listener& listener() const { return calls.listener; }
  git::Repository& repository() const { return workspace.repository(); }
  const git::Oid& target() const { return *seen.target; }
  /// Returns the golden folders of all lists, relative to the repository's root.
  std::vector<std::string> GoldenFolders() const {
    return commands::GoldenFolders(workspace.config(), workspace.GitPath(""));
  }
  /// Returns the target's branch and commit as text, such as "origin/main at 3f2c1d0abc".
  std::string TargetText() const {
    return fmt::format("{} at {}", workspace.TargetLabel(), target().substr(0, 10));
  }
};

/// Saves the phase and the current HEAD, so that `--continue` or a later recovery can read them.
base::Result<base::Done> SaveLandState(Landing& landing, LandState::Phase phase);

/// Returns the commit at HEAD. Fails with Exit::Environment on a branch without a commit.
base::Result<git::Oid> HeadOf(const git::Repository& repository);

/// Returns a sentence that tells the user what `land --abort` would do.
std::string AbortAdvice(const LandState& state);

}  // namespace revctl::commands
