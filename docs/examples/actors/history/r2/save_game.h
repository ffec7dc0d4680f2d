// The actors of a level and how they were saved at revision 2.
#pragma once
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include <revctl/objects.h>

#include "master_version_list.h"

namespace actors {

struct Actor {
  virtual ~Actor() = default;
  std::string name;
  std::int32_t hp = 100;
  Actor* target = nullptr;
  std::vector<Actor*> allies;
};
struct Bat : Actor {
  float height = 2;
};
struct Hound : Actor {
  std::int32_t hunger = 0;
};
struct Knight : Actor {
  Actor* mount = nullptr;
};
struct Level {
  std::string map;
  std::vector<std::unique_ptr<Actor>> actors;
};

SERIALIZE_TYPE(Actor) {
  ADD(SR_FIRST, name);
  ADD(SR_FIRST, hp);
  ADD_REF(SR_FIRST, target);
  ADD_REF(SR_FIRST, allies);
}
SERIALIZE_END

SERIALIZE_TYPE(Bat) {
  ADD_BASE(SR_FIRST, Actor);
  ADD(SR_FIRST, height);
}
SERIALIZE_END

SERIALIZE_TYPE(Hound) {
  ADD_BASE(SR_FIRST, Actor);
  ADD(SR_FIRST, hunger);
}
SERIALIZE_END

SERIALIZE_TYPE(Knight) {
  ADD_BASE(SR_FIRST, Actor);
  ADD_REF(SR_MOUNTS, mount);
}
SERIALIZE_END

inline const revctl::ObjectClasses& Classes() {
  static const auto classes = revctl::ObjectClasses()
                                  .Add<Actor>("Actor")
                                  .Add<Bat, Actor>("Bat")
                                  .Add<Hound, Actor>("Hound")
                                  .Add<Knight, Actor>("Knight");
  return classes;
}

SERIALIZE_TYPE(Level) {
  ADD(SR_FIRST, map);
  ADD_OBJECTS(SR_FIRST, Classes(), actors);
}
SERIALIZE_END

}  // namespace actors
