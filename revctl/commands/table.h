#pragma once
#include <string_view>

#include "revctl/session/session.h"

namespace revctl::commands {

struct Command : cli::Command {
  Outcome (*run)(const Arguments&,
                 Session&) = nullptr;  ///< null for commands that cli/ runs
};

/// Returns all commands, with the text that help and completions print around them.
cli::Program RevctlProgram();

// One function per command, defined in the file of the same name.
Command InitCommand();
Command InstallCommand();
Command UninstallCommand();
Command DoctorCommand();
Command ReserveCommand();
Command NextCommand();
Command ListCommand();
Command StatusCommand();
Command WhoisCommand();
Command CheckCommand();
Command RenumberCommand();
Command ResolveCommand();
Command LandCommand();
Command FoldCommand();
Command SyncCommand();
Command ConvertNumbersCommand();
Command PurgeCommand();
Command MergeDriverCommand();
Command AbandonCommand();
Command StaleCommand();
Command PreReceiveCommand();
Command CodegenCommand();
Command GenerateCommand();
Command ExplainCommand();
Command CompletionsCommand();

/// Implements `revctl` without a command: shows the state of this repository and the next step.
Outcome Overview(Session& session);

}  // namespace revctl::commands
