// The fixed level, as it was at revision 1.
#pragma once
#include <utility>

#include "save_game.h"

namespace actors {

template <class T>
T& Spawn(Level& level, const char* name) {
  auto made = std::make_unique<T>();
  T& actor = *made;
  actor.name = name;
  level.actors.push_back(std::move(made));
  return actor;
}

inline Level KnownLevel() {
  Level level;
  level.map = "moor";
  auto& ann = Spawn<Knight>(level, "Ann");
  auto& bat = Spawn<Bat>(level, "bat");
  auto& rex = Spawn<Hound>(level, "Rex");
  ann.target = &bat;
  ann.allies = {&rex, &bat, &ann};
  bat.target = &rex;
  bat.height = 3.5F;
  rex.hp = 40;
  rex.hunger = -3;
  rex.target = &ann;
  return level;
}

}  // namespace actors
