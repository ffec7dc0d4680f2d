// Revisions of the world's files: one number for every struct in it.
#pragma once

enum WorldRevision {
  SR_FIRST = 1,   // rooms, doors, characters
  SR_LOCKS,       // doors can be locked
  SR_ANGLE,       // doors have an angle instead of being open or shut
  SR_NO_HP,       // doors cannot be broken
  SR_LIGHT,       // rooms have a light, which makes them larger; characters have more health
  SR_MORE_DOORS,  // more doors, and a door count
};
