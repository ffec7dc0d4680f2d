#pragma once
#include <string>
#include <vector>

#include "revctl/cli/command.h"
#include "revctl/session/session.h"

namespace revctl::commands {

/// What argv means. Fills the options that every command has into `session`.
cli::Line ParseCommandLine(const std::vector<std::string>& given, Session& session);

/// The end of a fix where no server answered `given`: the same line in a form that needs none, else
/// the line for later.
std::string WayWithoutServer(const std::vector<std::string>& given, const cli::Line& line);

}  // namespace revctl::commands
