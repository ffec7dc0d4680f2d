// Versions of saved states. To add one: put it before STATE_VERSION_COUNT.
#pragma once

enum StateVersion {
  STATE_FIRST = 1,
  STATE_LONG_FRAMES,  // the frame counter has 64 bits
  STATE_CREDITS,      // the machine counts coins; before, the ROM did
  STATE_VERSION_COUNT,
  STATE_CURRENT = STATE_VERSION_COUNT - 1
};
