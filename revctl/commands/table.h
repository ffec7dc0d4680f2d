#pragma once
#include <string>
#include <vector>

#include "revctl/session/session.h"

namespace revctl::commands {

struct Command : cli::Command {
  Outcome (*run)(const Arguments&,
                 Session&) = nullptr;  ///< null for commands implemented in cli/
};

/// Returns the table of all commands, and the texts that help and completions add to it.
cli::Program RevctlProgram();

// Each function returns the table entry of one command, and is defined in the file named after the
// command; `uninstall` is in install.cpp, and `codegen` in generate.cpp.
Command InitCommand();
Command InstallCommand();
Command UninstallCommand();
Command DoctorCommand();
Command ReserveCommand();
Command ListCommand();
Command StatusCommand();
Command ShowCommand();
Command CheckCommand();
Command FixCommand();
Command LandCommand();
Command FoldCommand();
Command SyncCommand();
Command PurgeCommand();
Command MergeDriverCommand();
Command AbandonCommand();
Command PreReceiveCommand();
Command CodegenCommand();
Command GenerateCommand();
Command ExplainCommand();
Command CompletionsCommand();

/// Parses argv. Stores the global options in `session`.
cli::Line ParseCommandLine(const std::vector<std::string>& given, Session& session);

/// Returns the text to append to a fix if the server is unreachable: the variant of the user's
/// command that works offline, or else the command to repeat once the server answers.
std::string WayWithoutServer(const std::vector<std::string>& given, const cli::Line& line);

/// Implements `revctl` without a command: prints the state of this repository and the next step.
Outcome Overview(Session& session);

}  // namespace revctl::commands
