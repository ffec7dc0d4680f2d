#pragma once
#include <string>
#include <vector>

namespace revctl::harness {

struct ProgramOutput {
  bool started = false;  ///< there is such a program
  bool ok = false;       ///< it exited with 0
  std::string text;      ///< what it said on stdout
};

/// Whether what a program complains about is for the person at the terminal.
enum class Complaints { Shown, Dropped };

/// Runs a program that is found by PATH, and waits. `words`: its name and its arguments, which no
/// shell sees. It reads nothing, and sees no variable of git's own, which in a hook are about
/// another repository.
ProgramOutput RunProgram(const std::vector<std::string>& words, Complaints complaints);

}  // namespace revctl::harness
