#pragma once
#include <string>

#include "revctl/gate/ci_environment.h"
#include "revctl/gate/gate.h"
#include "revctl/session/session.h"
#include "revctl/workspace/workspace.h"

namespace revctl::commands {

/// The target that `check` compares with, and why it was chosen.
struct CheckTarget {
  CiChange ci;  ///< what the CI environment says, even if the command line overrides it
  std::string branch;
  std::string why;  ///< the option, variable or key that names the target
};

/// Sets the target of `request`, and its scope if the target is a release. The command line takes
/// precedence over the CI system, which takes precedence over `.revctl.yaml`. Fails with
/// Exit::Environment if none of them names a commit that this clone has.
base::Result<CheckTarget> SetTarget(const Workspace& workspace, const ledger::Ledger& ledger,
                                    const Arguments& arguments, bool fetched, GateRequest& request);

/// Returns the commit passed to `option`; Exit::Environment if this clone does not have it.
base::Result<git::Oid> NamedCommit(const Workspace& workspace, const std::string& what,
                                   const char* option);

/// Implements `check --explain`: prints what `check` would compare, and why, without checking.
Outcome ExplainCi(const Workspace& workspace, Session& session, const GateRequest& request,
                  const CheckTarget& target, bool fetched);

}  // namespace revctl::commands
