// The harness's program: every executable made by revctl_add_harness() has this main().
#include <csignal>

#include "harness/commands/command_line.h"

namespace revctl::harness {
namespace {

/// Its words are Catch2's, which no options declare. Only this file names RunTest: a program with a
/// main() of its own links the commands without Catch2.
Runner DeclareTest(CLI::App&) {
  return [](const Session& session) { return RunTest(session, {}); };
}

constexpr Command kCommands[] = {
    {"record", "writes goldens and layouts for revisions that have none", Needs::Goldens,
     DeclareRecord},
    {"record-history", "goldens of older revisions by the code of their own time, from git",
     Needs::Goldens, DeclareRecordHistory},
    {"approve", "accepts a legitimate change, with the reason", Needs::Goldens, DeclareApprove},
    {"review", "asks about every change that may be meant", Needs::Goldens, DeclareReview},
    {"check", "before a merge: every signal over every type and revision", Needs::Goldens,
     DeclareCheck},
    {"sweep", "nightly: check, and hostile input", Needs::Goldens, DeclareSweep},
    {"merge-reports", "joins the reports of all shards of a sweep", Needs::Types,
     DeclareMergeReports},
    {"dump", "prints a golden or a save file as JSON", Needs::Goldens, DeclareDump},
    {"convert", "a save file to JSON, from JSON, to an older revision", Needs::Types,
     DeclareConvert},
    {"import", "makes a golden of a user's file", Needs::Goldens, DeclareImport},
    {"selftest", "mutates what was recorded and says what would notice", Needs::Goldens,
     DeclareSelfTest},
    {"schema", "prints the layout at a revision", Needs::Goldens, DeclareSchema},
    {"diff", "prints what changed in the layouts between two revisions", Needs::Goldens,
     DeclareDiff},
    {"explain", "what a rule means, why, how to mend it", Needs::Nothing, DeclareExplain},
    {"test", "the same signals as Catch2 test cases: test [Catch2 options]", Needs::Goldens,
     DeclareTest},
};

}  // namespace
}  // namespace revctl::harness

int main(int argc, char** argv) {
  std::signal(SIGXFSZ, SIG_IGN);  // a file that the shell lets grow no further is an error in words
  using namespace revctl::harness;
  return Finish(RunCommandLine(kCommands, RunTest, NewSession(argc, argv), argc, argv));
}
