#pragma once
#include "revctl/gate/check_target.h"
#include "revctl/session/session.h"

namespace revctl::commands {

/// `check --explain-ci`: prints what `check` would judge against what, and why. Judges nothing.
Outcome ExplainCi(const Workspace& workspace, Session& session, const GateRequest& request,
                  const CheckTarget& target, bool fetched);

}  // namespace revctl::commands
