// Revisions of save games. Each comment names the build that first wrote it.
#pragma once

enum SaveGameRevision {
  SR_FIRST = 1,  // build 1007: actors, knights, bats, hounds
};
