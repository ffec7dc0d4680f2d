// Old scenes load with the values that their authors expect, files can be written for older builds,
// and tools can get JSON.
#include "example_test.h"

#include <algorithm>
#include <ctime>

#include "json_bridge.h"
#include "known_scene.h"
#include "large_scene.h"

namespace dreams {
namespace {

Scene Saved(const std::string& name) {
  Scene scene;
  const revctl::Status status =
      revctl::Load(example::Bytes(example::File("saves/" + name + ".save")), scene);
  INFO(name << ": " << status.message());
  REQUIRE(status);
  REQUIRE(scene.things.size() == 2);
  return scene;
}

TEST_CASE("movable and collidable are restored from bits of the hints", "[dreams]") {
  for (const std::string name : {"r0", "r3", "r4", "r5", "r6", "r7", "r9", "today"}) {
    const Scene scene = Saved(name);
    INFO(name);
    CHECK_FALSE(scene.things[0].movable);
    CHECK_FALSE(scene.things[0].collidable);
    CHECK(scene.things[1].movable);
    CHECK(scene.things[1].collidable);
    CHECK(scene.things[1].hints == 8);  // the other bits are unchanged
  }
}

TEST_CASE("the mask is worked out from one bool, from two, or read", "[dreams]") {
  CHECK(Saved("r0").things[0].look == kCastsShadow);  // no fields yet; defaults: shadow, no glow
  CHECK(Saved("r3").things[0].look == (kGlows | kCastsShadow));  // the shadow's default was true
  for (const std::string name : {"r5", "r6", "r7", "r9", "today"})
    CHECK(Saved(name).things[0].look == kGlows);
}

TEST_CASE("what began later is empty in older scenes", "[dreams]") {
  CHECK(Saved("r3").hits.empty());
  CHECK(Saved("r4").hits.size() == 1);
  CHECK(Saved("r5").things[1].velocity == Float3{});
  CHECK(Saved("r6").things[1].velocity == Float3{0.5f, 0, 0});
}

TEST_CASE("the member that is no longer saved is read where it was", "[dreams]") {
  CHECK(Saved("r9").things[0].cost == 1.5f);
  CHECK(Saved("today").things[0].cost == 0);
}

TEST_CASE("a file for players who did not update, read by their build", "[dreams]") {
  std::vector<std::byte> file;
  REQUIRE(revctl::Save(SR_SHADOWS, KnownScene(), file));
  std::string json =
      example::Output("dreams_r5_harness", "dump '" + example::Written("for_r5.save", file) + "'");
  std::erase_if(json, [](char c) { return c == ' ' || c == '\n'; });
  CHECK_THAT(json, Catch::Contains(R"("name":"ball","kind":"Sculpture","at":[0,0,0],"hints":11,)"
                                   R"("glows":false,"castsShadow":true)"));
  CHECK_THAT(json, Catch::Contains(R"("name":"lamp","kind":"Light","at":[0,2.5,-1],"hints":0,)"
                                   R"("glows":true,"castsShadow":false)"));
}

TEST_CASE("a file of the future is refused as such", "[dreams]") {
  std::vector<std::byte> file = example::Bytes(example::File("saves/today.save"));
  file[4] = std::byte{13};
  Scene scene;
  CHECK(revctl::Load(file, scene).kind() == revctl::Status::Kind::Future);
}

TEST_CASE("JSON for tools, there and back", "[dreams]") {
  std::string json;
  REQUIRE(FileToJson<Scene>(example::Bytes(example::File("saves/r5.save")), json));
  CHECK_THAT(json, Catch::Contains("\"title\": \"attic\""));
  json.replace(json.find("attic"), 5, "cellar");
  std::vector<std::byte> file;
  REQUIRE(JsonToFile<Scene>(json, file));
  Scene scene;
  REQUIRE(revctl::Load(file, scene));
  CHECK(scene.title == "cellar");
  CHECK(scene.things[1].movable);

  json.replace(json.find("movable"), 7, "moveable");
  const revctl::Status misspelt = JsonToFile<Scene>(json, file);
  INFO(misspelt.message());
  CHECK_THAT(misspelt.message(), Catch::Contains("moveable"));
}

/// Returns the CPU seconds that `run` takes: the minimum of five runs.
template <class F>
double Seconds(F run) {
  double least = 1e9;
  for (int i = 0; i < 5; ++i) {
    const std::clock_t begin = std::clock();
    run();
    least = std::min(least, static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC);
  }
  return least;
}

TEST_CASE("a scene of some megabytes is loaded whole, and in no time", "[dreams]") {
  const Scene scene = LargeScene(40000);
  std::vector<std::byte> file;
  REQUIRE(revctl::Save(SR_LATEST, scene, file));
  CHECK(file.size() > 3000000);
  Scene loaded;
  std::vector<std::byte> again;
  REQUIRE(revctl::Load(file, loaded));
  REQUIRE(revctl::Save(SR_LATEST, loaded, again));
  CHECK((again == file));  // parentheses keep Catch from printing megabytes
  // `ci/bench scene` measures the speed in release mode. Without optimization, loading takes three
  // times as long as copying, so this test detects only slowdowns by an order of magnitude.
  const double copy = Seconds([&] {
    Scene other = scene;
    REQUIRE(other.things.size() == scene.things.size());
  });
  const double load = Seconds([&] {
    Scene other;
    REQUIRE(revctl::Load(file, other));
  });
  INFO("deep copy " << copy * 1000 << " ms, load " << load * 1000 << " ms");
  CHECK(load < 20 * copy);
}

}  // namespace
}  // namespace dreams
