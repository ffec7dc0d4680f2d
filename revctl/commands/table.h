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

// The function of each command, defined in the file of the same name.
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

/// Implements `status --branches`.
Outcome ShowBranches(const Arguments& arguments, Session& session);
/// Implements `init --numbers` for a list that exists: switches how it gives its numbers.
Outcome SwitchNumbers(const Arguments& arguments, Session& session);

/// Implements `revctl` without a command: shows the state of this repository and the next step.
Outcome Overview(Session& session);

}  // namespace revctl::commands
