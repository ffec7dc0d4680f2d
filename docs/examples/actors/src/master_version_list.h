// Revisions of save games. builds.h lists the builds that write them.
#pragma once

enum SaveGameRevision {
  SR_FIRST = 1,    // actors, knights, bats, hounds
  SR_MOUNTS = 2,   // knights ride
  SR_CHESTS = 3,   // chests, with what is inside
  SR_NO_BATS = 4,  // bats are gone, hounds are called wolves
};
