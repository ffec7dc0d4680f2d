#pragma once
#include <optional>
#include <string>

#include "revctl/git/repository.h"

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

}  // namespace revctl::commands
