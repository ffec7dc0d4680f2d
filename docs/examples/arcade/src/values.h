// The program's types for the harness: a line for each member.
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
  REM(STATE_FIRST, STATE_LONG_FRAMES, std::uint32_t, frame, static_cast<std::uint32_t>(d.frame));
  ADD(STATE_LONG_FRAMES, frame);
  ADD(STATE_FIRST, cpu);
  ADD(STATE_FIRST, ram);
  ADD(STATE_FIRST, sprites);
  ADD(STATE_CREDITS, credits);
}
SERIALIZE_END
