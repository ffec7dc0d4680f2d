#pragma once
#include <string>
#include <vector>

#include "revctl/base/process.h"

namespace revctl::git {

using base::ProcessOptions;
using base::ProcessResult;

/// The user's own `git`, in English for whatever reads its output; credential helpers and prompts
/// stay the user's business. It sees objects as they are, without replacements and grafts.
base::Result<ProcessResult> RunGit(std::vector<std::string> arguments, ProcessOptions options = {});

/// The parts of an answer to `-z`: each ends with a NUL.
std::vector<std::string> SplitAtNul(const std::string& text);

/// What a failed git said, for a person: its last lines, without control characters, at most a
/// screen.
std::string LastLines(const std::string& err);

}  // namespace revctl::git
