#pragma once
#include <string>
#include <vector>

#include "revctl/base/process.h"
#include "revctl/git/process.h"
#include "revctl/session/session.h"

namespace revctl::commands {

/// Runs a command line of the target's `.revctl.yaml` by `sh -c` in `folder`, after it was printed.
/// `environment`: `NAME=VALUE` on top of ours.
/// What it says goes to stderr as it comes; with --quiet it is in the result.
base::Result<base::ProcessResult> RunProjectLine(Session& session, const std::string& folder,
                                                 const std::string& key, const std::string& line,
                                                 const std::vector<std::string>& environment = {});

}  // namespace revctl::commands
