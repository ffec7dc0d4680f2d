#include <catch2/catch.hpp>

#include "actors.h"

namespace {

using namespace game;

void CheckActors(const Actors& actors) {
  REQUIRE(actors.size() == 3);
  auto* goblin = dynamic_cast<Goblin*>(actors[0].get());
  auto* door = dynamic_cast<Door*>(actors[1].get());
  Actor* plain = actors[2].get();
  REQUIRE(goblin != nullptr);
  REQUIRE(door != nullptr);
  REQUIRE(typeid(*plain) == typeid(Actor));
  CHECK(goblin->anger == -7);
  CHECK(goblin->target == door);
  CHECK(door->target == goblin);
  CHECK(plain->target == plain);
  CHECK(goblin->followers == std::vector<Actor*>{plain, nullptr, door, goblin});
  CHECK(door->key == door);
  CHECK(door->label == "gate");
  CHECK(door->open);
  CHECK(goblin->linked == 5);  // AfterLink sees the hp of the door, which is read later
}

void CheckThings(const Actors& actors) {
  auto* bow = dynamic_cast<Bow*>(actors[0]->weapon.get());
  REQUIRE(bow != nullptr);
  CHECK(bow->name == "long");
  CHECK(bow->reach == 2.5F);
  CHECK(actors[1]->wanted == bow);
  CHECK(actors[1]->weapon == nullptr);
}

void CheckTeams(const Actors& actors) {
  REQUIRE(actors[0]->team != nullptr);
  CHECK(actors[0]->team == actors[2]->team);
  CHECK(actors[0]->team->name == "red");
  CHECK(actors[1]->team->name == "blue");
  CHECK(actors[0]->team->enemy.lock() == actors[1]->team);
  CHECK(actors[1]->team->enemy.lock() == actors[0]->team);
  CHECK(actors[0]->team.use_count() == 2);
}

std::vector<std::byte> Saved(const Actors& actors, int revision = SR_LATEST,
                             const revctl::ObjectClasses& classes = Classes()) {
  std::vector<std::byte> bytes;
  const revctl::Status status = revctl::SaveObjects(revision, classes, actors, bytes);
  INFO(status.message());
  REQUIRE(status.Ok());
  return bytes;
}

}  // namespace

TEST_CASE("objects: a round trip restores a graph", "[objects]") {
  const auto bytes = Saved(SomeActors());
  CHECK(Actor::alive == 0);
  Actors actors;
  const revctl::Status status = revctl::LoadObjects(bytes, Classes(), actors, SR_LATEST);
  INFO(status.message());
  REQUIRE(status.Ok());
  CheckActors(actors);
  CheckThings(actors);
  CheckTeams(actors);
  CHECK(Saved(actors) == bytes);
  actors.clear();
  CHECK(Actor::alive == 0);
}

TEST_CASE("objects: older revisions are written and read", "[objects]") {
  Actors actors;
  REQUIRE(revctl::LoadObjects(Saved(SomeActors(), SR_WEAPONS), Classes(), actors, SR_LATEST).Ok());
  CheckActors(actors);
  CheckThings(actors);
  CHECK(actors[0]->team == nullptr);
  Actors first;
  REQUIRE(revctl::LoadObjects(Saved(SomeActors(), SR_INITIAL), Classes(), first, SR_LATEST).Ok());
  CheckActors(first);
  CHECK(first[0]->weapon == nullptr);
}

TEST_CASE("objects: a stream in a body next to other fields", "[objects]") {
  Level level{"cave", SomeActors(), nullptr, 77};
  revctl::Writer w(SR_LATEST);
  Serialize(w, level);
  REQUIRE(w.Ok());
  Level back;
  revctl::Reader r(w.Bytes(), SR_LATEST);
  Serialize(r, back);
  INFO(r.error().path << ": " << r.error().reason);
  REQUIRE(r.AtEnd());
  CHECK(back.after == 77);
  CheckActors(back.actors);
  CheckTeams(back.actors);
}

TEST_CASE("objects: a file with a checksum", "[objects]") {
  const revctl::FileFormat summed{.checksum = true};
  std::vector<std::byte> bytes;
  REQUIRE(revctl::SaveObjects(SR_LATEST, Classes(), SomeActors(), bytes, summed).Ok());
  Actors back;
  REQUIRE(revctl::LoadObjects(bytes, Classes(), back, SR_LATEST, nullptr, summed).Ok());
  CHECK(back.size() == SomeActors().size());
  bytes[20] ^= std::byte{1};
  CHECK(revctl::LoadObjects(bytes, Classes(), back, SR_LATEST, nullptr, summed).kind() ==
        revctl::Status::Kind::Corrupt);
}

