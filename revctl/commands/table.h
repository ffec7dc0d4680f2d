#pragma once
#include <string>
#include <string_view>

#include "revctl/session/session.h"

namespace revctl::commands {

struct Command : cli::Command {
  Outcome (*run)(const Arguments&,
                 Session&) = nullptr;  ///< null for commands implemented in cli/
};

/// Returns the table of all commands, and the texts that help and completions add to it.
cli::Program RevctlProgram();

// Each function returns the table entry of one command, and is defined in the file named after the
// command.
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

/// Implements `revctl` without a command: prints the state of this repository and the next step.
Outcome Overview(Session& session);

}  // namespace revctl::commands
