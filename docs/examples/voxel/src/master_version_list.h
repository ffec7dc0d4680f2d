// Revisions of the world's files: one number for every struct in it.
#pragma once

enum WorldRevision {
  SR_FIRST = 1,   // rooms, doors, characters
  SR_LOCKS,       // doors can be locked
  SR_ANGLE,       // doors stand at an angle, they are not open or shut
  SR_NO_HP,       // doors cannot be broken
  SR_LIGHT,       // a room has a light, and so is of another size; healthier characters
  SR_MORE_DOORS,  // more doors, and a door count
};
