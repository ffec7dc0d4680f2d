#pragma once
#include <string>
#include <vector>

#include "revctl/cli/command.h"
#include "revctl/session/session.h"

namespace revctl::commands {

/// Parses argv. Stores the global options in `session`.
cli::Line ParseCommandLine(const std::vector<std::string>& given, Session& session);

/// Returns text to append to a fix when the server is unreachable: the command in a form that works
/// offline or, without such a form, the command to repeat once the server answers.
std::string WayWithoutServer(const std::vector<std::string>& given, const cli::Line& line);

}  // namespace revctl::commands
