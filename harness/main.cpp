// main() of every program made by revctl_add_harness().
#include <csignal>

#include "harness/commands/command_line.h"

int main(int argc, char** argv) {
  std::signal(SIGXFSZ, SIG_IGN);  // a file size limit then causes an error message
  using namespace revctl::harness;
  return Finish(RunCommandLine(RunTest, NewSession(argc, argv), {argv + (argc > 0), argv + argc}));
}
