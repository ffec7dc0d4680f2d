#pragma once
#include <string>
#include <vector>

#include "revctl/cli/command.h"
#include "revctl/session/session.h"

namespace revctl::commands {

/// Parses argv. Stores the global options in `session`.
cli::Line ParseCommandLine(const std::vector<std::string>& given, Session& session);

/// Returns the text to append to a fix if the server is unreachable: a variant of the user's
/// command that works offline or, if there is none, the command to repeat once the server answers.
std::string WayWithoutServer(const std::vector<std::string>& given, const cli::Line& line);

}  // namespace revctl::commands
