#pragma once
#include <string>
#include <vector>

#include "harness/commands/command.h"
#include "revctl/cli/command.h"

namespace revctl::harness {

/// The preconditions of a command.
enum class Needs {
  Nothing,  ///< no list and no types
  Types,    ///< a list and a registered type
  Goldens,  ///< a list, a registered type and the folder of goldens
};

struct Command : cli::Command {
  Needs needs = Needs::Nothing;
  /// null for a command that RunCommandLine handles itself, such as `test`
  Exit (*run)(const Session&, const cli::Arguments&) = nullptr;
};

/// Returns the table of commands, including the text for help and completions. `name` is the
/// program's name.
cli::Program HarnessProgram(const std::string& name);

/// Returns a session with default values taken from the arguments and the environment.
Session NewSession(int argc, char** argv);

/// Runs `test`. main() passes this function in, so that a program with its own main() can link the
/// commands without Catch2.
using TestRunner = Exit (*)(const Session&, const TestArguments&);

/// Parses the command line, runs the command and returns the exit status.
Exit RunCommandLine(TestRunner test, Session session, const std::vector<std::string>& words);

/// Flushes stdout and returns the exit status of the process, which is a failure if output was
/// lost.
int Finish(Exit exit);

}  // namespace revctl::harness
