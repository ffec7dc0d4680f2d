// Types other than plain fields: polymorphic pointers, types serialized as a different type, and
// names that contain a comma.
#include <array>
#include <catch2/catch.hpp>
#include <chrono>
#include <cstring>
#include <memory>

#include <revctl/objects.h>
#include <revctl/serialize.h>

#include "harness/files/anonymise.h"
#include "harness/testing/test_program.h"

namespace {
enum Rev { SR_INITIAL = 1, SR_GRID_PAIR_U16_I16 = 2 };
}  // namespace

// The example from docs/guide/serialize.md.
namespace guide {
struct Effect {
  virtual ~Effect() = default;
};
REVCTL_POLYMORPHIC(Effect);
struct Burn : Effect {
  std::int32_t damage = 3;
  std::string by;
};
SERIALIZE_TYPE(Burn) {
  ADD(SR_INITIAL, damage);
  ADD(SR_INITIAL, by);
}
SERIALIZE_END
REVCTL_REGISTER_CLASS(Effect, Burn, "burn");
struct Spell {
  std::unique_ptr<Effect> effect;
};
SERIALIZE_TYPE(Spell) { ADD(SR_INITIAL, effect); }
SERIALIZE_END

struct Card {
  char name[16] = {};
  std::array<std::array<char, 8>, 2> nicks{};
  std::vector<char> letters;
  std::string same;
  std::array<std::uint8_t, 3> pixels{};
  char grade = 'A';
};
SERIALIZE_TYPE(Card) {
  ADD(SR_INITIAL, name);
  ADD(SR_INITIAL, nicks);
  ADD(SR_INITIAL, letters);
  ADD(SR_INITIAL, same);
  ADD(SR_INITIAL, pixels);
  ADD(SR_INITIAL, grade);
}
SERIALIZE_END

struct Cast {
  std::chrono::milliseconds time{0};
};
struct Casts {
  std::vector<Cast> all;
};
}  // namespace guide

template <>
struct revctl::WireAs<std::chrono::milliseconds> {
  using Type = std::int64_t;
  static Type ToWire(std::chrono::milliseconds time) { return time.count(); }
  static bool FromWire(Type wire, std::chrono::milliseconds& time) {
    time = std::chrono::milliseconds(wire);
    return wire >= 0;
  }
};

namespace guide {
SERIALIZE_TYPE(Cast) { ADD(SR_INITIAL, time); }
SERIALIZE_END
SERIALIZE_TYPE(Casts) { ADD(SR_INITIAL, all); }
SERIALIZE_END
}  // namespace guide

namespace before {
struct Map {
  std::pair<std::int16_t, std::uint16_t> grid{};
};
SERIALIZE_TYPE(Map) { ADD(SR_INITIAL, grid); }
SERIALIZE_END
}  // namespace before
namespace after {
struct Map {
  std::pair<std::uint16_t, std::int16_t> grid{};
};
SERIALIZE_TYPE(Map) { ADD(SR_INITIAL, grid); }
SERIALIZE_END
}  // namespace after
// The program after pasting the suggested lines verbatim. Only the conversion was written by hand.
namespace fixed {
struct Map {
  std::pair<std::uint16_t, std::int16_t> grid{};
};
SERIALIZE_TYPE(Map) {
  using grid_before = std::pair<int16_t, uint16_t>;
  REM(SR_INITIAL, SR_GRID_PAIR_U16_I16, grid_before, grid, {});
  ADD(SR_GRID_PAIR_U16_I16, grid);
  if (r.IsReading() && r.revision < SR_GRID_PAIR_U16_I16)
    d.grid = {static_cast<std::uint16_t>(grid.first), static_cast<std::int16_t>(grid.second)};
}
SERIALIZE_END
}  // namespace fixed

// A class whose only change is a rename at the second revision.
struct Guard {
  std::int32_t hp = 0;
};
SERIALIZE_TYPE(Guard) { ADD(SR_INITIAL, hp); }
SERIALIZE_END
namespace before {
inline const revctl::ObjectClasses& Classes() {
  static const auto classes = revctl::ObjectClasses().Add<Guard>("Orc");
  return classes;
}
struct Camp {
  std::vector<std::unique_ptr<Guard>> all;
};
SERIALIZE_TYPE(Camp) { ADD_OBJECTS(SR_INITIAL, Classes(), all); }
SERIALIZE_END
}  // namespace before
namespace after {
inline const revctl::ObjectClasses& Classes() {
  static const auto classes =
      revctl::ObjectClasses().Add<Guard>("Goblin").Renamed("Orc", "Goblin", SR_GRID_PAIR_U16_I16);
  return classes;
}
struct Camp {
  std::vector<std::unique_ptr<Guard>> all;
};
SERIALIZE_TYPE(Camp) { ADD_OBJECTS(SR_INITIAL, Classes(), all); }
SERIALIZE_END
}  // namespace after

namespace revctl {
template <>
struct NameOf<before::Camp> {
  static std::string Name() { return "Camp"; }
};
template <>
struct NameOf<after::Camp> {
  static std::string Name() { return "Camp"; }
};
template <>
struct NameOf<before::Map> {
  static std::string Name() { return "Map"; }
};
template <>
struct NameOf<after::Map> {
  static std::string Name() { return "Map"; }
};
template <>
struct NameOf<fixed::Map> {
  static std::string Name() { return "Map"; }
};
}  // namespace revctl

