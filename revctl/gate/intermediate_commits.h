#pragma once
#include "revctl/gate/gate.h"

namespace revctl::commands {

/// Checks the commits below the tip of a push that will be on the first-parent line of the target
/// or of a release. Each of these commits needs a valid list and the landed goldens, because people
/// build programs from any of them, for example during `git bisect`. Returns `at_tip`, the findings
/// of the gate for `tip`. If any commit is bad, adds a finding for the earliest bad commit, with
/// the command that squashes all later commits into it. Checks no commit if `at_tip` has errors,
/// because the user must fix the errors first.
base::Result<Findings> CheckIntermediateCommits(const GateRequest& tip, Findings at_tip);

}  // namespace revctl::commands
