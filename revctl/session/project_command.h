#pragma once
#include <string>
#include <vector>

#include "revctl/base/process.h"
#include "revctl/git/process.h"
#include "revctl/session/session.h"

namespace revctl::commands {

/// Prints a command line of the target's `.revctl.yaml` and runs it with `sh -c` in `folder`.
/// `environment` holds `NAME=VALUE` pairs that are added to this process's environment. Output goes
/// to stderr as it arrives; with --quiet it is captured in the result.
base::Result<base::ProcessResult> RunProjectLine(Session& session, const std::string& folder,
                                                 const std::string& key, const std::string& line,
                                                 const std::vector<std::string>& environment = {});

}  // namespace revctl::commands
