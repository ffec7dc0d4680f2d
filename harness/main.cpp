// The main() of every program that revctl_add_harness() creates.
#include <csignal>

#include "harness/commands/command_line.h"

int main(int argc, char** argv) {
  // If a file exceeds a size limit, print an error message instead of ending the process.
  std::signal(SIGXFSZ, SIG_IGN);
  using namespace revctl::harness;
  return Finish(RunCommandLine(RunTest, NewSession(argc, argv), {argv + (argc > 0), argv + argc}));
}
