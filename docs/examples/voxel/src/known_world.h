// A fixed world: a sample of the harness, and the content of the file in saves/.
#pragma once
#include "world.h"

namespace voxel {

inline World KnownWorld() {
  World world;
  world.tick = 77;
  world.rooms[0].cells[0][1] = Material::Stone;
  world.rooms[1].cells[1][2] = Material::Wood;
  world.rooms[1].light = 0.25F;
  world.doors[0].room = 1;
  world.doors[0].angle = 90;
  world.doors[1].room = 2;
  world.doors[1].locked = true;
  world.doorCount = 2;
  world.characters[0] = {{'A', 'n', 'n', 0}, {1.5F, -2}, 50};
  world.characters[1] = {{'B', 'e', 'n', 0}, {0, 0.5F}, -1};
  return world;
}

}  // namespace voxel
