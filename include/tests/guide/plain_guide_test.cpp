#include <catch2/catch.hpp>

// The code of docs/guide/plain.md. It specializes a library template, so it is at global scope in a
// separate program.
#include "plain.md.inc"

TEST_CASE("guide: plain", "[guide]") {
  std::string complaint;
  CHECK(StartUp(complaint));
  CHECK(complaint.empty());
  World world{};
  world.seed = 7;
  world.doors[1].angle = 45;
  std::vector<std::byte> file;
  REQUIRE(SaveWorld(world, file).Ok());
  CHECK(file.size() == 16 + sizeof(World));
  World back;
  REQUIRE(LoadWorld(file, back).Ok());
  CHECK(back.doors[1].angle == 45);

  const auto old = ForOldBuilds(world);
  REQUIRE(old.size() == 24);
  REQUIRE(revctl::ReadPlain(old, SR_INITIAL, back).Ok());
  CHECK(back.seed == 7);
  CHECK(back.doors[7].health == 100);

  const Door door = OldDoor();
  CHECK(door.room == 3);
  CHECK(door.angle == 90);
  CHECK(door.health == -2);
  CHECK(door.wood == Wood::Pine);

  auto bad = old;
  bad[18] = std::byte{7};
  CHECK(revctl::ReadPlain(bad, SR_INITIAL, back).message() ==
        "World.doors[1].open at offset 18: a bool must be 0 or 1, not 7");

  const Lamp lamp{{1, 2, 3}, 4};
  std::vector<std::byte> old_lamp;
  REQUIRE(revctl::WritePlain(lamp, old_lamp, SR_INITIAL).Ok());
  CHECK(old_lamp.size() == 12);
  Lamp lit{};
  REQUIRE(revctl::ReadPlain(old_lamp, SR_INITIAL, lit).Ok());
  CHECK(lit.at.z == 3);
  CHECK(lit.light == 1);
}
