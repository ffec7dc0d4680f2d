// The main() function of every program that revctl_add_harness() creates.

#include "harness/commands/command_line.h"

int main(int argc, char** argv) {
  using namespace revctl::harness;
  return Finish(RunCommandLine(RunTest, NewSession(argc, argv), {argv + (argc > 0), argv + argc}));
}
