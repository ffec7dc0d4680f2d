// A fixed level: a sample of the harness, and the content of the file in saves/.
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
  auto& rex = Spawn<Wolf>(level, "Rex");
  auto& chest = Spawn<Chest>(level, "chest");
  ann.target = &chest;
  ann.allies = {&rex, &ann};
  ann.mount = &rex;
  rex.hp = 40;
  rex.hunger = -3;
  rex.target = &ann;
  chest.inside = std::make_unique<Item>(Item{"crown", 900});
  chest.lockedBy = &ann;
  return level;
}

}  // namespace actors
