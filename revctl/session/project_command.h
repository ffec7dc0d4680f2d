#pragma once
#include "revctl/config/project_line.h"
#include "revctl/session/session.h"

namespace revctl::commands {

/// Returns a function that prints a command line from the target's `.revctl.yaml` and runs it with
/// `sh -c`. The output goes to stderr as it arrives or, with --quiet, into the result.
config::ProjectRunner ProjectRunnerOf(Session& session);

}  // namespace revctl::commands
