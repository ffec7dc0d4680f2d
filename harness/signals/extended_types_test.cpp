// Types that are more than fields: polymorphic pointers, types that travel as another, types whose
// name has a comma.
#include <catch2/catch.hpp>
#include <chrono>
#include <memory>

#include "harness/anonymise.h"
#include "harness/test_program.h"
#include "revctl/serialize.h"

namespace {
enum Rev { SR_INITIAL = 1, SR_GRID_PAIR_U16_I16 = 2 };
}  // namespace

// As docs/guide/serialize.md has them.
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
// With the lines that the finding gives, word for word; the conversion is what it leaves to people.
namespace mended {
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
}  // namespace mended

namespace revctl {
template <>
struct NameOf<before::Map> {
  static std::string Name() { return "Map"; }
};
template <>
struct NameOf<after::Map> {
  static std::string Name() { return "Map"; }
};
template <>
struct NameOf<mended::Map> {
  static std::string Name() { return "Map"; }
};
}  // namespace revctl

namespace harness::test {

TEST_CASE("check: a polymorphic pointer has no member that nobody visits",
          "[harness][signals][extend]") {
  const Folder folder;
  const Program program = Program(1).Type<guide::Spell>();
  for (const Finding& finding : program.Check(folder).findings) CHECK(finding.type.empty());
  program.Record(folder);
  const CheckResult result = program.Check(folder);
  INFO(Text(result));
  CHECK(result.findings.empty());
  CHECK(result.goldens > 1);
}

TEST_CASE("check: automatic samples that a WireAs refuses are left out, as a body's are",
          "[harness][signals][extend]") {
  const Folder folder;
  const Program program = Program(1).Type<guide::Cast>().Type<guide::Casts>();
  program.Record(folder);
  const CheckResult result = program.Check(folder);
  INFO(Text(result));
  CHECK(result.findings.empty());
  CHECK_FALSE(result.errors);
  CHECK(result.goldens > 1);
}

TEST_CASE("anonymise: class names are the program's, texts the user's", "[harness][extend]") {
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

TEST_CASE("check: the lines that mend a type with a comma compile", "[harness][signals][mend]") {
  const Folder folder;
  Program(1).Type<before::Map>().Record(folder);
  const Finding finding = Find(Program(1).Type<after::Map>().Check(folder), "GH001", "Map", "grid");
  INFO(finding.fix);
  CHECK_THAT(finding.fix,
             Catch::Contains("using grid_before = std::pair<int16_t, uint16_t>;\n"
                             "REM(SR_INITIAL, SR_GRID_PAIR_U16_I16, grid_before, grid, {});"));
  Program now(2);
  now.entries[1].name = "SR_GRID_PAIR_U16_I16";
  now.Type<mended::Map>().Record(folder);
  const CheckResult result = now.Check(folder);
  INFO(Text(result));
  CHECK_FALSE(result.errors);
}

}  // namespace harness::test
