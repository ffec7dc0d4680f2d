#pragma once
#include <string>
#include <vector>

#include "revctl/commands/command.h"
#include "revctl/commands/session.h"

namespace revctl::commands {

/// What argv means: a command to run, or a text to print (help, version, a mistake in the line).
struct CommandLine {
  const Command* command = nullptr;
  Arguments arguments;
  std::string text;
  bool mistake = false;   ///< `text` is an error message
  bool overview = false;  ///< no command was named: Overview()
};

/// Fills the global options into `session`.
CommandLine ParseCommandLine(const std::vector<std::string>& given, Session& session);

/// The end of a fix where no server answered `given`: the same line in a form that needs none, else
/// the line for later.
std::string WayWithoutServer(const std::vector<std::string>& given, const CommandLine& line);

/// `revctl reserve NAME [options]`.
std::string Synopsis(const Command& command);
/// `revctl --help`, `revctl COMMAND --help`: a screen each.
std::string HelpText();
std::string HelpText(const Command& command);

}  // namespace revctl::commands
