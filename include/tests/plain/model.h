#pragma once
#include <revctl/plain.h>

#include <array>
#include <cstdint>

// A small voxel world, as a user would declare it, with all its revisions. history.h contains the
// older structs.
namespace voxel {

enum Rev : std::int32_t {
  SR_START = 1,
  SR_ANGLE = 2,
  SR_WIDE_HP = 3,
  SR_VOLUME = 4,
  SR_MORE_DOORS = 5,
  SR_NO_LIGHT = 6,
  SR_FLAGS = 9,
  SR_LATEST = SR_FLAGS,
};

enum class Material : std::uint8_t { Air, Stone, Wood };

enum class Flag : std::uint16_t { None = 0, Lit = 1, Locked = 2, Hidden = 8 };
constexpr Flag operator|(Flag a, Flag b) {
  return static_cast<Flag>(static_cast<std::uint16_t>(a) | static_cast<std::uint16_t>(b));
}

/// A math library's struct, which therefore has no FIELDs.
struct Vec3 {
  float x, y, z;
};

}  // namespace voxel

template <>
struct revctl::PlainValues<voxel::Vec3> {
  using Element = float;
  static constexpr std::size_t count = 3;
};

namespace voxel {

struct Box {
  PLAIN(Box);
  FIELD(Vec3, low, SR_START);
  FIELD(Vec3, high, SR_START);
  FIELD(double, volume,
        SR_VOLUME) =
      -1;  // raises the alignment of Box to 8, which moves boxes inside other structs
};

struct Door {
  PLAIN(Door);
  FIELD(std::uint16_t, room, SR_START) = 7;
  DEAD(bool, open, SR_START, SR_ANGLE);
  FIELD(float, angle, SR_ANGLE) = 0;
  DEAD(std::int8_t, hp, SR_START, SR_WIDE_HP);
  FIELD(std::int32_t, hp, SR_WIDE_HP) = 100;
  DEAD(bool, lit, SR_START, SR_FLAGS);
  DEAD_WITH(bool, locked, SR_ANGLE, SR_FLAGS, true);
  FIELD(Flag, flags, SR_FLAGS) = Flag::Hidden;
  HOP(SR_ANGLE) { to.Set<"angle">(from.Get<"open">() ? 90.0F : 0.0F); }
  HOP(SR_FLAGS);
};

struct World {
  PLAIN(World);
  FIELD(std::uint64_t, seed, SR_START) = 1;
  DEAD(Door[2], doors, SR_START, SR_MORE_DOORS);
  FIELD(Door[5], doors, SR_MORE_DOORS);
  FIELD(Material[3][4], cells, SR_START) = {};
  DEAD(double, light, SR_START, SR_NO_LIGHT);
  FIELD(Box, bounds, SR_START);
  DEAD(float, speed, SR_START, SR_WIDE_HP);
  FIELD(double, speed, SR_WIDE_HP) = 1.5;
  DEAD(std::uint16_t[2][3], grid, SR_START, SR_NO_LIGHT);
  FIELD(std::uint32_t[3][2], grid, SR_NO_LIGHT) = {{90, 91}, {92, 93}, {94, 95}};
  FIELD(std::array<std::int16_t, 3>, tags, SR_VOLUME) = {1, -2, 3};
  FIELD(bool, frozen, SR_START) = false;
  HOP(SR_VOLUME) {
    if (from.Get<"seed">() == 666) to.Fail("worlds of seed 666 are haunted");
    const Vec3 low = to.Get<"bounds">().Get<"low">(), high = to.Get<"bounds">().Get<"high">();
    to.Get<"bounds">().Set<"volume">(
        static_cast<double>((high.x - low.x) * (high.y - low.y) * (high.z - low.z)));
  }
};

static_assert(revctl::plain_fits<World>);

}  // namespace voxel
