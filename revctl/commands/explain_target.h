#pragma once
#include "revctl/gate/check_target.h"
#include "revctl/session/session.h"

namespace revctl::commands {

/// Implements `check --explain`, which prints the versions that `check` would compare, and why,
/// without checking anything.
Outcome ExplainTarget(const Workspace& workspace, Session& session, const GateRequest& request,
                      const CheckTarget& target, bool fetched);

}  // namespace revctl::commands
