// The main() of every program made by revctl_add_harness().

#include "harness/commands/command_line.h"

int main(int argc, char** argv) {
  // Exceeding a file size limit then causes an error message instead of ending the process.
  using namespace revctl::harness;
  return Finish(RunCommandLine(RunTest, NewSession(argc, argv), {argv + (argc > 0), argv + argc}));
}
