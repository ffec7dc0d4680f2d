#pragma once
#include <string>
#include <vector>

#include "harness/commands/command.h"
#include "revctl/cli/command.h"

namespace revctl::harness {

/// What must be there before a command runs.
enum class Needs {
  Nothing,  ///< not even a list
  Types,    ///< a list and a registered type
  Goldens,  ///< the same, and the folder of the goldens
};

struct Command : cli::Command {
  Needs needs = Needs::Nothing;
  Exit (*run)(const Session&, const cli::Arguments&) = nullptr;  ///< null: it runs otherwise
};

/// The table of commands, and what help and completions say around it; `name`: of the program.
cli::Program HarnessProgram(const std::string& name);

/// The session of this program as its arguments and its surroundings begin it.
Session NewSession(int argc, char** argv);

/// Runs `test` with the words behind it. Only main() names RunTest: a program with a main() of its
/// own links the commands without Catch2.
using TestRunner = Exit (*)(const Session&, const TestArguments&);

/// Parses the command line and runs the command that it names; gives the exit status.
Exit RunCommandLine(TestRunner test, Session session, const std::vector<std::string>& words);

/// The exit status of the process. A result that did not reach its reader is no success.
int Finish(Exit exit);

}  // namespace revctl::harness
