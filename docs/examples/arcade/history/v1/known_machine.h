// A fixed state: a sample of the harness, and the content of the file in saves/.
#pragma once
#include "machine.h"

inline Machine KnownMachine() {
  Machine machine;
  machine.rom = "blocks";
  machine.frame = 600;
  machine.cpu = {0x1F2, 0xFFF0, {1, 2, 3, 4}, true};
  machine.ram[Machine::kCoins] = 2;
  machine.sprites = {{-8, 16, 3}};
  return machine;
}
