#pragma once
#include <functional>
#include <span>

#include "harness/commands/command.h"

namespace CLI {
class App;
}

namespace revctl::harness {

/// What must be there before a command runs.
enum class Needs {
  Nothing,  ///< not even a list
  Types,    ///< a list and a registered type
  Goldens,  ///< the same, and the folder of the goldens
};

/// Runs a command with the arguments that were declared with it.
using Runner = std::function<Exit(const Session&)>;

/// One command: what help says of it, its options, and what they run.
struct Command {
  const char* name;
  const char* about;
  Needs needs;
  Runner (*declare)(CLI::App& command);
};

/// The session of this program as its arguments and its surroundings begin it.
Session NewSession(int argc, char** argv);

/// Runs `test` with the words behind it.
using TestRunner = Exit (*)(const Session&, const TestArguments&);

/// Parses the command line and runs the command that it names; gives the exit status.
Exit RunCommandLine(std::span<const Command> commands, TestRunner test, Session session, int argc,
                    char** argv);

/// The exit status of the process. A result that did not reach its reader is no success.
int Finish(Exit exit);

// The options of each command, in options.cpp, beside one another: CLI11 is included once.
Runner DeclareRecord(CLI::App& command);
Runner DeclareRecordHistory(CLI::App& command);
Runner DeclareApprove(CLI::App& command);
Runner DeclareReview(CLI::App& command);
Runner DeclareCheck(CLI::App& command);
Runner DeclareSweep(CLI::App& command);
Runner DeclareMergeReports(CLI::App& command);
Runner DeclareDump(CLI::App& command);
Runner DeclareConvert(CLI::App& command);
Runner DeclareImport(CLI::App& command);
Runner DeclareSelfTest(CLI::App& command);
Runner DeclareSchema(CLI::App& command);
Runner DeclareDiff(CLI::App& command);
Runner DeclareExplain(CLI::App& command);

}  // namespace revctl::harness
