#include <revctl/objects.h>
#include <catch2/catch.hpp>

// Tests arrays of pointers and removed pointers as members.
namespace refs {

enum Rev { SR_FIRST = 1, SR_SLOTS = 2, SR_LATEST = SR_SLOTS };

struct Sword {
  std::int32_t edge = 0;
};
SERIALIZE_TYPE(Sword) { ADD(SR_FIRST, edge); }
SERIALIZE_END

struct Hero {
  std::int32_t number = 0;
  Hero* rival = nullptr;
  std::unique_ptr<Sword> sword;
  std::array<Hero*, 3> friends{};
  std::unique_ptr<Sword> slots[2];
};
/// Before SR_SLOTS, a hero had a single pointer of each kind, under a different name.
SERIALIZE_TYPE(Hero) {
  ADD(SR_FIRST, number);
  REM_REF(SR_FIRST, SR_SLOTS, Hero*, enemy);
  REM_REF(SR_FIRST, SR_SLOTS, std::unique_ptr<Sword>, weapon);
  ADD_REF(SR_SLOTS, rival);
  ADD_REF(SR_SLOTS, friends);
  ADD_REF(SR_SLOTS, slots);
  if (r.IsReading() && r.revision < SR_SLOTS) {
    d.rival = enemy;
    d.slots[1] = std::move(weapon);
  }
}
SERIALIZE_END

struct OldHero {
  std::int32_t number = 0;
  OldHero* enemy = nullptr;
  std::unique_ptr<Sword> weapon;
};
SERIALIZE_TYPE(OldHero) {
  ADD(SR_FIRST, number);
  ADD_REF(SR_FIRST, enemy);
  ADD_REF(SR_FIRST, weapon);
}
SERIALIZE_END

revctl::ObjectClasses Old() {
  return revctl::ObjectClasses().Add<OldHero>("Hero").Add<Sword>("Sword");
}
revctl::ObjectClasses Now() {
  return revctl::ObjectClasses().Add<Hero>("Hero").Add<Sword>("Sword");
}

}  // namespace refs

using namespace refs;

TEST_CASE("refs: a removed pointer is read, whether it owns its object or not", "[objects]") {
  std::vector<std::unique_ptr<OldHero>> old(2);
  for (int i = 0; i < 2; ++i)
    old[static_cast<std::size_t>(i)] = std::make_unique<OldHero>(OldHero{i, nullptr, nullptr});
  old[0]->enemy = old[1].get();
  old[1]->enemy = old[0].get();
  old[1]->weapon = std::make_unique<Sword>(Sword{7});
  std::vector<std::byte> file;
  REQUIRE(revctl::SaveObjects(SR_FIRST, Old(), old, file).Ok());

  std::vector<std::unique_ptr<Hero>> heroes;
  REQUIRE(revctl::LoadObjects(file, Now(), heroes, SR_LATEST).message() == "");
  REQUIRE(heroes.size() == 2);
  CHECK(heroes[0]->rival == heroes[1].get());
  CHECK(heroes[1]->rival == heroes[0].get());
  CHECK(heroes[0]->slots[1] == nullptr);
  REQUIRE(heroes[1]->slots[1] != nullptr);
  CHECK(heroes[1]->slots[1]->edge == 7);

  // In files for the old build, pointers that have since been removed are null.
  REQUIRE(revctl::SaveObjects(SR_FIRST, Now(), heroes, file).Ok());
  REQUIRE(revctl::LoadObjects(file, Old(), old, SR_LATEST).Ok());
  CHECK(old[0]->enemy == nullptr);
  CHECK(old[1]->weapon == nullptr);
}

TEST_CASE("refs: arrays of owning and non-owning pointers", "[objects]") {
  std::vector<std::unique_ptr<Hero>> heroes;
  for (int i = 0; i < 3; ++i) {
    heroes.push_back(std::make_unique<Hero>());
    heroes.back()->number = i;
  }
  heroes[0]->friends = {heroes[2].get(), nullptr, heroes[0].get()};
  heroes[2]->slots[0] = std::make_unique<Sword>(Sword{3});
  heroes[2]->slots[1] = std::make_unique<Sword>(Sword{4});
  std::vector<std::byte> file;
  REQUIRE(revctl::SaveObjects(SR_LATEST, Now(), heroes, file).Ok());

  std::vector<std::unique_ptr<Hero>> back;
  REQUIRE(revctl::LoadObjects(file, Now(), back, SR_LATEST).message() == "");
  REQUIRE(back.size() == 3);
  CHECK(back[0]->friends == std::array<Hero*, 3>{back[2].get(), nullptr, back[0].get()});
  CHECK(back[1]->friends == std::array<Hero*, 3>{});
  CHECK(back[2]->slots[0]->edge == 3);
  CHECK(back[2]->slots[1]->edge == 4);
  std::vector<std::byte> again;
  REQUIRE(revctl::SaveObjects(SR_LATEST, Now(), back, again).Ok());
  CHECK(again == file);
}

namespace refs {

struct Crowd {
  std::vector<Crowd*> knows;
};
SERIALIZE_TYPE(Crowd) { ADD_REF(1, knows); }
SERIALIZE_END

}  // namespace refs

TEST_CASE("refs: adding to a table of classes in place keeps its classes", "[objects]") {
  revctl::ObjectClasses classes;
  classes = std::move(classes).Add<Hero>("Hero").OnDangling(revctl::Stray::Drop);
  classes = std::move(classes).Add<Sword>("Sword");
  CHECK(classes.All().size() == 2);
  CHECK(classes.Find("Hero") != nullptr);
  CHECK(classes.on_dangling() == revctl::Stray::Drop);
}

TEST_CASE("refs: a million pointers to one unsaved object cause one error", "[objects]") {
  std::vector<std::unique_ptr<Crowd>> crowd;
  for (int i = 0; i < 200000; ++i) crowd.push_back(std::make_unique<Crowd>());
  Crowd stranger;
  crowd[0]->knows.assign(1000000, &stranger);
  std::vector<std::byte> file;
  const auto classes = revctl::ObjectClasses().Add<Crowd>("Crowd");
  CHECK_THAT(revctl::SaveObjects(1, classes, crowd, file).message(),
             Catch::Contains("points at a refs::Crowd that is not saved"));
  CHECK(file.empty());
}
