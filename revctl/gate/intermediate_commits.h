#pragma once
#include "revctl/gate/gate.h"

namespace revctl::commands {

/// Checks the commits below the tip of a push that end up on the first-parent line of the target or
/// of a release. Each of them must have a valid list and the landed goldens, because programs are
/// built from it and `git bisect` stops there. `tip` is the request for the tip and `found` its
/// findings. If these include no error, the earliest bad commit is added, with the command that
/// squashes the later commits into it. Errors at the tip must be fixed first.
base::Result<base::Done> CheckLine(const GateRequest& tip, Findings& found);

}  // namespace revctl::commands
