#include <revctl/differ.h>
#include <revctl/fill.h>
#include <revctl/json_reader.h>
#include <revctl/json_writer.h>
#include <revctl/layout_archive.h>
#include <revctl/size_counter.h>
#include <catch2/catch.hpp>
#include <cstring>
#include <random>

#include "actors.h"

// Tests object streams with invalid data, and archives that only inspect objects.
namespace game {

struct Stage {
  Actors actors;
};
SERIALIZE_TYPE(Stage) { ADD_OBJECTS(SR_INITIAL, Classes(), actors); }
SERIALIZE_END

}  // namespace game

namespace {

using namespace game;

std::vector<std::byte> LevelBytes() {
  const Level level{"cave", SomeActors(), nullptr, 77};
  revctl::Writer w(SR_LATEST);
  Serialize(w, level);
  REQUIRE(w.Ok());
  return {w.Bytes().begin(), w.Bytes().end()};
}

/// A handmade object stream: its classes, kinds, parents, shared pointers and roots, and the
/// pointers that every actor in it has.
struct Forged {
  std::vector<std::string> classes = {"Actor"};
  std::vector<std::uint16_t> kinds = {0, 0};
  std::vector<std::uint32_t> parents = {0, 0};
  std::vector<std::pair<std::uint32_t, std::uint32_t>> shared;
  std::vector<std::uint32_t> roots = {1, 2};
  std::uint32_t target = 0, weapon = 0, team = 0;
  int count_off = 0, size_off = 0;

  std::string Read() const {
    revctl::Writer w(SR_LATEST);
    auto copy = *this;
    w.Value(copy.classes);
    w.Value(copy.kinds);
    w.Value(copy.parents);
    w.Value(copy.shared);
    w.Value(copy.roots);
    auto count = static_cast<std::uint32_t>(static_cast<int>(kinds.size()) + count_off);
    w.Value(count);
    for (std::size_t i = 0; i < kinds.size(); ++i) {
      auto size = static_cast<std::uint32_t>(7 * 4 + size_off);
      std::uint32_t none = 0;
      w.Value(size);
      w.Value(none);  // hp
      w.Value(copy.target);
      w.Value(none);  // followers
      w.Value(copy.weapon);
      w.Value(none);  // wanted
      w.Value(copy.team);
      w.Value(none);  // integrity
    }
    revctl::Reader r(w.Bytes(), SR_LATEST);
    auto stage = std::make_unique<Stage>();
    Serialize(r, *stage);
    const std::string outcome = r.Ok() ? "fine" : r.error().reason;
    stage.reset();
    CHECK(Actor::alive == 0);
    return outcome;
  }
};

}  // namespace

TEST_CASE("objects hostile: each inconsistency has a specific error", "[objects][hostile]") {
  CHECK(Forged{}.Read() == "fine");
  Forged f;
  f.target = 2;
  CHECK(f.Read() == "fine");
  f.target = 3;
  CHECK(f.Read() == "id 3, but there are 2 objects");
  f = {};
  f.kinds = {0, 1};
  CHECK(f.Read() == "object 2 has no class");
  f = {};
  f.parents = {0};
  CHECK(f.Read() == "the number of object kinds does not match the number of object parents");
  f.parents = {0, 9};
  CHECK(f.Read() == "object 2 has an owner that does not exist");
  f.parents = {2, 1};
  CHECK(f.Read() == "object 1 has no owner");
  f.parents = {1, 0};
  CHECK(f.Read() == "object 1 has no owner");
  f.parents = {0, 1};
  CHECK(f.Read() == "object 2, a `Actor`, was not claimed by its owner");
  f = {};
  f.roots = {1};
  CHECK(f.Read() == "object 2 has no owner");
  f.roots = {1, 1, 2};
  CHECK(f.Read() == "object 1 belongs to another owner");
  f.roots = {1, 2, 3};
  CHECK(f.Read() == "id 3, but there are 2 objects");
  f = {};
  f.shared = {{1, 3}};
  CHECK(f.Read() == "a shared pointer refers to an object that does not exist");
  f.shared = {{1, 2}};
  f.parents = {0, 1};
  CHECK(f.Read() == "object 2 is both owned and shared");
  f = {};
  f.shared = {{1, 2}};
  f.roots = {1};
  f.target = 2;
  CHECK(f.Read() == "object 2, a `Actor`, has no shared owner left");
  f = {};
  f.weapon = 2;
  CHECK(f.Read() == "object 2 is a `Actor`, not a game::Weapon");
  f = {};
  f.classes = {"Team"};
  CHECK(f.Read() == "the record has 28 bytes, but its body read 8");
  f = {};
  f.classes = {"Weapon", "Team"};
  f.kinds = {0, 0};
  CHECK(f.Read() != "fine");
  f = {};
  f.count_off = 1;
  CHECK(f.Read() == "the number of object kinds does not match the number of object records");
  f = {};
  f.size_off = -4;
  CHECK(f.Read() == "the record has 24 bytes, but its body read 28");
  f = {};
  f.classes = {"Dragon"};
  CHECK(f.Read().find("class `Dragon` is unknown") == 0);
}

