// Goldens that are too large for a record must be imported, checked, upgraded, damaged and fuzzed
// like small ones.
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <bitset>
#include <catch2/catch.hpp>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <variant>

#include <revctl/serialize.h>

#include "golden/store.h"
#include "harness/check/hostile_input.h"
#include "harness/files/anonymise.h"
#include "harness/recording/record_additions.h"
#include "harness/schema/recorded_elements.h"
#include "harness/selftest/selftest.h"
#include "harness/testing/test_program.h"
#include "harness/trace/condensed.h"
#include "harness/trace/tracing.h"

namespace {
enum Rev { SR_INITIAL = 1, SR_FOULS = 2, SR_PLAYERS = 3 };
}

namespace big {

/// Later edits of the bodies below.
enum class Edit {
  None,
  Unit,
  Ram,
  ManyUnits,
  Title,
  Count,
  Refuses,
  Crashes,
  Swapped,
  Armour,
  ChangesWhatItReads
};
Edit edit = Edit::None;
/// True while a large save is being read. Samples are never large.
bool large = false;

enum class Kind : std::uint8_t { Peasant, Knight, Dragon };
struct Unit {
  std::int32_t hp = 0;
  Kind kind = Kind::Peasant;
  std::string name;
  std::int32_t mana = 0;
  std::uint16_t armour = 0;
};
SERIALIZE_TYPE(Unit) {
  if (edit == Edit::Swapped && large && r.IsReading()) {
    ADD(SR_INITIAL, mana);
  } else {
    ADD(SR_INITIAL, hp);
  }
  ADD(SR_INITIAL, kind);
  ADD(SR_INITIAL, name);
  if (edit == Edit::Swapped && large && r.IsReading()) {
    ADD(SR_INITIAL, hp);
  } else {
    ADD(SR_INITIAL, mana);
  }
  ADD(SR_FOULS, armour);
}
SERIALIZE_END

struct World {
  std::string title;
  std::array<std::uint8_t, 1U << 20> ram{};
  std::vector<Unit> units;
  std::vector<std::uint32_t> terrain;
  std::map<std::uint32_t, std::int64_t> scores;
};
SERIALIZE_TYPE(World) {
  ADD(SR_INITIAL, title);
  large = d.title == "Zo\xC3\xAB's";
  ADD(SR_INITIAL, ram);
  ADD(SR_INITIAL, units);
  ADD(SR_INITIAL, terrain);
  ADD(SR_INITIAL, scores);
  if (r.IsReading() && d.units.size() > 1000) {
    if (edit == Edit::Unit) d.units[54321].hp ^= 2;
    if (edit == Edit::Ram) d.ram[777777] ^= 1;
    if (edit == Edit::Title) d.title += "!";
    if (edit == Edit::Count) d.terrain.push_back(1);
    if (edit == Edit::Refuses) r.Fail("no more than a thousand units");
    if (edit == Edit::ManyUnits) {
      for (std::size_t i = 1000; i < 1300; ++i) d.units[i].hp += 5;
    }
    if (edit == Edit::Armour && r.revision < SR_FOULS) {
      for (Unit& unit : d.units) unit.armour = 7;
    }
    if (edit == Edit::ChangesWhatItReads && r.revision >= SR_FOULS) d.title += "!";
    if (edit == Edit::Crashes && d.units.size() == 2000 && d.terrain.size() != 200) ::_exit(7);
  }
}
SERIALIZE_END

struct Bats {
  Bats() {}  // NOLINT: leaves its member unset
  std::uint32_t count;
};
SERIALIZE_TYPE(Bats) { ADD(SR_FOULS, count); }
SERIALIZE_END
/// Older saves lack the number of bats. Upgrade code initializes it, but not in a large cave.
struct Cave {
  std::vector<std::uint32_t> rocks;
  Bats bats;
  std::int32_t echo = 0;
};
SERIALIZE_TYPE(Cave) {
  ADD(SR_INITIAL, rocks);
  ADD_CONDITIONAL(SR_INITIAL, d.rocks.size() > 5000, echo);
  ADD(SR_INITIAL, bats);
  if (r.IsReading() && r.revision < SR_FOULS && d.rocks.size() < 1000) d.bats.count = 0;
}
SERIALIZE_END

struct Place {
  std::int16_t x = 0;
  double y = 0;
};
SERIALIZE_TYPE(Place) {
  ADD(SR_INITIAL, x);
  ADD(SR_INITIAL, y);
}
SERIALIZE_END
struct Item : Place {
  Kind kind = Kind::Peasant;
  std::optional<Place> at;
  std::variant<std::uint8_t, std::string> either;
  std::pair<bool, float> couple;
  std::bitset<11> flags;
  std::array<std::int8_t, 3> triple{};
  std::vector<std::uint16_t> memory;
  std::set<std::string> tags;
  std::map<Kind, std::vector<std::int64_t>> by_kind;
};
SERIALIZE_TYPE(Item) {
  ADD_BASE(SR_INITIAL, Place);
  ADD(SR_INITIAL, kind);
  ADD(SR_INITIAL, at);
  ADD(SR_INITIAL, either);
  ADD(SR_INITIAL, couple);
  ADD(SR_INITIAL, flags);
  CHECK_INTEGRITY(SR_INITIAL);
  ADD(SR_INITIAL, triple);
  ADD(SR_INITIAL, memory);
  ADD(SR_INITIAL, tags);
  ADD(SR_INITIAL, by_kind);
}
SERIALIZE_END
struct Everything {
  std::uint8_t before = 0;
  std::vector<Item> items;
  std::array<std::uint32_t, 2000> ram{};
  std::map<std::string, Place> places;
  std::vector<bool> bits;
};
SERIALIZE_TYPE(Everything) {
  ADD(SR_INITIAL, before);
  ADD(SR_INITIAL, items);
  ADD(SR_INITIAL, ram);
  ADD(SR_INITIAL, places);
  ADD(SR_INITIAL, bits);
}
SERIALIZE_END

struct Shape {
  virtual ~Shape() = default;
  std::int16_t label = 0;
};
REVCTL_POLYMORPHIC(Shape);
SERIALIZE_TYPE(Shape) { ADD(SR_INITIAL, label); }
SERIALIZE_END
struct Circle : Shape {
  float radius = 0;
};
SERIALIZE_TYPE(Circle) {
  ADD_BASE(SR_INITIAL, Shape);
  ADD(SR_INITIAL, radius);
}
SERIALIZE_END
REVCTL_REGISTER_CLASS(Shape, Circle, "a circle");
struct Square : Shape {
  std::uint64_t side = 0;
  std::vector<std::unique_ptr<Shape>> inner;
};
SERIALIZE_TYPE(Square) {
  ADD(SR_INITIAL, side);
  ADD(SR_INITIAL, inner);
}
SERIALIZE_END
REVCTL_REGISTER_CLASS(Shape, Square, "a square");

/// A type with conditions on all kinds of values, aligned fields, and classes identified by name.
struct Gadget : Place {
  Kind kind = Kind::Peasant;
  std::uint8_t flags = 0;
  std::string name;
  std::vector<std::uint16_t> parts;
  std::optional<Place> at;
  Place pos;
  std::uint8_t odd = 0;
  std::int32_t of_knights = 0, of_flags = 0, of_parts = 0, of_name = 0, of_place = 0, of_base = 0;
  std::vector<std::uint64_t> verts;
  double weight = 0;
  std::unique_ptr<Shape> shape;
};
SERIALIZE_TYPE(Gadget) {
  ADD_BASE(SR_INITIAL, Place);
  ADD(SR_INITIAL, kind);
  ADD(SR_INITIAL, flags);
  ADD(SR_INITIAL, name);
  ADD(SR_INITIAL, parts);
  ADD(SR_INITIAL, at);
  ADD(SR_INITIAL, pos);
  ADD_CONDITIONAL(SR_INITIAL, d.kind == Kind::Knight, of_knights);
  ADD_CONDITIONAL(SR_INITIAL, (d.flags & 4) != 0, of_flags);
  ADD_CONDITIONAL(SR_INITIAL, d.parts.size() > 1 && !d.at.has_value(), of_parts);
  ADD_CONDITIONAL(SR_INITIAL, d.name == "Zoe" || r.revision < SR_INITIAL, of_name);
  ADD_CONDITIONAL(SR_INITIAL, d.pos.y > 2.5, of_place);
  ADD_CONDITIONAL(SR_INITIAL, d.x < 0, of_base);
  ADD(SR_INITIAL, odd);
  ADD_ALIGNED(SR_INITIAL, 8, verts);
  ADD_ALIGNED(SR_INITIAL, 16, weight);
  ADD(SR_INITIAL, shape);
}
SERIALIZE_END
struct Workshop {
  std::uint8_t before = 0;
  std::vector<Gadget> gadgets;
};
SERIALIZE_TYPE(Workshop) {
  ADD(SR_INITIAL, before);
  ADD(SR_INITIAL, gadgets);
}
SERIALIZE_END

std::unique_ptr<Workshop> WorkshopOf(std::size_t count) {
  auto made = std::make_unique<Workshop>();
  for (std::size_t i = 0; i < count; ++i) {
    const auto n = static_cast<std::int16_t>(i);
    Gadget gadget;
    gadget.x = static_cast<std::int16_t>(i % 2 == 0 ? -n : n);
    gadget.kind = static_cast<Kind>(i % 3);
    gadget.flags = static_cast<std::uint8_t>(i);
    gadget.name = i % 5 == 0 ? "Zoe" : "Ann";
    gadget.parts.assign(i % 4, 7);
    if (i % 6 < 3) gadget.at.emplace().x = n;
    gadget.pos.y = static_cast<double>(i % 7);
    gadget.of_knights = gadget.of_flags = gadget.of_parts = n;
    gadget.of_name = gadget.of_place = gadget.of_base = -n;
    gadget.verts.assign(i % 3, i);
    gadget.weight = n / 4.0;
    if (i % 3 == 1) {
      auto circle = std::make_unique<Circle>();
      circle->label = n;
      circle->radius = static_cast<float>(n);
      gadget.shape = std::move(circle);
    }
    if (i % 3 == 2) {
      auto square = std::make_unique<Square>();
      square->side = i;
      square->inner.push_back(std::make_unique<Circle>());
      square->inner.emplace_back();
      gadget.shape = std::move(square);
    }
    made->gadgets.push_back(std::move(gadget));
  }
  return made;
}

/// A branch of the body decides whether `extra` is saved, so no layout describes the bytes.
struct Crate {
  std::uint16_t kind = 0, weight = 0, extra = 0, size = 0;
};
SERIALIZE_TYPE(Crate) {
  ADD(SR_INITIAL, kind);
  ADD(SR_INITIAL, weight);
  if (d.kind % 2 == 1) ADD(SR_INITIAL, extra);
  ADD(SR_INITIAL, size);
}
SERIALIZE_END
struct Ship {
  std::vector<Crate> crates;
};
SERIALIZE_TYPE(Ship) { ADD(SR_INITIAL, crates); }
SERIALIZE_END

/// Makes an object with lists of every kind of value. Each list is longer than one chunk.
std::unique_ptr<Everything> EverythingAt(std::size_t count) {
  auto made = std::make_unique<Everything>();
  for (std::size_t i = 0; i < count; ++i) {
    const auto n = static_cast<std::int16_t>(i);
    Item item;
    item.x = static_cast<std::int16_t>(-n);
    item.y = n / 8.0;
    item.kind = static_cast<Kind>(i % 4);  // every fourth value has no enumerator
    if (i % 2 == 0) item.at.emplace().x = n;
    if (i % 3 == 0) item.either = "Zo\xC3\xAB " + std::to_string(i);
    item.couple = {i % 5 == 0, -0.5F * static_cast<float>(n)};
    item.flags = i;
    item.triple[1] = static_cast<std::int8_t>(-3);
    if (i % 4 == 0) item.memory.assign(1100 + i, static_cast<std::uint16_t>(i));
    item.tags = {"a", std::to_string(i)};
    item.by_kind[Kind::Knight] = {-1, n};
    made->items.push_back(item);
    made->places[std::to_string(i)].x = n;
    made->bits.push_back(i % 3 == 1);
  }
  for (std::size_t i = 0; i < made->ram.size(); ++i)
    made->ram[i] = static_cast<std::uint32_t>(i * i);
  return made;
}

/// Makes a save of about 2.5 MB with long lists and bulk memory.
std::unique_ptr<World> Generated(std::size_t units = 60'000, std::size_t terrain = 50'000) {
  auto made = std::make_unique<World>();
  World& world = *made;
  world.title = "Zo\xC3\xAB's";
  std::uint64_t random = 7;
  const auto next = [&] { return random = random * 6364136223846793005U + 1442695040888963407U; };
  for (std::size_t i = 0; i < world.ram.size() / 4; ++i)
    world.ram[i] = static_cast<std::uint8_t>(next() >> 40);
  for (std::size_t i = 0; i < units; ++i) {
    Unit unit;
    unit.hp = static_cast<std::int32_t>(next() >> 50);
    unit.kind = static_cast<Kind>(next() >> 60 & 1);
    unit.name = "unit " + std::to_string(i);
    unit.mana = static_cast<std::int32_t>(i % 7) - 3;
    world.units.push_back(unit);
  }
  for (std::size_t i = 0; i < terrain; ++i)
    world.terrain.push_back(static_cast<std::uint32_t>(next() >> 32));
  for (std::uint32_t i = 0; i < 5000; ++i) world.scores[i * 3] = static_cast<std::int64_t>(next());
  return made;
}

}  // namespace big

