#include <catch2/catch.hpp>

#include <revctl/objects.h>
namespace objects_guide {
#include "objects.md.inc"
}

TEST_CASE("guide: objects", "[guide]") {
  using namespace objects_guide;
  Level level;
  auto knight = std::make_unique<Knight>();
  auto horse = std::make_unique<Actor>();
  knight->mount = horse.get();
  horse->followers = {knight.get()};
  knight->weapon = std::make_unique<Weapon>();
  knight->weapon->charges = 3;
  level.actors.push_back(std::move(knight));
  level.actors.push_back(std::move(horse));
  level.day = 9;
  std::vector<std::byte> file;
  REQUIRE(SaveLevel(level, file).Ok());
  Level back;
  REQUIRE(LoadLevel(file, back).Ok());
  CHECK(back.day == 9);
  auto* rider = dynamic_cast<Knight*>(back.actors[0].get());
  REQUIRE(rider != nullptr);
  CHECK(rider->mount == back.actors[1].get());
  CHECK(rider->speed == 12);
  CHECK(rider->weapon->charges == 3);
  CHECK(back.actors[1]->followers == std::vector<Actor*>{rider});

  Museum museum;
  REQUIRE(revctl::Load(file, museum, SR_LATEST).kind() ==
          revctl::Status::Kind::Corrupt);  // because the day is saved after the objects
  std::vector<std::byte> stream;
  REQUIRE(revctl::SaveObjects(SR_LATEST, Classes(), level.actors, stream).Ok());
  REQUIRE(revctl::Load(stream, museum, SR_LATEST).message() == "");
  CHECK(museum.actors.size() == 2);
  CHECK(museum.left_over.size() == 2);  // the knight and the weapon
  CHECK(museum.left_over[0].class_name == "Knight");

  REQUIRE(SaveKnights(level.actors, file).Ok());
  std::vector<std::unique_ptr<Actor>> knights;
  REQUIRE(revctl::LoadObjects(file, Classes(), knights, SR_LATEST).Ok());
  CHECK(dynamic_cast<Knight*>(knights[0].get())->speed == 4);
}
