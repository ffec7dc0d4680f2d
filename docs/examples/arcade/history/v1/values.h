// Describes the program's types to the harness, one line per member.
#pragma once
#include <revctl/serialize.h>

#include "machine.h"

SERIALIZE_TYPE(Sprite) {
  ADD(STATE_FIRST, x);
  ADD(STATE_FIRST, y);
  ADD(STATE_FIRST, tile);
}
SERIALIZE_END

SERIALIZE_TYPE(Cpu) {
  ADD(STATE_FIRST, pc);
  ADD(STATE_FIRST, sp);
  ADD(STATE_FIRST, registers);
  ADD(STATE_FIRST, halted);
}
SERIALIZE_END

SERIALIZE_TYPE(Machine) {
  ADD(STATE_FIRST, rom);
  ADD(STATE_FIRST, frame);
  ADD(STATE_FIRST, cpu);
  ADD(STATE_FIRST, ram);
  ADD(STATE_FIRST, sprites);
}
SERIALIZE_END