TEST_CASE("objects: roots may be raw, shared, single or named", "[objects]") {
  const Actors owner = SomeActors();
  std::vector<std::byte> bytes;
  const std::vector<Actor*> raw = {owner[2].get(), owner[0].get(), nullptr, owner[1].get()};
  REQUIRE(revctl::SaveObjects(SR_LATEST, Classes(), raw, bytes).Ok());
  std::vector<Actor*> back;
  REQUIRE(revctl::LoadObjects(bytes, Classes(), back, SR_LATEST).Ok());
  REQUIRE(back.size() == 4);
  CHECK(back[2] == nullptr);
  CHECK(back[1]->target == back[3]);
  for (const int i : {0, 1, 3}) delete back[static_cast<std::size_t>(i)];

  std::map<std::string, std::shared_ptr<Actor>> named;
  named["boss"] = std::make_shared<Goblin>();
  named["pet"] = std::make_shared<Actor>();
  named["pet"]->target = named["boss"].get();
  REQUIRE(revctl::SaveObjects(SR_LATEST, Classes(), named, bytes).Ok());
  std::map<std::string, std::shared_ptr<Actor>> again;
  REQUIRE(revctl::LoadObjects(bytes, Classes(), again, SR_LATEST).Ok());
  CHECK(again["pet"]->target == again["boss"].get());
  CHECK(dynamic_cast<Goblin*>(again["boss"].get()) != nullptr);

  std::unique_ptr<Actor> one = std::make_unique<Goblin>(), other;
  REQUIRE(revctl::SaveObjects(SR_LATEST, Classes(), one, bytes).Ok());
  REQUIRE(revctl::LoadObjects(bytes, Classes(), other, SR_LATEST).Ok());
  CHECK(dynamic_cast<Goblin*>(other.get()) != nullptr);
}

TEST_CASE("objects: a pointer to an unsaved object is an error", "[objects]") {
  Actors actors = SomeActors();
  Actor stranger;
  actors[2]->target = &stranger;
  std::vector<std::byte> bytes;
  revctl::Status status = revctl::SaveObjects(SR_LATEST, Classes(), actors, bytes);
  CHECK_FALSE(status.Ok());
  CHECK(status.message().find("points at a game::Actor that is not saved") != std::string::npos);
  CHECK(bytes.empty());

  const auto lenient = AllClasses().OnDangling(revctl::Stray::Drop);
  REQUIRE(revctl::SaveObjects(SR_LATEST, lenient, actors, bytes).Ok());
  Actors back;
  REQUIRE(revctl::LoadObjects(bytes, Classes(), back, SR_LATEST).Ok());
  CHECK(back[2]->target == nullptr);
  CHECK(back[0]->target == back[1].get());
  CHECK(actors[2]->target == &stranger);  // writing never changes the object
}

TEST_CASE("objects: only registered classes are saved if others are dropped", "[objects]") {
  const auto chosen = revctl::ObjectClasses()
                          .Add<Actor>("Actor")
                          .Add<Goblin, Actor>("Goblin")
                          .Add<Weapon>("Weapon")
                          .Add<Bow, Weapon>("Bow")
                          .Add<Team>("Team")
                          .OnOthers(revctl::Stray::Drop)
                          .OnDangling(revctl::Stray::Drop);
  const Actors actors = SomeActors();
  const auto bytes = Saved(actors, SR_LATEST, chosen);
  Actors back;
  REQUIRE(revctl::LoadObjects(bytes, Classes(), back, SR_LATEST).Ok());
  REQUIRE(back.size() == 3);
  CHECK(back[1] == nullptr);  // the door
  CHECK(back[0]->target == nullptr);
  CHECK(back[0]->followers == std::vector<Actor*>{back[2].get(), nullptr, nullptr, back[0].get()});

  const auto strict = revctl::ObjectClasses().Add<Actor>("Actor").Add<Team>("Team");
  std::vector<std::byte> none;
  const revctl::Status status = revctl::SaveObjects(SR_LATEST, strict, actors, none);
  CHECK(status.message().find("not registered") != std::string::npos);
}

