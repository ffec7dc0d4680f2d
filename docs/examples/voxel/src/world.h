// A small voxel world of plain structs, saved with their memory layout.
#pragma once
#include <cstdint>

#include <revctl/plain_serialize.h>

#include "master_version_list.h"

namespace voxel {

enum class Material : std::uint8_t { Air, Stone, Wood };

struct Room {
  PLAIN(Room);
  FIELD(Material[2][3], cells, SR_FIRST) = {};
  FIELD(float, light, SR_LIGHT) = 1;  // its 4-byte alignment moves all rooms after the first
};

struct Door {
  PLAIN(Door);
  FIELD(std::uint16_t, room, SR_FIRST) = 0;
  DEAD(bool, open, SR_FIRST, SR_ANGLE);
  FIELD(bool, locked, SR_LOCKS) = false;
  FIELD(float, angle, SR_ANGLE) = 0;  // degrees
  DEAD_WITH(std::int8_t, hp, SR_FIRST, SR_NO_HP, 10);
  HOP(SR_ANGLE) { to.Set<"angle">(from.Get<"open">() ? 90.0F : 0.0F); }
};

struct Character {
  PLAIN(Character);
  FIELD(std::uint8_t[4], name, SR_FIRST) = {};
  FIELD(float[2], at, SR_FIRST) = {};
  DEAD(std::int8_t, hp, SR_FIRST, SR_LIGHT);
  FIELD(std::int32_t, hp, SR_LIGHT) = 100;  // now wider: old values are converted automatically
};

struct World {
  PLAIN(World);
  FIELD(std::uint32_t, tick, SR_FIRST) = 0;
  FIELD(Room[2], rooms, SR_FIRST);
  DEAD(Door[2], doors, SR_FIRST, SR_MORE_DOORS);
  FIELD(Door[4], doors, SR_MORE_DOORS);  // now larger: the first two doors keep their values
  FIELD(Character[2], characters, SR_FIRST);
  FIELD(std::uint8_t, doorCount, SR_MORE_DOORS) = 0;
  HOP(SR_MORE_DOORS) { to.Set<"doorCount">(std::uint8_t{2}); }
};

// Compares all offsets and sizes, current and old, with the compiler's layout.
static_assert(revctl::plain_fits<World>);

}  // namespace voxel
