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

/// Asks the user to confirm the plan printed above. Fails with Exit::Usage and the given `fix` if
/// the user declines or there is no terminal. The error message is "nothing was written" plus
/// `why_not`.
base::Result<base::Done> AgreeToPlan(Session& session, const std::string& why_not,
                                     const std::string& fix);
/// Implements `init --numbers` for an existing list: switches the list to the other numbering mode.
Outcome SwitchNumbers(const Arguments& arguments, Session& session);

/// Implements `revctl` without a command: prints the state of this repository and the next step.
Outcome Overview(Session& session);

}  // namespace revctl::commands
