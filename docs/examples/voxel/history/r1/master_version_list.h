// Revisions of the world's files: one number for every struct in it.
#pragma once

enum WorldRevision {
  SR_FIRST = 1,  // rooms, doors, characters
};
