#pragma once

// Revisions of the rack, a plug-in with its own files. It has more revisions than the program.
enum RackRevision {
  RK_FIRST = 1,
  RK_DEPTH = 2,
  RK_ROOM = 3,
  RK_TAIL = 4,
  RK_NAMES = 5,
  RK_MIX = 6,
};
