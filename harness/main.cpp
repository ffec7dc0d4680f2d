// The harness's program: every executable made by revctl_add_harness() has this main().
#include <csignal>

#include "harness/commands/command_line.h"

int main(int argc, char** argv) {
  std::signal(SIGXFSZ, SIG_IGN);  // a file that the shell lets grow no further is an error in words
  using namespace revctl::harness;
  return Finish(RunCommandLine(RunTest, NewSession(argc, argv), {argv + (argc > 0), argv + argc}));
}
