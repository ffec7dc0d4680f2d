// Levels of every build load; what is gone is left out; pointers lead where they led.
#include "example_test.h"

#include "known_level.h"
#include "master_version_list.revctl.h"

namespace actors {
namespace {

/// A level in saves/, with its actors by name.
struct Saved {
  explicit Saved(const std::string& name) {
    const revctl::Status status = revctl::Load(example::Bytes(example::File("saves/" + name + ".save")), level);
    INFO(name << ": " << status.message());
    REQUIRE(status);
  }
  Actor* Find(const std::string& name) const {
    for (const auto& actor : level.actors) {
      if (actor->name == name) return actor.get();
    }
    return nullptr;
  }
  Level level;
};

TEST_CASE("pointers lead to the same actors in levels of every build", "[actors]") {
  for (const std::string name : {"r1", "r2", "r3", "today"}) {
    const Saved saved(name);
    INFO(name);
    Actor* const ann = saved.Find("Ann");
    Actor* const rex = saved.Find("Rex");
    REQUIRE(ann != nullptr);
    REQUIRE(rex != nullptr);
    CHECK(rex->target == ann);                          // who comes first in the file does not matter
    CHECK(ann->allies.front() == rex);
    CHECK(ann->allies.back() == ann);                   // itself
    REQUIRE(dynamic_cast<Knight*>(ann) != nullptr);     // made by the name of its class
    CHECK(dynamic_cast<Knight*>(ann)->mount == (name == "r1" ? nullptr : rex));
    CHECK(dynamic_cast<Knight*>(ann)->speed == (name == "r1" ? 4.0F : 12.0F));  // AfterLink
  }
}

TEST_CASE("hounds of older builds are wolves", "[actors]") {
  for (const std::string name : {"r1", "r2", "r3", "today"}) {
    const Saved saved(name);
    const auto* const wolf = dynamic_cast<const Wolf*>(saved.Find("Rex"));
    REQUIRE(wolf != nullptr);
    CHECK(wolf->hunger == -3);
  }
}

TEST_CASE("a class that no longer exists: its actors are left out, and pointers to them are null", "[actors]") {
  for (const std::string name : {"r1", "r2", "r3"}) {
    const Saved saved(name);
    INFO(name);
    CHECK(saved.Find("bat") == nullptr);
    CHECK(saved.Find("Ann")->target == nullptr);        // it was the bat
    REQUIRE(saved.Find("Ann")->allies.size() == 3);
    CHECK(saved.Find("Ann")->allies[1] == nullptr);
  }
}

TEST_CASE("what an actor owns comes with it", "[actors]") {
  const Saved saved("r3");
  const auto* const chest = dynamic_cast<const Chest*>(saved.Find("chest"));
  REQUIRE(chest != nullptr);
  REQUIRE(chest->inside != nullptr);
  CHECK(chest->inside->gold == 900);
  CHECK(chest->lockedBy == saved.Find("Ann"));
}

TEST_CASE("a class that nobody registered is an error", "[actors]") {
  struct Ghost : Actor {};
  Level level = KnownLevel();
  level.actors.push_back(std::make_unique<Ghost>());
  std::vector<std::byte> file;
  const revctl::Status status = revctl::Save(SR_LATEST, level, file);
  INFO(status.message());
  CHECK_FALSE(status);
  CHECK_THAT(status.message(), Catch::Contains("not registered"));
  CHECK_THAT(status.message(), Catch::Contains("Level.actors") && Catch::Contains("Ghost"));
  CHECK_THAT(status.message(), !Catch::Contains("object 1"));  // she is fine
}

TEST_CASE("a level for builds that did not update", "[actors]") {
  // No chests then: they stay behind, and nobody points at them.
  Level level = KnownLevel();
  std::erase_if(level.actors, [](const auto& actor) { return dynamic_cast<const Chest*>(actor.get()) != nullptr; });
  for (const auto& actor : level.actors) actor->target = nullptr;
  std::vector<std::byte> file;
  const revctl::Status status = revctl::Save(SR_MOUNTS, level, file);
  INFO(status.message());
  REQUIRE(status);
  Level again;
  REQUIRE(revctl::Load(file, again));
  CHECK(again.actors.size() == 2);
}

}  // namespace
}  // namespace actors