TEST_CASE("objects hostile: an error names the record and the field", "[objects][hostile]") {
  auto bytes = LevelBytes();
  revctl::TraceReader trace(bytes, SR_LATEST);
  Level level;
  Serialize(trace, level);
  INFO(trace.error_path() << ": " << trace.error_reason());
  REQUIRE(trace.Ok());
  CHECK(trace.AtEnd());
  std::size_t target = 0;
  for (const auto& leaf : trace.Leaves()) {
    if (leaf.path == "Level.actors.objects[1].Door.Actor.target") target = leaf.offset;
  }
  REQUIRE(target != 0);
  bytes[target] = std::byte{200};
  revctl::Reader r(bytes, SR_LATEST);
  Level back;
  Serialize(r, back);
  CHECK(r.error().path.find("Level.actors.objects[1].Door.Actor") == 0);
  CHECK(r.error().reason == "id 200, but there are 6 objects");
  CHECK_FALSE(r.error().refused);
}

TEST_CASE("objects hostile: truncation at every byte, flips of every bit", "[objects][hostile]") {
  auto bytes = LevelBytes();
  for (std::size_t n = 0; n < bytes.size(); ++n) {
    revctl::Reader r(std::span<const std::byte>(bytes).first(n), SR_LATEST);
    Level level;
    Serialize(r, level);
    if (r.Ok()) FAIL("accepted " << n << " bytes");
  }
  for (std::size_t bit = 0; bit < bytes.size() * 8; ++bit) {
    bytes[bit / 8] ^= std::byte(1u << bit % 8);
    {
      revctl::Reader r(bytes, SR_LATEST);
      Level level;
      Serialize(r, level);
      revctl::TraceReader trace(bytes, SR_LATEST);
      Level traced;
      Serialize(trace, traced);
      if (r.Ok() != trace.Ok())
        FAIL("reader and trace disagree at bit " << bit << ": " << r.error().path << " "
                                                 << r.error().reason << " / "
                                                 << trace.error_reason());
      if (r.Ok() && r.AtEnd()) {
        revctl::Writer w(SR_LATEST);
        Serialize(w, level);
        if (!w.Ok()) FAIL("read but not written at bit " << bit << ": " << w.error().reason);
      }
    }
    bytes[bit / 8] ^= std::byte(1u << bit % 8);
  }
  CHECK(Actor::alive == 0);
}

TEST_CASE("objects hostile: random tables", "[objects][hostile]") {
  std::mt19937 random(7);
  int fine = 0;
  for (int round = 0; round < 3000; ++round) {
    Forged f;
    const auto count = static_cast<unsigned>(random() % 5);
    f.kinds.assign(count, 0);
    f.parents.clear();
    f.roots.clear();
    for (unsigned i = 0; i < count; ++i) {
      f.parents.push_back(random() % 4 == 0 ? static_cast<std::uint32_t>(random() % 6) : 0);
      f.roots.push_back(random() % 8 == 0 ? static_cast<std::uint32_t>(random() % 6) : i + 1);
    }
    if (random() % 3 == 0)
      f.shared.push_back(
          {static_cast<std::uint32_t>(random() % 5), static_cast<std::uint32_t>(random() % 5)});
    f.target = static_cast<std::uint32_t>(random() % 6);
    fine += f.Read() == "fine";
  }
  CHECK(fine > 100);
}