TEST_CASE("objects: a retired class is dropped with everything that it owned", "[objects]") {
  const auto bytes = Saved(SomeActors());
  const auto without = [] {
    return revctl::ObjectClasses()
        .Add<Actor>("Actor")
        .Add<Door, Actor, Usable>("Door")
        .Add<Weapon>("Weapon")
        .Add<Bow, Weapon>("Bow")
        .Add<Team>("Team");
  };
  Actors actors;
  revctl::Status status = revctl::LoadObjects(bytes, without(), actors, SR_LATEST);
  CHECK(status.kind() == revctl::Status::Kind::Corrupt);
  CHECK(status.message().find("class `Goblin` is unknown") != std::string::npos);
  CHECK(Actor::alive == 0);

  REQUIRE(revctl::LoadObjects(bytes, without().Retired("Goblin"), actors, SR_LATEST).Ok());
  REQUIRE(actors.size() == 3);
  CHECK(actors[0] == nullptr);
  CHECK(actors[1]->target == nullptr);
  CHECK(actors[1]->wanted == nullptr);    // dropped with its owner, the goblin
  CHECK(actors[2]->team->name == "red");  // the team stays, because other objects share it
  CHECK(actors[2]->team.use_count() == 1);

  std::vector<revctl::KeptObject> kept;
  REQUIRE(
      revctl::LoadObjects(bytes, without().OnUnknown(revctl::Stray::Keep), actors, SR_LATEST, &kept)
          .Ok());
  REQUIRE(kept.size() == 1);
  CHECK(kept[0].class_name == "Goblin");
  CHECK(kept[0].id == 1);
  std::int32_t hp = 0;
  revctl::detail::CopyValue<std::int32_t>(&hp, kept[0].bytes.data());
  CHECK(hp == 31);
}

TEST_CASE("objects: a renamed class and a class with a factory", "[objects]") {
  const auto old_build = revctl::ObjectClasses().Add<Actor>("Character").Add<Team>("Team");
  Actors actors;
  actors.push_back(std::make_unique<Actor>());
  actors[0]->hp = 3;
  const auto bytes = Saved(actors, SR_LATEST, old_build);
  const auto renamed = revctl::ObjectClasses()
                           .Add<Actor>("Actor",
                                       [] {
                                         auto* actor = new Actor;
                                         actor->linked = 99;
                                         return actor;
                                       })
                           .Renamed("Character", "Actor");
  Actors back;
  REQUIRE(revctl::LoadObjects(bytes, renamed, back, SR_LATEST).Ok());
  CHECK(back[0]->hp == 3);
  CHECK(back[0]->linked == 99);
}

TEST_CASE("objects: files for older builds use old class names", "[objects]") {
  const auto name_at = [](const revctl::ObjectClasses& classes, int revision) {
    Actors actors;
    actors.push_back(std::make_unique<Actor>());
    const auto bytes = Saved(actors, revision, classes);
    // The first class name (a length and the letters) follows the header and a count.
    const auto size = std::to_integer<std::size_t>(bytes[20]);
    return std::string(reinterpret_cast<const char*>(bytes.data()) + 24, size);
  };
  // Specify two renames, either as a chain or both with the final name. A rename without a revision
  // affects only reading.
  const auto steps = revctl::ObjectClasses()
                         .Add<Actor>("Imp")
                         .Renamed("Orc", "Goblin", 2)
                         .Renamed("Goblin", "Imp", 3);
  const auto direct = revctl::ObjectClasses()
                          .Add<Actor>("Imp")
                          .Renamed("Goblin", "Imp", 3)
                          .Renamed("Orc", "Imp", 2);
  for (const revctl::ObjectClasses* classes : {&steps, &direct}) {
    CHECK(name_at(*classes, 1) == "Orc");
    CHECK(name_at(*classes, 2) == "Goblin");
    CHECK(name_at(*classes, 3) == "Imp");
  }
  CHECK(name_at(revctl::ObjectClasses().Add<Actor>("Imp").Renamed("Orc", "Imp"), 1) == "Imp");
}

TEST_CASE("objects: pointers outside of a stream are errors unless null", "[objects]") {
  Actor lonely;
  revctl::Writer fine(SR_LATEST);
  Serialize(fine, lonely);
  CHECK(fine.Ok());  // null pointers are written as id 0
  lonely.target = &lonely;
  revctl::Writer w(SR_LATEST);
  Serialize(w, lonely);
  CHECK_FALSE(w.Ok());
  CHECK(w.error().reason.find("cannot save a pointer outside of an object stream") == 0);
}
