#pragma once
#include "revctl/gate/gate.h"

namespace revctl::commands {

/// Checks the commits below the tip of a push that end up on the first-parent line of the target or
/// of a release. Each of them must have a valid list and the landed goldens, because programs are
/// built from it and `git bisect` stops there. Returns the findings `at_tip` that the gate reported
/// for `tip`, followed by one for the earliest bad commit, if there is any, with the command that
/// squashes the later commits into it. Checks no commit if `at_tip` has errors, because these must
/// be fixed first.
base::Result<Findings> CheckIntermediateCommits(const GateRequest& tip, Findings at_tip);

}  // namespace revctl::commands
