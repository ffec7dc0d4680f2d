#pragma once
#include "revctl/config/project_line.h"
#include "revctl/session/session.h"

namespace revctl::commands {

/// Returns a function that prints a command line of the target's `.revctl.yaml` and runs it with
/// `sh -c`. The output goes to stderr as it arrives. With --quiet, the output is captured in the
/// result.
config::ProjectRunner ProjectRunnerOf(Session& session);

}  // namespace revctl::commands
