#pragma once
#include <string>

#include "revctl/gate/check_target.h"
#include "revctl/gate/ci_environment.h"
#include "revctl/gate/gate.h"
#include "revctl/session/session.h"
#include "revctl/workspace/workspace.h"

namespace revctl::commands {

/// What `check` judges against, and why.
struct CheckTarget {
  CiChange ci;         ///< what the environment says, also where the command line overrules it
  std::string branch;  ///< the branch that the change lands on
  std::string why;     ///< why this target: the option, variable or key that names it
};

/// Sets the target of `request`, and its scope where that is a release. The command line counts
/// first, then the CI system, then `.revctl.yaml`. Exit::Environment where none names a commit that
/// is known here.
base::Result<CheckTarget> SetTarget(const Workspace& workspace, const ledger::Ledger& ledger,
                                    const Arguments& arguments, bool fetched, GateRequest& request);

/// The commit that `option` was given; Exit::Environment where this clone does not have it.
base::Result<git::Oid> NamedCommit(const Workspace& workspace, const std::string& what,
                                   const char* option);

/// `check --explain-ci`: prints what `check` would judge against what, and why. Judges nothing.
Outcome ExplainCi(const Workspace& workspace, Session& session, const GateRequest& request,
                  const CheckTarget& target, bool fetched);

}  // namespace revctl::commands
