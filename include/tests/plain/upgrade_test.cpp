#include <catch2/catch.hpp>

#include "history.h"

namespace {

using namespace voxel;

World Read(const std::vector<std::byte>& bytes, int revision) {
  World world;
  const revctl::Status status = revctl::ReadPlain(bytes, revision, world);
  INFO(status.message());
  REQUIRE(status.Ok());
  return world;
}

/// Checks the values that a SomeWorld() of every revision has in common.
void CheckCommon(const World& world) {
  CHECK(world.seed == 0x1122334455667788);
  CHECK(world.doors[0].room == 1001);
  CHECK(world.doors[1].room == 1002);
  CHECK(world.doors[0].hp == -101);
  CHECK(world.doors[1].hp == -102);
  for (int y = 0; y < 3; ++y) {
    for (int x = 0; x < 4; ++x) CHECK(world.cells[y][x] == static_cast<Material>((y + x) % 3));
  }
  CHECK(world.bounds.low.z == 3);
  CHECK(world.bounds.high.z == 8);
  CHECK(world.speed == -2.75);
  CHECK(world.frozen);
}

/// Checks the doors that a hop added. The array had only two doors before the hop, and the other
/// three must equal the doors of a new world.
void CheckNewDoors(const World& world) {
  for (int i = 2; i < 5; ++i) {
    CHECK(world.doors[i].room == 7);
    CHECK(world.doors[i].hp == 100);
  }
}

/// Checks the hop from u16 grid[2][3] to u32 grid[3][2]. Elements keep their indices, and elements
/// that had no predecessor have default values.
void CheckRegridded(const World& world) {
  CHECK(world.grid[0][0] == 60000);
  CHECK(world.grid[0][1] == 60001);
  CHECK(world.grid[1][0] == 60003);
  CHECK(world.grid[1][1] == 60004);
  CHECK(world.grid[2][0] == 94);
  CHECK(world.grid[2][1] == 95);
}

}  // namespace

TEST_CASE("plain: a file at revision 1 runs every hop", "[plain][upgrade]") {
  const World world = Read(BytesOf(SomeWorld<v1::World>()), 1);
  CheckCommon(world);
  CheckNewDoors(world);
  CheckRegridded(world);
  CHECK(world.doors[0].angle == 90);  // set by the hop, because the door is open
  CHECK(world.doors[1].angle == 0);
  CHECK(world.doors[0].flags == Flag::Locked);  // `locked` begins at 2 and defaults to true
  CHECK(world.doors[1].flags == (Flag::Lit | Flag::Locked));
  CHECK(world.bounds.volume == 10);  // 1 * 2 * 5, computed by the world's handler
  CHECK(world.tags == std::array<std::int16_t, 3>{1, -2, 3});
}

TEST_CASE("plain: files at intermediate revisions are upgraded", "[plain][upgrade]") {
  const World two = Read(BytesOf(SomeWorld<v2::World>()), 2);
  CheckCommon(two);
  CheckNewDoors(two);
  CHECK(two.doors[0].angle == 10.5F);
  CHECK(two.doors[0].flags == Flag::Locked);
  CHECK(two.doors[1].flags == Flag::Lit);

  const World three = Read(BytesOf(SomeWorld<v3::World>()), 3);
  CheckCommon(three);
  CHECK(three.bounds.volume == 10);

  const World four = Read(BytesOf(SomeWorld<v4::World>()), 4);
  CheckCommon(four);
  CheckRegridded(four);
  CHECK(four.bounds.volume == 77);
  CHECK(four.tags == std::array<std::int16_t, 3>{-7, 8, -9});

  const World five = Read(BytesOf(SomeWorld<v5::World>()), 5);
  CheckCommon(five);
  CheckRegridded(five);
  CHECK(five.doors[4].room == 1005);

  for (const int revision : {6, 7, 8}) {
    const World six = Read(BytesOf(SomeWorld<v6::World>()), revision);
    CheckCommon(six);
    CHECK(six.grid[2][1] == 60005);
    CHECK(six.doors[0].flags == Flag::Locked);
    CHECK(six.doors[2].flags == Flag::None);
  }
}

TEST_CASE("plain: a file at the current revision is copied as it is", "[plain][upgrade]") {
  const World world = Read(BytesOf(SomeWorld<v9::World>()), SR_LATEST);
  CheckCommon(world);
  CHECK(world.doors[2].flags == (Flag::Lit | Flag::Hidden));
  std::vector<std::byte> again;
  REQUIRE(revctl::WritePlain(world, again).Ok());
  REQUIRE(again.size() == sizeof(World));
  World back;
  REQUIRE(revctl::ReadPlain(again, SR_LATEST, back).Ok());
  std::vector<std::byte> third;
  REQUIRE(revctl::WritePlain(back, third).Ok());
  CHECK(third == again);
}

