// Tests that levels of all builds load without removed classes, and pointers keep their targets.
#include "example_test.h"

#include "builds.h"
#include "known_level.h"

namespace actors {
namespace {

/// A level from saves/, whose actors can be looked up by name.
struct Saved {
  explicit Saved(const std::string& name) {
    const revctl::Status status =
        revctl::Load(example::Bytes(example::File("saves/" + name + ".save")), level);
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
    CHECK(rex->target == ann);  // the target comes later in the file
    CHECK(ann->allies.front() == rex);
    CHECK(ann->allies.back() == ann);                // an actor may point to itself
    REQUIRE(dynamic_cast<Knight*>(ann) != nullptr);  // created by its class name
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

TEST_CASE("actors of a removed class are left out, pointers become null", "[actors]") {
  for (const std::string name : {"r1", "r2", "r3"}) {
    const Saved saved(name);
    INFO(name);
    CHECK(saved.Find("bat") == nullptr);
    CHECK(saved.Find("Ann")->target == nullptr);  // the removed bat
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

TEST_CASE("a class without registration is an error", "[actors]") {
  struct Ghost : Actor {};
  Level level = KnownLevel();
  level.actors.push_back(std::make_unique<Ghost>());
  std::vector<std::byte> file;
  const revctl::Status status = revctl::Save(SR_LATEST, level, file);
  INFO(status.message());
  CHECK_FALSE(status);
  CHECK_THAT(status.message(), Catch::Contains("not registered"));
  CHECK_THAT(status.message(), Catch::Contains("Level.actors") && Catch::Contains("Ghost"));
  CHECK_THAT(status.message(), !Catch::Contains("object 1"));  // the error is in another object
}

TEST_CASE("a level saved for an older build, read by that build", "[actors]") {
  const Level level = KnownLevel();
  const struct {
    int build;
    const char* program;  // a harness built from history/
    bool mounts, chests;
  } cases[] = {{1007, "actors_r1_harness", false, false},
               {1129, "actors_r1_harness", false, false},
               {1130, "actors_r2_harness", true, false},
               {1250, "actors_r3_harness", true, true},
               {1301, "actors_today_harness", true, true}};
  for (const auto& each : cases) {
    std::vector<std::byte> file;
    const revctl::Status status = SaveForBuild(each.build, level, file);
    INFO(each.build << ": " << status.message());
    REQUIRE(status);
    const std::string path = example::Written("for_build.save", file);
    const std::string tree = example::Output(each.program, "dump --tree '" + path + "'");
    CHECK_THAT(tree, Catch::Contains(".Actor.name: \"Ann\"") && Catch::Contains(".hunger: -3"));
    CHECK((tree.find(".Hound.hunger") != std::string::npos) ==
          (each.build < 1301));  // the class had this name at the time
    CHECK((tree.find(".Knight.mount") != std::string::npos) == each.mounts);
    CHECK((tree.find("\"crown\"") != std::string::npos) == each.chests);
    // Ann's target was the chest. Builds without chests read a null pointer.
    CHECK((tree.find("objects[0].Knight.Actor.target: 0") != std::string::npos) == !each.chests);
  }
  std::vector<std::byte> file;
  CHECK_FALSE(SaveForBuild(1006, level, file));
}

TEST_CASE("today's level, converted for and read by each older build", "[actors]") {
  const struct {
    const char* revision;
    const char* program;  // a harness built from history/
    bool chests;
  } cases[] = {{"SR_FIRST", "actors_r1_harness", false},
               {"SR_MOUNTS", "actors_r2_harness", false},
               {"SR_CHESTS", "actors_r3_harness", true}};
  for (const auto& each : cases) {
    INFO(each.revision);
    const std::string today = "'" + example::File("saves/today.save") + "'";
    const std::string written =
        example::Output("actors_harness", "convert " + today + " --to-revision " + each.revision);
    const auto* const bytes = reinterpret_cast<const std::byte*>(written.data());
    const std::string path = example::Written("converted.save", {bytes, bytes + written.size()});
    const std::string tree = example::Output(each.program, "dump --tree '" + path + "'");
    CHECK_THAT(tree,
               Catch::Contains(".Actor.name: \"Ann\"") && Catch::Contains(".Hound.hunger: -3"));
    // Builds that do not know chests expect no null roots, so files for them must also omit the
    // chest from the roots.
    CHECK_THAT(tree, Catch::Contains(each.chests ? "roots#count: 3" : "roots#count: 2"));
    CHECK((tree.find("\"crown\"") != std::string::npos) == each.chests);
    CHECK((tree.find("objects[0].Knight.Actor.target: 0") != std::string::npos) ==
          !each.chests);  // the omitted chest
  }
}

TEST_CASE("an older build's new level, with a class that is gone", "[actors]") {
  // The program of build 1130 reads a level, makes Ann weaker, and writes the level again.
  std::string json =
      example::Output("actors_r2_harness", "dump '" + example::File("saves/r2.save") + "'");
  const std::size_t hp = json.find("\"hp\": 100");
  REQUIRE(hp != std::string::npos);
  json.replace(hp, 9, "\"hp\": 7");
  const auto* const text = reinterpret_cast<const std::byte*>(json.data());
  const std::string written = example::Output(
      "actors_r2_harness",
      "convert --from-json '" + example::Written("r2.json", {text, text + json.size()}) + "'");
  const auto* const bytes = reinterpret_cast<const std::byte*>(written.data());
  CHECK(written.find("Bat") != std::string::npos);
  Level level;
  const revctl::Status status =
      revctl::Load(std::vector<std::byte>(bytes, bytes + written.size()), level);
  INFO(status.message());
  REQUIRE(status);
  REQUIRE(level.actors.size() == 2);  // the bat is omitted
  CHECK(level.actors[0]->name == "Ann");
  CHECK(level.actors[0]->hp == 7);
  CHECK(level.actors[0]->target == nullptr);
  CHECK(dynamic_cast<const Wolf*>(level.actors[1].get()) != nullptr);
}

}  // namespace
}  // namespace actors
