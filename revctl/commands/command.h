#pragma once
#include <string_view>

#include "revctl/base/result.h"
#include "revctl/cli/command.h"

namespace revctl::commands {

class Session;

using cli::Arguments;
using cli::Contradiction;
using cli::Hint;
using cli::Option;
using cli::Positional;

using Outcome = base::Result<base::Exit>;

/// What one file gives: a command of the table, and what runs it.
struct Command : cli::Command {
  Outcome (*run)(const Arguments&, Session&) = nullptr;  ///< null: what it prints needs none
};

/// The table of commands, and what help and completions say around it.
cli::Program RevctlProgram();
const Command* FindCommand(std::string_view name);

// One function per command, each in the file of its name.
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

/// `revctl` alone: what state this repository is in, and what to do next.
Outcome Overview(Session& session);

}  // namespace revctl::commands
