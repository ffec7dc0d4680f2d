// The fixed world, as it was at revision 1.
#pragma once
#include "world.h"

namespace voxel {

inline World KnownWorld() {
  World world;
  world.tick = 77;
  world.rooms[0].cells[0][1] = Material::Stone;
  world.rooms[1].cells[1][2] = Material::Wood;
  world.doors[0].room = 1;
  world.doors[0].open = true;
  world.doors[1].room = 2;
  world.doors[1].hp = -3;
  world.characters[0] = {{'A', 'n', 'n', 0}, {1.5F, -2}, 50};
  world.characters[1] = {{'B', 'e', 'n', 0}, {0, 0.5F}, -1};
  return world;
}

}  // namespace voxel
