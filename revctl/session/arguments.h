#pragma once
#include "revctl/base/result.h"
#include "revctl/cli/command.h"

namespace revctl::commands {

using cli::Arguments;
using cli::Contradiction;
using cli::Hint;
using cli::Option;
using cli::Positional;

/// The exit code of a command that ran to its end, or the error that stopped it.
using Outcome = base::Result<base::Exit>;

}  // namespace revctl::commands
