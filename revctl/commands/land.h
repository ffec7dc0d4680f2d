#pragma once
#include <fmt/core.h>

#include <optional>
#include <string>
#include <vector>

#include "revctl/commands/land_state.h"
#include "revctl/commands/workspace.h"

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

/// Writes down where the landing is, with HEAD as it is now.
base::Result<base::Done> Note(Landing& landing, LandState::Phase phase);

/// The commit that HEAD is at.
base::Result<git::Oid> HeadOf(const git::Repository& repository);

/// What `land --abort` does, for messages.
std::string AbortAdvice(const LandState& state);

/// Runs another command as part of this one; gives the lines of its results.
enum class Output { Shown, Hidden };
base::Result<std::vector<std::string>> RunWithin(
    Session& session, std::string_view command, const std::string& list,
    const std::vector<std::pair<std::string, std::vector<std::string>>>& arguments, Output output);

}  // namespace revctl::commands