TEST_CASE("plain: padding is written as zero and ignored when read", "[plain]") {
  std::vector<std::byte> a, b;
  auto world = std::make_unique<World>();
  for (const int garbage : {0xFF, 0x00}) {
    std::memset(static_cast<void*>(world.get()), garbage, sizeof(World));
    const World values = Read(BytesOf(SomeWorld<v9::World>()), SR_LATEST);
    // Copy field by field, to preserve the garbage in the padding.
    world->seed = values.seed;
    for (int i = 0; i < 5; ++i) {
      world->doors[i].room = values.doors[i].room;
      world->doors[i].angle = values.doors[i].angle;
      world->doors[i].hp = values.doors[i].hp;
      world->doors[i].flags = values.doors[i].flags;
    }
    std::memcpy(world->cells, values.cells, sizeof values.cells);
    world->bounds.low = values.bounds.low;
    world->bounds.high = values.bounds.high;
    world->bounds.volume = values.bounds.volume;
    world->speed = values.speed;
    // Copy row by row, because g++ -O2 warns about copying the whole array.
    for (int y = 0; y < 3; ++y) std::memcpy(world->grid[y], values.grid[y], sizeof values.grid[y]);
    world->tags = values.tags;
    world->frozen = values.frozen;
    REQUIRE(revctl::WritePlain(*world, garbage == 0 ? b : a).Ok());
  }
  CHECK(a == b);
  const std::size_t after_room = offsetof(World, doors) + sizeof(std::uint16_t);
  CHECK(a[after_room] == std::byte{0});
  CHECK(a[sizeof(World) - 1] == std::byte{0});
}

TEST_CASE("plain: a handler can reject a file", "[plain][upgrade]") {
  v2::World old = SomeWorld<v2::World>();
  old.seed = 666;
  World world;
  world.seed = 5;
  const revctl::Status status = revctl::ReadPlain(BytesOf(old), 2, world);
  CHECK(status.kind() == revctl::Status::Kind::Refused);
  CHECK(status.message() == "World: worlds of seed 666 are haunted");
  CHECK(world.seed == 5);
}

TEST_CASE("plain: errors name wrong bools and enums in files of any age", "[plain]") {
  World world;
  auto bytes = BytesOf(SomeWorld<v2::World>());
  bytes[offsetof(v2::World, doors) + sizeof(v2::Door) + offsetof(v2::Door, lit)] = std::byte{7};
  revctl::Status status = revctl::ReadPlain(bytes, 2, world);
  CHECK(status.kind() == revctl::Status::Kind::Corrupt);
  CHECK(status.message() == "World.doors[1].lit at offset " +
                                std::to_string(offsetof(v2::World, doors) + sizeof(v2::Door) +
                                               offsetof(v2::Door, lit)) +
                                ": a bool must be 0 or 1, not 7");

  bytes = BytesOf(SomeWorld<v9::World>());
  bytes[offsetof(v9::World, cells) + 6] = std::byte{3};
  status = revctl::ReadPlain(bytes, 9, world);
  CHECK(status.message() == "World.cells[1][2] at offset " +
                                std::to_string(offsetof(v9::World, cells) + 6) +
                                ": 3 has no enumerator");

  bytes = BytesOf(SomeWorld<v9::World>());
  bytes[offsetof(v9::World, doors) + offsetof(v9::Door, flags)] =
      std::byte{4};  // a bit that no flag has
  status = revctl::ReadPlain(bytes, 9, world);
  CHECK(status.message() ==
        "World.doors[0].flags at offset " +
            std::to_string(offsetof(v9::World, doors) + offsetof(v9::Door, flags)) +
            ": 4 has no enumerator");
}

TEST_CASE("plain: values that readers reject are not written", "[plain]") {
  World world;
  world.cells[2][3] = static_cast<Material>(200);
  std::vector<std::byte> out(3);
  const revctl::Status status = revctl::WritePlain(world, out);
  CHECK(status.kind() == revctl::Status::Kind::Corrupt);
  CHECK(status.message().find("World.cells[2][3]") == 0);
  CHECK(out.size() == 3);
}

TEST_CASE("plain: truncated, overlong and too old files are rejected", "[plain]") {
  World world;
  auto bytes = BytesOf(SomeWorld<v3::World>());
  bytes.push_back(std::byte{0});
  CHECK(revctl::ReadPlain(bytes, 3, world).message() ==
        "World at offset " + std::to_string(sizeof(v3::World)) + ": 1 bytes are left over");
  bytes.resize(10);
  CHECK(revctl::ReadPlain(bytes, 3, world).message() ==
        "World at offset 10: unexpected end of data; a record of revision 3 has size " +
            std::to_string(sizeof(v3::World)));
  CHECK(revctl::ReadPlain({}, 0, world).message() == "World has no fields yet at revision 0");
}

TEST_CASE("plain: files for older builds contain the fields that they know", "[plain][downgrade]") {
  const World today = Read(BytesOf(SomeWorld<v9::World>()), SR_LATEST);
  std::vector<std::byte> bytes;
  REQUIRE(revctl::WritePlain(today, bytes, SR_ANGLE).Ok());
  REQUIRE(bytes.size() == sizeof(v2::World));
  v2::World old;
  std::memcpy(&old, bytes.data(), sizeof old);
  CHECK(old.seed == today.seed);
  CHECK(old.doors[1].angle == today.doors[1].angle);
  CHECK(old.doors[1].hp == -102);  // an i32 whose value fits in an i8
  CHECK(old.doors[0].locked);      // the DEAD_WITH value
  CHECK_FALSE(old.doors[0].lit);
  CHECK(old.light == 0);
  CHECK(old.speed == -2.75F);
  CHECK(old.grid[1][1] == 60003);  // converted from u32[3][2] back to u16[2][3], index by index
  CHECK(old.grid[1][2] == 0);
  CHECK(old.bounds.high.y == 4);
  CHECK(old.frozen);

  for (int revision = 1; revision <= 9; ++revision) {
    std::vector<std::byte> first, second;
    REQUIRE(revctl::WritePlain(today, first, revision).Ok());
    World back;
    REQUIRE(revctl::ReadPlain(first, revision, back).Ok());
    CHECK(back.seed == today.seed);
    REQUIRE(revctl::WritePlain(back, second, revision).Ok());
    CHECK(second == first);
  }
}
