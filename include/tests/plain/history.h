#pragma once
#include "model.h"

// The structs of model.h as declared at each revision. The compiler's layouts of these structs are
// the reference for the computed layouts, and their bytes serve as old files.
namespace voxel::v1 {
struct Box {
  Vec3 low, high;
};
struct Door {
  std::uint16_t room;
  bool open;
  std::int8_t hp;
  bool lit;
};
struct World {
  std::uint64_t seed;
  Door doors[2];
  Material cells[3][4];
  double light;
  Box bounds;
  float speed;
  std::uint16_t grid[2][3];
  bool frozen;
};
}  // namespace voxel::v1

namespace voxel::v2 {
using v1::Box;
struct Door {
  std::uint16_t room;
  float angle;
  std::int8_t hp;
  bool lit;
  bool locked;
};
struct World {
  std::uint64_t seed;
  Door doors[2];
  Material cells[3][4];
  double light;
  Box bounds;
  float speed;
  std::uint16_t grid[2][3];
  bool frozen;
};
}  // namespace voxel::v2

namespace voxel::v3 {
using v1::Box;
struct Door {
  std::uint16_t room;
  float angle;
  std::int32_t hp;
  bool lit;
  bool locked;
};
struct World {
  std::uint64_t seed;
  Door doors[2];
  Material cells[3][4];
  double light;
  Box bounds;
  double speed;
  std::uint16_t grid[2][3];
  bool frozen;
};
}  // namespace voxel::v3

namespace voxel::v4 {
struct Box {
  Vec3 low, high;
  double volume;
};
using v3::Door;
struct World {
  std::uint64_t seed;
  Door doors[2];
  Material cells[3][4];
  double light;
  Box bounds;
  double speed;
  std::uint16_t grid[2][3];
  std::array<std::int16_t, 3> tags;
  bool frozen;
};
}  // namespace voxel::v4

namespace voxel::v5 {
using v4::Box;
using v4::Door;
struct World {
  std::uint64_t seed;
  Door doors[5];
  Material cells[3][4];
  double light;
  Box bounds;
  double speed;
  std::uint16_t grid[2][3];
  std::array<std::int16_t, 3> tags;
  bool frozen;
};
}  // namespace voxel::v5

namespace voxel::v6 {
using v5::Box;
using v5::Door;
struct World {
  std::uint64_t seed;
  Door doors[5];
  Material cells[3][4];
  Box bounds;
  double speed;
  std::uint32_t grid[3][2];
  std::array<std::int16_t, 3> tags;
  bool frozen;
};
}  // namespace voxel::v6

namespace voxel::v9 {
using v6::Box;
struct Door {
  std::uint16_t room;
  float angle;
  std::int32_t hp;
  Flag flags;
};
struct World {
  std::uint64_t seed;
  Door doors[5];
  Material cells[3][4];
  Box bounds;
  double speed;
  std::uint32_t grid[3][2];
  std::array<std::int16_t, 3> tags;
  bool frozen;
};
}  // namespace voxel::v9

namespace voxel {

/// Returns the bytes of a struct with an old layout, including its padding.
template <class Old>
std::vector<std::byte> BytesOf(const Old& old) {
  std::vector<std::byte> bytes(sizeof(Old));
  std::memcpy(bytes.data(), &old, sizeof(Old));
  return bytes;
}

/// Returns a world of any revision, with values for the fields that all revisions have in common.
template <class Old>
Old SomeWorld() {
  Old world;
  std::memset(static_cast<void*>(&world), 0xA5,
              sizeof world);  // the padding contains garbage, as in files written with fwrite
  world.seed = 0x1122334455667788;
  std::uint16_t n = 0;
  for (auto& door : world.doors) {
    ++n;
    door.room = static_cast<std::uint16_t>(1000 + n);
    if constexpr (requires { door.open; }) door.open = n == 1;
    if constexpr (requires { door.angle; }) door.angle = 10.5F * static_cast<float>(n);
    door.hp = static_cast<decltype(door.hp)>(-100 - n);
    if constexpr (requires { door.lit; }) door.lit = n == 2;
    if constexpr (requires { door.locked; }) door.locked = n == 1;
    if constexpr (requires { door.flags; })
      door.flags = n == 3 ? Flag::Lit | Flag::Hidden : Flag::Locked;
  }
  for (int y = 0; y < 3; ++y) {
    for (int x = 0; x < 4; ++x) world.cells[y][x] = static_cast<Material>((y + x) % 3);
  }
  if constexpr (requires { world.light; }) world.light = 0.25;
  world.bounds.low = {1, 2, 3};
  world.bounds.high = {2, 4, 8};
  if constexpr (requires { world.bounds.volume; }) world.bounds.volume = 77;
  world.speed = static_cast<decltype(world.speed)>(-2.75);
  std::uint16_t g = 0;
  for (auto& row : world.grid) {
    for (auto& cell : row) cell = static_cast<std::remove_reference_t<decltype(cell)>>(60000 + g++);
  }
  if constexpr (requires { world.tags; }) world.tags = {-7, 8, -9};
  world.frozen = true;
  return world;
}

}  // namespace voxel
