#pragma once
#include "revctl/config/project_line.h"
#include "revctl/session/session.h"

namespace revctl::commands {

/// Returns a function that prints a command line of the target's `.revctl.yaml` and runs it with
/// `sh -c`. Output goes to stderr immediately; with --quiet it is captured in the result.
config::ProjectRunner ProjectRunnerOf(Session& session);

}  // namespace revctl::commands