namespace revctl::harness::test {

TEST_CASE("check: a polymorphic pointer has no unvisited member", "[harness][signals][extend]") {
  const Folder folder;
  const Program program = Program(1).Type<guide::Spell>();
  for (const Finding& finding : program.Check(folder).findings) CHECK(finding.type.empty());
  program.Record(folder);
  const CheckResult result = program.Check(folder);
  INFO(Text(result));
  CHECK(result.findings.empty());
  CHECK(result.goldens > 1);
}

TEST_CASE("check: skips samples that a WireAs rejects", "[harness][signals][extend]") {
  const Folder folder;
  const Program program = Program(1).Type<guide::Cast>().Type<guide::Casts>();
  program.Record(folder);
  const CheckResult result = program.Check(folder);
  INFO(Text(result));
  CHECK(result.findings.empty());
  CHECK_FALSE(result.errors);
  CHECK(result.goldens > 1);
}

TEST_CASE("anonymise: replaces texts, but not class names", "[harness][extend]") {
  const Program program = Program(1).Type<guide::Spell>();
  guide::Spell spell;
  auto burn = std::make_unique<guide::Burn>();
  burn->by = "Ann";
  spell.effect = std::move(burn);
  revctl::Writer writer(SR_INITIAL);
  Serialize(writer, spell);
  REQUIRE(writer.Ok());
  const auto anonymous = Anonymise(program.registry.types[0], writer.Bytes(), 1);
  REQUIRE(anonymous);
  const std::string text(reinterpret_cast<const char*>(anonymous->data()), anonymous->size());
  CHECK_THAT(text, Catch::Contains("burn") && !Catch::Contains("Ann"));
}

TEST_CASE("anonymise: replaces letters in arrays, but not numbers in bytes", "[harness][extend]") {
  const Program program = Program(1).Type<guide::Card>();
  guide::Card card;
  std::strcpy(card.name, "Ann Lee 7");
  std::strcpy(card.name + 10, "zoe");  // remains of a longer name, after the NUL
  std::strcpy(card.nicks[1].data(), "Ann");
  card.letters = {'B', 'o', 'b'};
  card.same = "Ann Lee 7";
  card.pixels = {65, 66, 67};
  revctl::Writer writer(SR_INITIAL);
  Serialize(writer, card);
  REQUIRE(writer.Ok());
  const auto anonymous = Anonymise(program.registry.types[0], writer.Bytes(), 1);
  REQUIRE(anonymous);
  REQUIRE(anonymous->size() == writer.Bytes().size());
  const std::string text(reinterpret_cast<const char*>(anonymous->data()), anonymous->size());
  for (const char* theirs : {"Ann", "Lee", "zoe", "Bob"})
    CHECK_THAT(text, !Catch::Contains(theirs));
  guide::Card back;
  revctl::Reader reader(*anonymous, SR_INITIAL);
  Serialize(reader, back);
  REQUIRE(reader.Ok());
  CHECK(back.name == back.same);  // equal strings must get equal replacements
  CHECK(back.same.size() == 9);
  CHECK(back.same[3] == ' ');
  CHECK(back.name[9] == '\0');
  CHECK(std::strlen(back.nicks[1].data()) == 3);
  CHECK(back.pixels == card.pixels);
  CHECK(back.grade == 'A');  // a single letter is not personal data
}

TEST_CASE("check: the lines that fix a type with a comma compile", "[harness][signals][fix]") {
  const Folder folder;
  Program(1).Type<before::Map>().Record(folder);
  const Finding finding = Find(Program(1).Type<after::Map>().Check(folder), "GH001", "Map", "grid");
  INFO(FixText(finding.fix));
  CHECK_THAT(FixText(finding.fix),
             Catch::Contains("using grid_before = std::pair<int16_t, uint16_t>;\n"
                             "REM(SR_INITIAL, SR_GRID_PAIR_U16_I16, grid_before, grid, {});"));
  Program now(2);
  now.entries[1].name = "SR_GRID_PAIR_U16_I16";
  now.Type<fixed::Map>().Record(folder);
  const CheckResult result = now.Check(folder);
  INFO(Text(result));
  CHECK_FALSE(result.errors);
}

TEST_CASE("record: a revision that renames a class needs goldens", "[harness][signals][extend]") {
  const Folder folder;
  Program(1).Type<before::Camp>().Record(folder);
  const Program now = Program(2).Type<after::Camp>();
  now.Record(folder);
  const std::string then = Bytes(folder.path() + "/SR_INITIAL.yaml"),
                    text = Bytes(folder.path() + "/SR_FOULS.yaml");
  CHECK_THAT(then, Catch::Contains("classes[0]: \"Orc\"") && !Catch::Contains("Goblin"));
  CHECK_THAT(text, Catch::Contains("compared: [2]") && Catch::Contains("classes[0]: \"Goblin\""));
  const CheckResult result = now.Check(folder);
  INFO(Text(result));
  CHECK(result.findings.empty());
}

}  // namespace revctl::harness::test