namespace revctl::harness::test {
namespace {

/// Sets the edit, and restores the previous one when it is destroyed.
class Edited {
 public:
  explicit Edited(big::Edit edit) { big::edit = edit; }
  Edited(const Edited&) = delete;
  ~Edited() { big::edit = big::Edit::None; }
};

Program At(std::size_t newest) { return std::move(Program(newest).Type<big::World>()); }

std::vector<std::byte> Payload(const Program& program,
                               const std::unique_ptr<big::World>& world = big::Generated()) {
  std::vector<std::byte> payload;
  REQUIRE(program.registry.types[0].entry.write(1, world.get(), payload).ok);
  return payload;
}

void Import(const Program& program, const Folder& folder, std::vector<std::byte> payload,
            const std::string& name = "campaign") {
  const revctl::golden::Store store = revctl::golden::Store::Open(folder.path());
  REQUIRE(store.problems().empty());
  const revctl::ListTable list = program.List();
  const History history(list, store);
  const Recording import = RecordImport(program.registry, program.registry.types[0], history, 0,
                                        name, std::move(payload), {"import", 1, {}, false});
  for (const std::string& trouble : import.troubles) FAIL(trouble);
  REQUIRE(import.record.large.size() == 1);
  CHECK(import.record.large[0].item.values.size() < 300);
  CHECK(revctl::golden::FormatRecord(import.record).size() < 32U << 10);
  REQUIRE(revctl::golden::WriteAddition(folder.path(), import.record, import.payloads, import.large)
              .ok());
}

/// Returns a store with a record of SR_INITIAL and an imported save. The store is created once and
/// must not be changed.
const Folder& Imported() {
  static const Folder folder;
  static const bool once = [] {
    const Program program = At(1);
    program.Record(folder);
    Import(program, folder, Payload(program));
    return true;
  }();
  (void)once;
  return folder;
}

/// Returns all errors except the one about the gate of `armour`, whose revision is newer than the
/// latest one in the first list.
std::vector<std::string> ErrorsOfGoldens(const CheckResult& result) {
  std::vector<std::string> errors = Errors(result);
  std::erase(errors, "GH007 big::Unit.armour");
  return errors;
}

std::string LargeFileOf(const Folder& folder) {
  for (const auto& entry :
       std::filesystem::directory_iterator(folder.path() + "/SR_INITIAL.large")) {
    if (entry.path().filename().string().starts_with("campaign+")) return entry.path().string();
  }
  FAIL("no large file");
  return "";
}

}  // namespace

TEST_CASE("large: a save of 20 MB is imported, and a single changed value is named",
          "[harness][large]") {
  const Folder folder;
  const Program program = At(1);
  program.Record(folder);
  const auto world = big::Generated(900'000, 300'000);
  const std::size_t size = [&] {
    const auto payload = Payload(program, world);
    Import(program, folder, payload);
    return payload.size();
  }();
  CHECK(size > 20'000'000);
  CHECK(std::filesystem::file_size(LargeFileOf(folder)) <
        size - (700U << 10));  // smaller, because three quarters of the RAM is zeros
  const CheckResult result = program.Check(folder);
  INFO(Text(result));
  CHECK(ErrorsOfGoldens(result).empty());
  CHECK(result.goldens > 1);
  const Edited edited(big::Edit::Unit);
  const CheckResult changed = program.Check(folder);
  INFO(Text(changed));
  const std::int32_t hp = world->units[54321].hp;
  CHECK_THAT(
      Find(changed, "GH004", "big::World", "units[54321].hp").message,
      Catch::Contains("upgraded to " + std::to_string(hp ^ 2) + ", not to " + std::to_string(hp)));
}

TEST_CASE("large: a value that is upgraded differently is named with its old and new value",
          "[harness][large]") {
  const Folder& folder = Imported();
  const auto world = big::Generated();
  const auto message = [&](big::Edit edit, const std::string& field) {
    const Edited edited(edit);
    const CheckResult result = At(1).Check(folder);
    INFO(Text(result));
    return Find(result, "GH004", "big::World", field).message;
  };
  const std::int32_t hp = world->units[54321].hp;
  CHECK_THAT(message(big::Edit::Unit, "units[54321].hp"),
             Catch::Contains("big::World.units[54321].hp: upgraded to " + std::to_string(hp ^ 2) +
                             ", not to " + std::to_string(hp)));
  const int byte = world->ram[777777];
  CHECK_THAT(message(big::Edit::Ram, "ram[777777]"),
             Catch::Contains("upgraded to " + std::to_string(byte ^ 1) + ", not to " +
                             std::to_string(byte)));
  CHECK_THAT(message(big::Edit::Title, "title"),
             Catch::Contains("upgraded to \"Zo\\u00eb's!\"") ||
                 Catch::Contains("upgraded to \"Zo\xC3\xAB's!\""));
  CHECK_THAT(message(big::Edit::Count, "terrain#count"),
             Catch::Contains("upgraded to 50001, not to 50000"));
}

TEST_CASE("large: many values that differ are counted, and the first ones are shown",
          "[harness][large]") {
  const Folder& folder = Imported();
  const Edited edited(big::Edit::ManyUnits);
  const CheckResult result = At(1).Check(folder);
  INFO(Text(result));
  const Finding finding = Find(result, "GH004", "big::World", "units[1000].hp");
  CHECK_THAT(finding.message, Catch::Contains("and 299 more values differ"));
  CHECK_THAT(finding.details, Catch::Contains("units[1001].hp: recorded "));
}

TEST_CASE("large: reports a body that rejects the save", "[harness][large]") {
  const Folder& folder = Imported();
  const Edited edited(big::Edit::Refuses);
  const CheckResult result = At(1).Check(folder);
  INFO(Text(result));
  CHECK_THAT(Text(result),
             Catch::Contains("GH002") && Catch::Contains("no more than a thousand units"));
}

TEST_CASE("large: a new revision records how it upgrades the save", "[harness][large]") {
  const Folder folder;
  std::filesystem::copy(Imported().path(), folder.path(), std::filesystem::copy_options::recursive);
  At(2).Record(folder);
  const CheckResult result = At(2).Check(folder);
  INFO(Text(result));
  CHECK(Errors(result).empty());
  // Each unit has a new field, so all digests differ from the recorded digests. Nevertheless, a
  // single changed value must be named.
  const Edited edited(big::Edit::Unit);
  const CheckResult changed = At(2).Check(folder);
  INFO(Text(changed));
  const std::int32_t hp = big::Generated()->units[54321].hp;
  CHECK_THAT(
      Find(changed, "GH004", "big::World", "units[54321].hp").message,
      Catch::Contains("upgraded to " + std::to_string(hp ^ 2) + ", not to " + std::to_string(hp)));
}

TEST_CASE("large: values that are read differently are named, using the recorded layout",
          "[harness][large]") {
  const Folder& folder = Imported();
  const Edited edited(big::Edit::Swapped);
  const CheckResult result = At(1).Check(folder);
  INFO(Text(result));
  const std::int32_t hp = big::Generated()->units[0].hp;
  // Only the first four chunks of 1,024 units are compared.
  const Finding finding = Find(result, "GH003", "big::World", "units[0].hp");
  CHECK_THAT(finding.message, Catch::Contains("units[0].hp was " + std::to_string(hp) +
                                              ", but is now read as -3, and ") &&
                                  Catch::Contains(" more values differ, and values in "));
  CHECK_THAT(finding.details,
             Catch::Contains("units[0].mana: recorded -3, now " + std::to_string(hp)));
}

TEST_CASE("large: changed values of a list are named even after an earlier upgrade of the list",
          "[harness][large]") {
  const Folder folder;
  std::filesystem::copy(Imported().path(), folder.path(), std::filesystem::copy_options::recursive);
  At(2).Record(folder);
  {
    const Edited edited(big::Edit::ManyUnits);
    const CheckResult result = At(2).Check(folder);
    INFO(Text(result));
    const std::int32_t hp = big::Generated()->units[1000].hp;
    const Finding finding = Find(result, "GH004", "big::World", "units[1000].hp");
    CHECK_THAT(finding.message,
               Catch::Contains("upgraded to " + std::to_string(hp + 5) + ", not to " +
                               std::to_string(hp) + ", and 299 more values differ"));
  }
  const Edited edited(big::Edit::Armour);
  const CheckResult result = At(2).Check(folder);
  INFO(Text(result));
  CHECK_THAT(Find(result, "GH004", "big::World", "units[0].armour").message,
             Catch::Contains("units[0].armour: upgraded to 7, not to 0, and "));
}

TEST_CASE("large: reports a save that reads back differently", "[harness][large]") {
  const Folder folder;
  std::filesystem::copy(Imported().path(), folder.path(), std::filesystem::copy_options::recursive);
  At(2).Record(folder);
  const Edited edited(big::Edit::ChangesWhatItReads);
  const CheckResult result = At(2).Check(folder);
  INFO(Text(result));
  const Finding finding = Find(result, "GH005", "big::World", "title");
  CHECK_THAT(finding.message, Catch::Contains("big::World.title: a golden that was loaded and "
                                              "saved at SR_FOULS reads back differently"));
  CHECK_THAT(finding.details, Catch::Contains("/campaign"));
}

TEST_CASE("large: reports a member that an old save leaves unset", "[harness][large]") {
  const Folder folder;
  const auto at = [](std::size_t newest) { return std::move(Program(newest).Type<big::Cave>()); };
  const Program old = at(1);
  old.Record(folder);
  const auto cave = std::make_unique<big::Cave>();
  cave->rocks.assign(100'000, 5);
  std::vector<std::byte> payload;
  REQUIRE(old.registry.types[0].entry.write(1, cave.get(), payload).ok);
  Import(old, folder, payload);
  at(2).Record(folder);
  const CheckResult result = at(2).Check(folder);
  INFO(Text(result));
  const Finding finding = Find(result, "GH005", "big::Cave", "bats.count");
  // With g++, a fresh object also depends on the memory in which it is constructed, so the finding
  // is about the fresh object instead. With clang, the object is zeroed.
  if (finding.message.find("is never initialized, so") != std::string::npos) return;
  CHECK_THAT(
      finding.message,
      Catch::Contains("the value of a loaded golden depends on the previous contents of memory"));
  CHECK_THAT(finding.details, Catch::Contains("/campaign"));
}

TEST_CASE("large: a condition that only a large golden fulfills is covered", "[harness][large]") {
  const Folder folder;
  const Program program = std::move(Program(1).Type<big::Cave>());
  program.Record(folder);
  const std::string uncovered = "no sample or golden makes `d.rocks.size() > 5000` true";
  CHECK_THAT(Text(program.Check(folder)), Catch::Contains(uncovered));
  const auto cave = std::make_unique<big::Cave>();
  cave->rocks.assign(100'000, 5);
  std::vector<std::byte> payload;
  REQUIRE(program.registry.types[0].entry.write(1, cave.get(), payload).ok);
  Import(program, folder, payload);
  CHECK_THAT(Text(program.Check(folder)), !Catch::Contains(uncovered));
}

namespace {

/// Decodes all chunks except the first with the recorded layouts, and compares the values with
/// those that the body reads. Returns the number of chunks.
template <class T>
std::size_t CheckDecoded(const std::unique_ptr<T>& made, std::size_t values, std::size_t blocks) {
  const Folder folder;
  const Program program = std::move(Program(1).Type<T>());
  program.Record(folder);
  const RootType& root = program.registry.types[0];
  std::vector<std::byte> payload;
  REQUIRE(root.entry.write(1, made.get(), payload).ok);
  const revctl::golden::Store store = revctl::golden::Store::Open(folder.path());
  const revctl::ListTable list = program.List();
  const History history(list, store);
  const Object object(root.type());
  const Condensed all = CondensedRead(root.type(), payload, 1, object.get());
  Wanted wanted;
  std::vector<Chunk> chunks;
  for (const auto& leaf : all.leaves) {
    if (const auto chunk = ChunkOf(leaf.path); chunk && chunk->first != 0) {
      wanted.emplace(leaf.path, std::nullopt);
      chunks.push_back(*chunk);
    }
  }
  const Condensed read = CondensedRead(root.type(), payload, 1, object.get(), wanted);
  const ClassNames classes = ClassesIn(root.type(), payload, 1);
  const auto decoded = DecodeRecorded(root, history, 0, payload, chunks, classes);
  REQUIRE(decoded);
  CHECK(DecodeRecorded(root, history, 0, payload, chunks).has_value() == classes.empty());
  std::vector<std::string> expected, found;
  for (const auto& one : read.expanded) expected.push_back(one.leaf.path + " = " + one.leaf.text);
  for (const auto& one : decoded->expanded) found.push_back(one.leaf.path + " = " + one.leaf.text);
  CHECK(expected.size() > values);
  CHECK(found == expected);
  REQUIRE(decoded->blocks.size() == read.blocks.size());
  CHECK(read.blocks.size() >= blocks);
  for (const auto& [path, block] : read.blocks)
    CHECK(decoded->blocks.at(path).bytes == block.bytes);
  // If the bytes do not fit the layouts, decoding must end without a result.
  for (std::size_t at = 0; at < payload.size(); at += 997) {
    auto damaged = payload;
    damaged[at] = std::byte{0xFF};
    (void)DecodeRecorded(root, history, 0, damaged, chunks, classes);
    CHECK_FALSE(DecodeRecorded(root, history, 0, std::span(payload).first(at), chunks, classes));
  }
  return chunks.size();
}

}  // namespace

TEST_CASE("large: hostile layouts decode to nothing", "[harness][large]") {
  const Folder folder;
  const Program program = std::move(Program(1).Type<big::Cave>());
  program.Record(folder);
  const RootType& root = program.registry.types[0];
  const auto field = [](const char* name, std::string type) {
    revctl::LayoutField out;
    out.name = name;
    out.type = std::move(type);
    out.form = "add";
    return out;
  };
  /// Decodes a payload with the given record types, each a list of fields. The first type is the
  /// root; the others are named R1, R2 and so on.
  const auto decode = [&](const std::vector<std::vector<revctl::LayoutField>>& types,
                          const std::vector<revctl::EnumLayout>& enums, std::size_t size) {
    const golden::Store before = golden::Store::Open(folder.path());
    golden::RevisionRecord record = before.Find("SR_INITIAL")->record;
    record.types.clear();
    for (std::size_t i = 0; i < types.size(); ++i) {
      const std::string name = i == 0 ? root.name : "R" + std::to_string(i);
      record.types.push_back({{name, types[i], {}}, {}});
    }
    record.enums = enums;
    REQUIRE(golden::WriteRecord(folder.path(), record, before.Find("SR_INITIAL")->payloads,
                                /*replace=*/true));
    const golden::Store store = golden::Store::Open(folder.path());
    const revctl::ListTable list = program.List();
    const History history(list, store);
    const std::vector<std::byte> payload(size);
    return DecodeRecorded(root, history, 0, payload, {}).has_value();
  };
  CHECK(decode({{field("a", "u8"), field("b", "R1")}, {field("c", "u16")}}, {}, 3));
  std::vector<std::vector<revctl::LayoutField>> doubled;
  for (int i = 1; i <= 60; ++i) {
    const std::string next = "R" + std::to_string(i);
    doubled.push_back({field("a", next), field("b", next)});
  }
  doubled.push_back({});
  CHECK_FALSE(decode(doubled, {}, 3));
  for (const char* type : {"map<u8>", "array<3>", "bitset<18446744073709551615>",
                           "array<u16,9223372036854775809>", "optional<R1>"})
    CHECK_FALSE(decode({{field("a", type)}}, {}, 3));
  std::vector<revctl::LayoutField> kind = {field("kind", "Kind"), field("extra", "u8")};
  kind.back().condition = "d.kind == Kind::Only";
  kind.back().always = false;
  for (const char* underlying : {"f16", "x"})
    (void)decode({kind}, {{"Kind", underlying, {{"Only", 1}}}}, 2);
}

TEST_CASE("large: recorded layouts decode what the body reads", "[harness][large]") {
  CHECK(CheckDecoded(big::EverythingAt(300), 1000, 11) == 10);
}

TEST_CASE("large: recorded layouts decode conditions, alignment and classes by name",
          "[harness][large]") {
  CHECK(CheckDecoded(big::WorkshopOf(400), 1000, 0) == 1);
}

TEST_CASE("large: selftest mutates a large golden, and findings name each mutation",
          "[harness][large]") {
  const Folder folder;
  const auto run = [&](const Program& program) {
    const revctl::golden::Store store = revctl::golden::Store::Open(folder.path());
    const revctl::ListTable list = program.List();
    const History history(list, store);
    const SelfTestResult result = SelfTest(program.registry, history, {});
    CHECK(result.crashes.empty());
    return result.table;
  };
  SECTION("a world") {
    const Program program = At(1);
    program.Record(folder);
    Import(program, folder, Payload(program, big::Generated(2000, 2000)));
    const SelfTestTable table = run(program);  // mutates the imported golden
    CHECK(table.by_chunk().empty());
    std::set<std::string> tried;
    for (const SelfTestTable::Row& row : table.Rows()) {
      INFO(row.mutation << ": " << (row.missed.empty() ? "" : row.missed.front()));
      if (!row.signals.contains(Seen::Bytes)) continue;
      tried.insert(row.mutation);
      CHECK(row.missed.empty());
    }
    for (const char* mutation : {"add a field", "remove a field", "reorder", "retype, other size",
                                 "change a container", "endianness"})
      CHECK(tried.contains(mutation));
  }
  SECTION("the layout does not determine the bytes because of a branch") {
    const Program program = std::move(Program(1).Type<big::Ship>());
    program.Record(folder);
    const auto ship = std::make_unique<big::Ship>();
    for (std::size_t i = 0; i < 50'000; ++i) {
      const auto n = static_cast<std::uint16_t>(i * 77 + 1);
      ship->crates.push_back({n, static_cast<std::uint16_t>(n * 3), 5, 6});
    }
    std::vector<std::byte> payload;
    REQUIRE(program.registry.types[0].entry.write(1, ship.get(), payload).ok);
    Import(program, folder, payload);
    const auto by_chunk = run(program).by_chunk();
    CHECK(by_chunk.contains("big::Crate.weight"));
  }
}

TEST_CASE("large: reports git attributes that treat the file as text", "[harness][large]") {
  const Folder folder;
  std::filesystem::copy(Imported().path(), folder.path(), std::filesystem::copy_options::recursive);
  const auto said = [&](const char* attributes) {
    std::ofstream(folder.path() + "/.gitattributes", std::ios::binary) << attributes;
    return Text(At(1).Check(folder));
  };
  const std::string words = "makes git treat large goldens as text";
  for (const char* attributes :
       {"*.golden binary\n*.payload text\n", "* text=auto\n*.golden binary\n",
        "*.golden binary\nSR_INITIAL.large/* eol=crlf\n"}) {
    INFO(attributes);
    CHECK_THAT(said(attributes), Catch::Contains("GH009") && Catch::Contains(words) &&
                                     Catch::Contains("*.payload binary"));
  }
  for (const char* attributes :
       {"*.golden binary\n", "* text=auto\n*.golden binary\n*.payload binary\n",
        "*.golden binary\n*.payload filter=lfs diff=lfs merge=lfs -text\n",
        "*.golden binary\n/*.payload text\n"}) {
    INFO(attributes);
    CHECK_THAT(said(attributes), !Catch::Contains(words));
  }
}

TEST_CASE("large: a changed byte of the file is reported as a changed value", "[harness][large]") {
  const Folder folder;
  std::filesystem::copy(Imported().path(), folder.path(), std::filesystem::copy_options::recursive);
  const std::string path = LargeFileOf(folder);
  std::string bytes = Bytes(path);
  // A unit is stored as kind, hp, the length of the name, and the name. The next unit follows
  // directly.
  const std::size_t name = bytes.find("unit 4321");
  REQUIRE(name != std::string::npos);
  const std::size_t hp = name - 4 - 1 - 4;
  bytes[hp] = static_cast<char>(bytes[hp] ^ 0x10);
  std::ofstream(path, std::ios::binary) << bytes;
  const CheckResult result = At(1).Check(folder);
  INFO(Text(result));
  const std::int32_t was = big::Generated()->units[4321].hp;
  CHECK_THAT(Text(result), Catch::Contains("GH009") && Catch::Contains("is damaged") &&
                               Catch::Contains("units[4321].hp: recorded " + std::to_string(was) +
                                               ", now " + std::to_string(was ^ 0x10)) &&
                               Catch::Contains(" from version control\n"));
}

TEST_CASE("large: bulk memory is a single value in a small golden, too", "[harness][large]") {
  const Program program = At(1);
  const auto world = std::make_unique<big::World>();
  world->ram[5] = 7;
  const Traced written = TraceWrite(program.registry.types[0].type(), world.get(), 1);
  const auto ram = std::find_if(written.leaves.begin(), written.leaves.end(),
                                [](const auto& leaf) { return leaf.path == "ram"; });
  REQUIRE(ram != written.leaves.end());
  CHECK_THAT(ram->text, Catch::StartsWith("1048576-bytes-"));
  CHECK(written.leaves.size() == 5);
}

TEST_CASE("large: budgets for a type and for the store", "[harness][large]") {
  const Folder folder;
  Program program = At(1);
  program.Record(folder);
  const auto trouble = [&] {
    const revctl::golden::Store store = revctl::golden::Store::Open(folder.path());
    const revctl::ListTable list = program.List();
    const History history(list, store);
    const auto troubles = RecordImport(program.registry, program.registry.types[0], history, 0, "x",
                                       Payload(program), {"import", 1, {}, false})
                              .troubles;
    REQUIRE(troubles.size() == 1);
    return troubles[0];
  };
  program.registry.types[0].large_budget = 1U << 20;
  CHECK_THAT(trouble(), Catch::Contains("more than their budget of 1024 KiB") &&
                            Catch::Contains("HARNESS_LARGE_BUDGET(big::World, "));
  program.registry.types[0].large_budget = 1U << 30;
  program.registry.store_budget = 1U << 20;
  CHECK_THAT(trouble(), Catch::Contains("more than the store's budget of 1024 KiB") &&
                            Catch::Contains("HARNESS_STORE_BUDGET("));
}

TEST_CASE("large: a large save is anonymised", "[harness][large]") {
  const Program program = At(1);
  const auto payload = Payload(program);
  const auto anonymous = Anonymise(program.registry.types[0], payload, 1);
  REQUIRE(anonymous);
  CHECK(anonymous->size() == payload.size());
  const std::string_view text(reinterpret_cast<const char*>(anonymous->data()), anonymous->size());
  CHECK(text.find("unit 4321") == std::string_view::npos);
}

TEST_CASE("large: fuzzing damages fields in the whole save", "[harness][large]") {
  const Folder folder;
  const Program program = At(1);
  program.Record(folder);
  const auto world = big::Generated(2000, 200);
  std::vector<std::byte> payload;
  REQUIRE(program.registry.types[0].entry.write(1, world.get(), payload).ok);
  Import(program, folder, payload);
  const Edited edited(big::Edit::Crashes);
  const revctl::golden::Store store = revctl::golden::Store::Open(folder.path());
  const revctl::ListTable list = program.List();
  const History history(list, store);
  const StormResult result = Storm(program.registry.types[0], history, kSanitized ? 30 : 6, 1);
  CHECK(result.inputs > 0);
  // The body exits the process if the count of `terrain`, at an offset of about one megabyte, is
  // damaged. The storm must damage even this count.
  REQUIRE_FALSE(result.crashes.empty());
  CHECK_THAT(result.crashes[0].what, Catch::Contains("campaign"));
  CHECK(result.crashes[0].input.size() <= payload.size());
}

namespace {

struct Cost {
  double seconds = 0;    ///< seconds of CPU time
  double megabytes = 0;  ///< peak memory
};

/// Runs `work` in a separate process and measures it.
template <class Work>
Cost CostOf(Work work) {
  const pid_t child = ::fork();
  if (child == 0) {
    work();
    ::_exit(0);
  }
  rusage used{};
  int status = 0;
  REQUIRE(::wait4(child, &status, 0, &used) == child);
  CHECK(status == 0);
  const auto seconds = [](const timeval& time) {
    return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) / 1e6;
  };
  return {seconds(used.ru_utime) + seconds(used.ru_stime),
          static_cast<double>(used.ru_maxrss) / 1024};
}

}  // namespace

// Prints the cost of large goldens. This test case is for manual runs in an optimized build.
// REVCTL_COST_GOLDENS sets the number of goldens.
TEST_CASE("large: cost of a store with twenty goldens of 20 MB", "[.][large][cost]") {
  const Folder folder;
  const Program program = At(1);
  program.Record(folder);
  const char* const given = std::getenv("REVCTL_COST_GOLDENS");
  const int goldens = given == nullptr ? 20 : std::atoi(given);
  {
    auto payload = Payload(program, big::Generated(900'000, 300'000));
    for (int i = 0; i < goldens; ++i) {
      payload[100] = static_cast<std::byte>(i);
      Import(program, folder, payload, "save-" + std::to_string(i));
    }
  }
  const revctl::ListTable list = program.List();
  const RootType& root = program.registry.types[0];
  const Cost nothing = CostOf([&] { revctl::golden::Store::Open(folder.path()); });
  const Cost once = CostOf([&] {
    const revctl::golden::Store store = revctl::golden::Store::Open(folder.path());
    const History history(list, store);
    for (const Golden& golden : history.Large(root.name)) {
      const auto payload = history.ReadLarge(golden);
      const Object object(root.type());
      std::vector<std::byte> bytes;
      if (!root.Read(*payload, 1, object.get()).ok || !root.Write(1, object.get(), bytes).ok)
        ::_exit(1);
    }
  });
  const auto check = [&](bool thorough) {
    return CostOf([&] {
      const revctl::golden::Store store = revctl::golden::Store::Open(folder.path());
      CheckOptions options;
      options.thorough = thorough;
      (void)revctl::harness::Check(program.registry, list, store, options);
    });
  };
  const Program newer = At(2);
  const Cost record = CostOf([&] {
    const revctl::golden::Store store = revctl::golden::Store::Open(folder.path());
    const revctl::ListTable two = newer.List();
    const History history(two, store);
    (void)revctl::harness::Record(newer.registry, history, 1, {});
  });
  const auto print = [&](const char* what, const Cost& cost) {
    std::printf("%-28s %6.2f s of the core, %5.0f MB, %4.2f times\n", what, cost.seconds,
                cost.megabytes, cost.seconds / once.seconds);
  };
  print("open the store", nothing);
  print("load and save each once", once);
  print("check", check(false));
  print("sweep --fuzz 0", check(true));
  print("record, of a changed type", record);
}

}  // namespace revctl::harness::test