TEST_CASE("objects: tracing archives see the bytes that are written", "[objects]") {
  const Level level{"cave", SomeActors(), nullptr, 77};
  for (const int revision : {1, 2, 3}) {
    revctl::Writer w(revision);
    Serialize(w, level);
    revctl::TraceWriter trace(revision);
    Serialize(trace, level);
    INFO(trace.error_path() << ": " << trace.error_reason());
    REQUIRE(trace.Ok());
    REQUIRE(trace.Bytes().size() == w.Bytes().size());
    CHECK(std::equal(w.Bytes().begin(), w.Bytes().end(), trace.Bytes().begin()));
  }
  const std::string json = revctl::ToJson(level, SR_LATEST, 0);
  CHECK(json.find("\"classes\": [\"Goblin\", \"Door\", \"Actor\", \"Bow\", \"Team\"]") !=
        std::string::npos);
}

TEST_CASE("objects: can be counted, compared and read back from JSON", "[objects]") {
  Level level{"cave", SomeActors(), nullptr, 77};
  for (const int revision : {1, 2, 3}) {
    INFO("revision " << revision);
    revctl::Writer w(revision);
    Serialize(w, level);
    CHECK(revctl::WireSize(level, revision) == w.Bytes().size());
    CHECK(revctl::Differences(level, level, revision).empty());
    const std::string json = revctl::ToJson(level, revision);
    revctl::JsonReader reader(json, revision);
    Level back;
    Serialize(reader, back);
    INFO(reader.error_path() << ": " << reader.error_reason());
    REQUIRE(reader.Ok());
    revctl::Writer again(revision);
    Serialize(again, back);
    REQUIRE(again.Ok());
    REQUIRE(again.Bytes().size() == w.Bytes().size());
    CHECK(std::equal(w.Bytes().begin(), w.Bytes().end(), again.Bytes().begin()));
  }
  const Level other{"cave", SomeActors(), nullptr, 77};
  other.actors[1]->target = other.actors[2].get();
  const auto differences = revctl::Differences(level, other, SR_LATEST);
  REQUIRE(differences.size() == 1);
  CHECK(differences[0].path == "Level.actors.objects[1].Door.Actor.target");
}

TEST_CASE("objects: layouts list every class as a conditional field", "[objects]") {
  revctl::LayoutArchive layouts(revctl::Revision{SR_LATEST});
  const Level level{"cave", SomeActors(), nullptr, 77};
  Serialize(layouts, level);
  bool found = false;
  for (const auto& type : layouts.Types()) {
    if (type.type != "object") continue;
    found = true;
    std::string fields;
    for (const auto& field : type.fields) fields += field.name + ":" + field.type + " ";
    CHECK(fields ==
          "size:u32 Actor:game::Actor Goblin:game::Goblin Door:game::Door Weapon:game::Weapon "
          "Bow:game::Bow Team:game::Team ");
  }
  CHECK(found);
}

TEST_CASE("objects: the filler creates one object of each class and links them", "[objects]") {
  bool linked = false;
  for (std::uint64_t seed = 0; seed < 16; ++seed) {
    Level level;
    revctl::Filler filler(SR_LATEST, seed);
    Serialize(filler, level);
    INFO(filler.error_path() << ": " << filler.error_reason());
    REQUIRE(filler.Ok());
    REQUIRE(level.actors.size() == 3);
    for (const auto& actor : level.actors) linked = linked || actor->target != nullptr;
    revctl::Writer w(SR_LATEST);
    Serialize(w, level);
    INFO(w.error().reason);
    REQUIRE(w.Ok());
    Level back;
    revctl::Reader r(w.Bytes(), SR_LATEST);
    Serialize(r, back);
    REQUIRE(r.AtEnd());
  }
  CHECK(linked);
}
