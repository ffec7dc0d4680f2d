#include <revctl/objects.h>
#include <catch2/catch.hpp>

#include <map>

// Tests files that are written for older builds, which do not know a class that was added later.
namespace since {

enum Rev { SR_FIRST = 1, SR_CHESTS = 2, SR_LOCKS = 3, SR_LATEST = SR_LOCKS };

struct Gem {
  std::int32_t carats = 0;
};
SERIALIZE_TYPE(Gem) { ADD(SR_FIRST, carats); }
SERIALIZE_END

struct Thing {
  virtual ~Thing() = default;
  std::int32_t number = 0;
  Thing* beside = nullptr;
  const Gem* wanted = nullptr;
  std::unique_ptr<Thing> pocket;
  std::shared_ptr<Gem> ours;
};
SERIALIZE_TYPE(Thing) {
  ADD(SR_FIRST, number);
  ADD_REF(SR_FIRST, beside);
  ADD_REF(SR_FIRST, wanted);
  ADD_REF(SR_FIRST, pocket);
  ADD_REF(SR_FIRST, ours);
}
SERIALIZE_END

struct Chest : Thing {
  std::unique_ptr<Gem> gem;  // saved only since SR_LOCKS
  std::vector<std::unique_ptr<Thing>> inside;
};
SERIALIZE_TYPE(Chest) {
  ADD_BASE(SR_CHESTS, Thing);
  ADD_REF(SR_CHESTS, inside);
  ADD_REF(SR_LOCKS, gem);
}
SERIALIZE_END

using Things = std::vector<std::unique_ptr<Thing>>;

/// The classes known to the build at revision 1.
revctl::ObjectClasses Old() { return revctl::ObjectClasses().Add<Thing>("Thing").Add<Gem>("Gem"); }
revctl::ObjectClasses Now() { return Old().Add<Chest, Thing>("Chest", SR_CHESTS); }

/// Returns a thing, a null pointer, a chest that contains things and a gem, and a thing with a
/// chest in its pocket. The things point to a chest or into one.
Things SomeThings() {
  Things things(4);
  things[0] = std::make_unique<Thing>();
  auto chest = std::make_unique<Chest>();
  things[3] = std::make_unique<Thing>();
  for (int i = 0; i < 2; ++i) chest->inside.push_back(std::make_unique<Thing>());
  chest->gem = std::make_unique<Gem>();
  chest->ours = std::make_shared<Gem>();
  chest->ours->carats = 9;
  chest->beside = things[0].get();
  things[0]->number = 10;
  things[0]->beside = chest.get();
  things[0]->wanted = chest->gem.get();
  things[0]->ours = chest->ours;
  things[3]->number = 13;
  things[3]->beside = chest->inside[1].get();
  things[3]->wanted = chest->ours.get();
  auto pocket = std::make_unique<Chest>();
  pocket->inside.push_back(std::make_unique<Chest>());
  things[3]->pocket = std::move(pocket);
  things[2] = std::move(chest);
  return things;
}

}  // namespace since

using namespace since;

TEST_CASE("since: files for older builds omit newer classes and what they own",
          "[objects][since]") {
  const Things things = SomeThings();
  std::vector<std::byte> file;
  REQUIRE(revctl::SaveObjects(SR_FIRST, Now(), things, file).message() == "");
  Things back;
  REQUIRE(revctl::LoadObjects(file, Old(), back, SR_LATEST).message() == "");
  REQUIRE(back.size() == 3);  // without the chest
  CHECK(back[1] == nullptr);  // a null root is kept
  CHECK(back[0]->number == 10);
  CHECK(back[0]->beside == nullptr);  // pointed to the chest
  CHECK(back[0]->wanted == nullptr);  // pointed to the gem in the chest
  REQUIRE(back[0]->ours != nullptr);  // kept, because an object in the file shares it
  CHECK(back[0]->ours->carats == 9);
  CHECK(back[0]->ours.use_count() == 1);
  CHECK(back[2]->number == 13);
  CHECK(back[2]->beside == nullptr);  // pointed to a thing in the omitted chest
  CHECK(back[2]->pocket == nullptr);
  CHECK(back[2]->wanted == back[0]->ours.get());
  CHECK(things[0]->beside == things[2].get());  // writing never changes the object
}

TEST_CASE("since: files for builds that know the class contain its objects", "[objects][since]") {
  for (const Rev revision : {SR_CHESTS, SR_LOCKS}) {
    Things things = SomeThings();
    if (revision < SR_LOCKS)
      things[0]->wanted =
          nullptr;  // at this revision the gem is not saved, so this pointer would dangle
    std::vector<std::byte> file;
    REQUIRE(revctl::SaveObjects(revision, Now(), things, file).message() == "");
    Things back;
    REQUIRE(revctl::LoadObjects(file, Now(), back, SR_LATEST).message() == "");
    REQUIRE(back.size() == 4);
    CHECK(back[0]->beside == back[2].get());
    CHECK(back[3]->beside == dynamic_cast<Chest&>(*back[2]).inside[1].get());
    CHECK(dynamic_cast<Chest*>(back[3]->pocket.get()) != nullptr);
  }
}

TEST_CASE("since: a pointer to an unsaved object is still an error", "[objects][since]") {
  Things things = SomeThings();
  Thing stranger;
  things[3]->beside = &stranger;
  std::vector<std::byte> file;
  CHECK_THAT(revctl::SaveObjects(SR_FIRST, Now(), things, file).message(),
             Catch::Contains("that is not saved"));
}

TEST_CASE("since: omitted objects become null in maps and arrays of roots", "[objects][since]") {
  std::map<std::string, std::unique_ptr<Thing>> named;
  named["chest"] = std::make_unique<Chest>();
  named["thing"] = std::make_unique<Thing>();
  named["thing"]->beside = named["chest"].get();
  std::vector<std::byte> file;
  REQUIRE(revctl::SaveObjects(SR_FIRST, Now(), named, file).message() == "");
  std::map<std::string, std::unique_ptr<Thing>> back;
  REQUIRE(revctl::LoadObjects(file, Old(), back, SR_LATEST).message() == "");
  REQUIRE(back.size() == 2);
  CHECK(back["chest"] == nullptr);
  CHECK(back["thing"]->beside == nullptr);
}

TEST_CASE("since: a class with a factory", "[objects][since]") {
  const auto made = [] {
    auto* chest = new Chest;
    chest->gem = std::make_unique<Gem>();
    return chest;
  };
  const auto classes = Old().Add<Chest, Thing>("Chest", made, SR_LOCKS);
  Things things;
  things.push_back(std::make_unique<Chest>());
  for (const Rev revision : {SR_CHESTS, SR_LOCKS}) {
    std::vector<std::byte> file;
    REQUIRE(revctl::SaveObjects(revision, classes, things, file).message() == "");
    Things back;
    REQUIRE(revctl::LoadObjects(file, classes, back, SR_LATEST).message() == "");
    CHECK(back.size() == (revision < SR_LOCKS ? 0 : 1));
  }
}
