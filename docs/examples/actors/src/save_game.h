// Saves a level. This code is separate from the actors' own code.
#pragma once
#include <revctl/objects.h>

#include "actors.h"
#include "master_version_list.h"

namespace actors {

SERIALIZE_TYPE(Actor) {
  ADD(SR_FIRST, name);
  ADD(SR_FIRST, hp);
  ADD_REF(SR_FIRST, target);
  ADD_REF(SR_FIRST, allies);
  SERIALIZE_IGNORE(fade);
}
SERIALIZE_END

SERIALIZE_TYPE(Wolf) {
  ADD_BASE(SR_FIRST, Actor);
  ADD(SR_FIRST, hunger);
}
SERIALIZE_END

SERIALIZE_TYPE(Knight) {
  ADD_BASE(SR_FIRST, Actor);
  ADD_REF(SR_MOUNTS, mount);
  SERIALIZE_IGNORE(speed);
}
SERIALIZE_END

SERIALIZE_TYPE(Item) {
  ADD(SR_CHESTS, name);
  ADD(SR_CHESTS, gold);
}
SERIALIZE_END

SERIALIZE_TYPE(Chest) {
  ADD_BASE(SR_CHESTS, Actor);
  ADD_REF(SR_CHESTS, inside);
  ADD_REF(SR_CHESTS, lockedBy);
}
SERIALIZE_END

/// Called when all actors are read and linked, so it may follow pointers.
inline void AfterLink(Knight& knight) { knight.speed = knight.mount != nullptr ? 12.0F : 4.0F; }

/// Returns the classes with their names in files. Readers use it to create the objects.
inline const revctl::ObjectClasses& Classes() {
  static const auto classes =
      revctl::ObjectClasses()
          .Add<Actor>("Actor")
          .Add<Wolf, Actor>("Wolf")
          .Add<Knight, Actor>("Knight")
          .Add<Chest, Actor>("Chest", SR_CHESTS)  // left out of files for older builds
          .Add<Item>("Item", SR_CHESTS)
          .Renamed("Hound", "Wolf", SR_NO_BATS)  // the name in files from and for older builds
          .Retired("Bat", SR_NO_BATS);           // records are dropped, pointers become null
  return classes;
}

SERIALIZE_TYPE(Level) {
  ADD(SR_FIRST, map);
  ADD_OBJECTS(SR_FIRST, Classes(), actors);
  if (r.IsReading() && r.revision < SR_NO_BATS) std::erase(d.actors, nullptr);  // removed bats
}
SERIALIZE_END

}  // namespace actors
