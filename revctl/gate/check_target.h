#pragma once
#include <string>

#include "revctl/cli/command.h"
#include "revctl/gate/ci_environment.h"
#include "revctl/gate/gate.h"
#include "revctl/workspace/workspace.h"

namespace revctl::commands {

/// The target that `check` compares with, and why it was chosen.
struct CheckTarget {
  CiChange ci;  ///< the change as the CI system describes it, even if the command line overrides it
  ComparedBranch target;
  /// see GateRequest::release_of; nullopt if the target is not a release
  std::optional<ComparedBranch> release_of;
  std::string branch;
  std::string why;  ///< which option, variable or key determined the target, for messages
};

/// Returns the target for a check of `tree`. The command line takes precedence over the CI system,
/// and the CI system over `.revctl.yaml`. Fails with Exit::Environment if the named target is not a
/// commit in this clone.
base::Result<CheckTarget> FindTarget(const Workspace& workspace, const Tree& tree,
                                     const cli::Arguments& arguments, bool fetched);

/// Returns the commit that `what`, the value of `option`, names. Fails with Exit::Environment if
/// the name is ambiguous or this clone does not have the commit.
base::Result<git::Oid> NamedCommit(const Workspace& workspace, const std::string& what,
                                   const char* option);

}  // namespace revctl::commands
