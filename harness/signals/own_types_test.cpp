// Types of the guide beyond numbers and containers, under the harness: a pointer to derived classes, and a type that
// travels as another and refuses some values. Both are recorded and checked like any other.
#include <catch2/catch.hpp>

#include "harness/anonymise.h"
#include "harness/test_program.h"
#include "revctl/polymorphic.h"
#include "revctl/serialize.h"

namespace {

enum Rev { SR_INITIAL = 1 };

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

/// Never negative: what is, is refused.
struct Duration {
  std::int64_t ticks = 0;
};
struct Pause {
  Duration length;
};

}  // namespace

template <>
struct revctl::WireAs<Duration> {
  using Type = std::int64_t;
  static Type ToWire(Duration duration) { return duration.ticks; }
  static bool FromWire(Type wire, Duration& duration) {
    duration.ticks = wire;
    return wire >= 0;
  }
};

namespace {
SERIALIZE_TYPE(Pause) { ADD(SR_INITIAL, length); }
SERIALIZE_END
}  // namespace

namespace harness::test {

TEST_CASE("check: a pointer to derived classes is recorded and fine", "[harness][signals][own_types]") {
  const Folder folder;
  const Program program = Program(1).Type<Spell>();
  for (const Finding& finding : program.Check(folder).findings) CHECK(finding.type.empty());
  program.Record(folder);
  const CheckResult result = program.Check(folder);
  INFO(Text(result));
  CHECK(result.findings.empty());
}

TEST_CASE("check: automatic samples that a FromWire refuses are left out", "[harness][signals][own_types]") {
  const Folder folder;
  const Program program = Program(1).Type<Pause>();
  program.Record(folder);
  const CheckResult result = program.Check(folder);
  INFO(Text(result));
  CHECK(result.findings.empty());
  CHECK(result.goldens > 0);
}

TEST_CASE("anonymise: class names are the program's, texts the user's", "[harness][own_types]") {
  const Program program = Program(1).Type<Spell>();
  Spell spell;
  auto burn = std::make_unique<Burn>();
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

}  // namespace harness::test
