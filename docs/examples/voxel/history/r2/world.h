// The world at revision 2.
#pragma once
#include <cstdint>

#include <revctl/plain_serialize.h>

#include "master_version_list.h"

namespace voxel {

enum class Material : std::uint8_t { Air, Stone, Wood };

struct Room {
  PLAIN(Room);
  FIELD(Material[2][3], cells, SR_FIRST) = {};
};

struct Door {
  PLAIN(Door);
  FIELD(std::uint16_t, room, SR_FIRST) = 0;
  FIELD(bool, open, SR_FIRST) = false;
  FIELD(bool, locked, SR_LOCKS) = false;
  FIELD(std::int8_t, hp, SR_FIRST) = 10;
};

struct Character {
  PLAIN(Character);
  FIELD(std::uint8_t[4], name, SR_FIRST) = {};
  FIELD(float[2], at, SR_FIRST) = {};
  FIELD(std::int8_t, hp, SR_FIRST) = 100;
};

struct World {
  PLAIN(World);
  FIELD(std::uint32_t, tick, SR_FIRST) = 0;
  FIELD(Room[2], rooms, SR_FIRST);
  FIELD(Door[2], doors, SR_FIRST);
  FIELD(Character[2], characters, SR_FIRST);
};

static_assert(revctl::plain_fits<World>);

}  // namespace voxel
