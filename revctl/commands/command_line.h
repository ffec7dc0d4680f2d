#pragma once
#include <string>
#include <vector>

#include "revctl/cli/command.h"
#include "revctl/session/session.h"

namespace revctl::commands {

/// Parses argv. Stores the global options in `session`.
cli::Line ParseCommandLine(const std::vector<std::string>& given, Session& session);

/// Returns the end of a fix for an unreachable server: the same command in a form that needs no
/// server, or else the command to run later.
std::string WayWithoutServer(const std::vector<std::string>& given, const cli::Line& line);

}  // namespace revctl::commands
