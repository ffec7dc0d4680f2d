// Revisions of save games. The build that first wrote each stands beside it.
#pragma once

enum SaveGameRevision {
  SR_FIRST = 1,   // build 1007: actors, knights, bats, hounds
  SR_MOUNTS = 2,  // build 1130: knights ride
};
