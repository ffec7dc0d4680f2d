// The saving and loading part of the players' program.
#include "known_machine.h"

static_assert(__cplusplus < 202002L, "the program is C++17");

std::vector<unsigned char> SavedByProgram() {
  Machine machine = KnownMachine();
  return SaveState(machine);
}
