// Once a rename is approved, the old and the new name must mean the same field at every later
// revision.
#include <catch2/catch.hpp>
#include <filesystem>

#include <revctl/plain_serialize.h>
#include <revctl/serialize.h>

#include "harness/testdata/named.h"
#include "harness/testing/test_program.h"

namespace {

enum Rev { SR_INITIAL = 1, SR_FOULS = 2, SR_PLAYERS = 3, SR_NO_FOULS = 4, SR_NEXT = 5 };

/// Defines a class with two numbers and a body. Each namespace is one version of the program's
/// code.
#define NUMBERS(space, name, a, b, ...)           \
  namespace space {                               \
  struct name {                                   \
    std::int32_t a = 0, b = 0;                    \
  };                                              \
  SERIALIZE_TYPE(name){__VA_ARGS__} SERIALIZE_END \
  }
/// Defines a world with players, and with a monster that has fields with the old and the new name.
#define WORLD(space)             \
  namespace space {              \
  struct World {                 \
    std::vector<Player> players; \
    before::Monster monster;     \
  };                             \
  SERIALIZE_TYPE(World) {        \
    ADD(SR_INITIAL, players);    \
    ADD(SR_INITIAL, monster);    \
  }                              \
  SERIALIZE_END                  \
  }

NUMBERS(before, Monster, hp, health, ADD(SR_INITIAL, hp); ADD(SR_INITIAL, health);)
NUMBERS(before, Player, hp, mp, ADD(SR_INITIAL, hp); ADD_CONDITIONAL(SR_INITIAL, d.hp > 50, mp);)
WORLD(before)
NUMBERS(renamed, Player, health, mp, ADD(SR_INITIAL, health);
        ADD_CONDITIONAL(SR_INITIAL, d.health > 50, mp);)
WORLD(renamed)
// The code after a later revision, which adds a field and upgrade code.
namespace later {
struct Player {
  std::int32_t health = 0, mp = 0, nx = 0;
};
SERIALIZE_TYPE(Player) {
  ADD(SR_INITIAL, health);
  ADD_CONDITIONAL(SR_INITIAL, d.health > 50, mp);
  ADD(SR_FOULS, nx);
  if (r.IsReading() && r.revision < SR_FOULS) d.health /= 2;
}
SERIALIZE_END
}  // namespace later
WORLD(later)
// The code after a second rename and another edit of upgrade code. Goldens exist with both earlier
// names.
namespace latest {
struct Player {
  std::int32_t vitality = 0, mp = 0, nx = 0;
};
SERIALIZE_TYPE(Player) {
  ADD(SR_INITIAL, vitality);
  ADD_CONDITIONAL(SR_INITIAL, d.vitality > 50, mp);
  ADD(SR_FOULS, nx);
  if (r.IsReading() && r.revision < SR_FOULS) d.vitality /= 2;
  if (r.IsReading() && r.revision < SR_PLAYERS) d.vitality /= 3;
}
SERIALIZE_END
}  // namespace latest
WORLD(latest)

/// Renames `hp` in a PLAIN struct.
namespace before {
struct Flat {
  PLAIN(Flat);
  FIELD(std::int32_t, hp, SR_INITIAL) = 0;
  FIELD(std::int32_t, mp, SR_INITIAL) = 0;
};
}  // namespace before
namespace renamed {
struct Flat {
  PLAIN(Flat);
  FIELD(std::int32_t, health, SR_INITIAL) = 0;
  FIELD(std::int32_t, mp, SR_INITIAL) = 0;
};
}  // namespace renamed
namespace later {
struct Flat {
  PLAIN(Flat);
  FIELD(std::int32_t, health, SR_INITIAL) = 0;
  FIELD(std::int32_t, mp, SR_INITIAL) = 0;
  FIELD(std::int32_t, nx, SR_FOULS) = 0;
};
}  // namespace later

// Versions of a type with two fields, for tests of a REM and of mistakes.
NUMBERS(single, Before, hp, mp, ADD(SR_INITIAL, hp); ADD(SR_INITIAL, mp);)
NUMBERS(single, Swapped, health, mp, ADD(SR_INITIAL, mp); ADD(SR_INITIAL, health);)
namespace single {
struct Wider {
  std::int64_t health = 0;
  std::int32_t mp = 0;
};
SERIALIZE_TYPE(Wider) {
  ADD(SR_INITIAL, health);
  ADD(SR_INITIAL, mp);
}
SERIALIZE_END
/// The renamed field was later removed, under its last name, which the REM uses.
struct Gone {
  std::int32_t mp = 0;
};
SERIALIZE_TYPE(Gone) {
  REM(SR_INITIAL, SR_FOULS, std::int32_t, health, 0);
  ADD(SR_INITIAL, mp);
}
SERIALIZE_END
/// Misreads a renamed field, without changing the layout.
struct Halved {
  std::int32_t health = 0, mp = 0;
};
SERIALIZE_TYPE(Halved) {
  ADD(SR_INITIAL, health);
  ADD(SR_INITIAL, mp);
  if (r.IsReading()) d.health /= 2;
}
SERIALIZE_END
}  // namespace single

// A type with upgrade code for a later field, and with a condition that is false for all samples.
inline bool IsRare(std::int32_t hp) { return hp == 123456789; }
NUMBERS(before, Mage, hp, mana, ADD(SR_INITIAL, hp);
        ADD_CONDITIONAL(SR_INITIAL, IsRare(d.hp), mana);)
NUMBERS(renamed, Mage, hp, magic, ADD(SR_INITIAL, hp);
        ADD_CONDITIONAL(SR_INITIAL, IsRare(d.hp), magic);)
#define THIEF(space, luck, ...)            \
  namespace space {                        \
  struct Thief {                           \
    std::int32_t hp = 0, luck = 123456789; \
  };                                       \
  SERIALIZE_TYPE(Thief) {                  \
    ADD(SR_INITIAL, hp);                   \
    ADD(SR_FOULS, luck);                   \
    __VA_ARGS__                            \
  }                                        \
  SERIALIZE_END                            \
  }
THIEF(before, luck)
THIEF(later, luck, if (r.IsReading() && r.revision < SR_PLAYERS && IsRare(d.luck)) d.luck = 9;)
THIEF(renamed, fortune,
      if (r.IsReading() && r.revision < SR_PLAYERS && IsRare(d.fortune)) d.fortune = 9;)

// A condition that is spelled differently but has the same result, and one with a different result.
inline bool IsStrong(std::int32_t hp) { return hp > 50; }
inline bool IsStronger(std::int32_t hp) { return hp > 51; }
NUMBERS(conditions, Before, hp, mp, ADD(SR_INITIAL, hp);
        ADD_CONDITIONAL(SR_INITIAL, d.hp > 50, mp);)
NUMBERS(conditions, Respelled, hp, mp, ADD(SR_INITIAL, hp);
        ADD_CONDITIONAL(SR_INITIAL, IsStrong(d.hp), mp);)
NUMBERS(conditions, Otherwise, hp, mp, ADD(SR_INITIAL, hp);
        ADD_CONDITIONAL(SR_INITIAL, IsStronger(d.hp), mp);)

}  // namespace

NAMED(before::Player, "Player");
NAMED(renamed::Player, "Player");
NAMED(later::Player, "Player");
NAMED(latest::Player, "Player");
NAMED(before::World, "World");
NAMED(renamed::World, "World");
NAMED(later::World, "World");
NAMED(latest::World, "World");
NAMED(before::Flat, "Flat");
NAMED(renamed::Flat, "Flat");
NAMED(later::Flat, "Flat");
NAMED(before::Mage, "Mage");
NAMED(renamed::Mage, "Mage");
NAMED(before::Thief, "Thief");
NAMED(later::Thief, "Thief");
NAMED(renamed::Thief, "Thief");
NAMED(before::Monster, "Monster");
NAMED(single::Before, "Single");
NAMED(single::Wider, "Single");
NAMED(single::Swapped, "Single");
NAMED(single::Gone, "Single");
NAMED(single::Halved, "Single");
NAMED(conditions::Before, "Door");
NAMED(conditions::Respelled, "Door");
NAMED(conditions::Otherwise, "Door");

namespace revctl::harness::test {
namespace {

void MakeHealthy(void* object) { static_cast<before::World*>(object)->players = {{66, 1}, {7, 2}}; }

void Accept(const Folder& folder, const std::string& type, const std::string& from,
            const std::string& to) {
  revctl::golden::Approval approval;
  approval.type = type;
  approval.from = from;
  approval.to = to;
  approval.reason = "the new rule book";
  REQUIRE(revctl::golden::WriteApproval(folder.path(), approval).ok());
}

}  // namespace

TEST_CASE("renames: approvals remain valid when the type changes later",
          "[harness][signals][rename]") {
  const Folder folder;
  Program(1)
      .Type<before::World>()
      .Sample("healthy", MakeHealthy)
      .Type<before::Flat>()
      .Record(folder);
  const CheckResult unasked = Program(1).Type<renamed::World>().Type<renamed::Flat>().Check(folder);
  CHECK_THAT(FixText(Find(unasked, "GH001", "Player", "hp").fix),
             Catch::Contains("approve --rename Player.hp=health"));
  CHECK_THAT(FixText(Find(unasked, "GH001", "Flat", "hp").fix),
             Catch::Contains("approve --rename Flat.hp=health"));
  Accept(folder, "Player", "hp", "health");
  Accept(folder, "Flat", "hp", "health");
  const CheckResult accepted =
      Program(1).Type<renamed::World>().Type<renamed::Flat>().Check(folder);
  INFO(Text(accepted));
  CHECK(accepted.findings.empty());

  const Program two = Program(2).Type<later::World>().Type<later::Flat>();
  const CheckResult pending = two.Check(folder);
  INFO(Text(pending));
  CHECK(Errors(pending) == std::vector<std::string>{"GH007 ."});
  two.Record(folder);
  const CheckResult after = two.Check(folder);
  INFO(Text(after));
  CHECK(after.findings.empty());

  // Both old names are recorded when the field is renamed again. Approving the new name for one of
  // them must be enough.
  const Program three = Program(3).Type<latest::World>().Type<later::Flat>();
  CHECK(Find(three.Check(folder), "GH001", "Player", "health").severity == Severity::Error);
  Accept(folder, "Player", "health", "vitality");
  three.Record(folder);
  const CheckResult again = three.Check(folder);
  INFO(Text(again));
  CHECK(again.findings.empty());
}

TEST_CASE("renames: the REM of a renamed field has its newest name", "[harness][signals][rename]") {
  const Folder folder;
  Program(1).Type<single::Before>().Record(folder);
  Accept(folder, "Single", "hp", "health");
  const Program program = Program(2).Type<single::Gone>();
  CHECK(Errors(program.Check(folder)) == std::vector<std::string>{"GH007 ."});
  program.Record(folder);
  const CheckResult after = program.Check(folder);
  INFO(Text(after));
  CHECK_FALSE(after.errors);
}

TEST_CASE("renames: other changes to a renamed field are found", "[harness][signals][rename]") {
  const Folder folder;
  Program(1).Type<single::Before>().Record(folder);
  Accept(folder, "Single", "hp", "health");
  const Finding wider =
      Find(Program(1).Type<single::Wider>().Check(folder), "GH001", "Single", "hp");
  CHECK_THAT(wider.message, Catch::Contains("was int32_t, is int64_t"));
  CHECK_THAT(
      FixText(wider.fix),
      Catch::Contains(
          "REM(SR_INITIAL, SR_HEALTH_I64, int32_t, health, static_cast<int32_t>(d.health));") &&
          Catch::Contains("or restore the type: int32_t health"));
  const Finding swapped =
      Find(Program(1).Type<single::Swapped>().Check(folder), "GH001", "Single", "hp");
  CHECK_THAT(FixText(swapped.fix),
             Catch::Contains("ADD(SR_INITIAL, health);\nADD(SR_INITIAL, mp);"));
}

TEST_CASE("renames: values are reported with the current names of fields",
          "[harness][signals][rename]") {
  const Folder folder;
  Program(1).Type<single::Before>().Record(folder);
  Accept(folder, "Single", "hp", "health");
  const Finding value =
      Find(Program(1).Type<single::Swapped>().Check(folder), "GH003", "Single", "health");
  CHECK_THAT(value.message, Catch::StartsWith("Single.health was "));
  CHECK_THAT(value.details, Catch::Contains("\nhealth: recorded ") && !Catch::Contains("hp"));
  const Finding upgrade =
      Find(Program(1).Type<single::Halved>().Check(folder), "GH004", "Single", "health");
  CHECK_THAT(upgrade.message, Catch::StartsWith("Single.health: upgraded to "));
  CHECK_THAT(upgrade.details, Catch::Contains("\nhealth: recorded ") && !Catch::Contains("hp"));
  CHECK_THAT(SourceLine(upgrade), Catch::Contains("ADD(SR_INITIAL, health)"));
}

TEST_CASE("renames: a baseline still applies after a rename", "[harness][signals][rename]") {
  const Folder folder;
  Program(1).Type<before::Mage>().Record(folder);
  const CheckResult first = Program(1).Type<before::Mage>().Check(folder);
  revctl::golden::Approval baseline;
  baseline.kind = revctl::golden::Approval::Kind::Baseline;
  baseline.reason = "it came with us";
  baseline.places = first.uncovered;
  REQUIRE(first.uncovered == std::vector<std::string>{"Mage.mana: condition"});
  REQUIRE(revctl::golden::WriteApproval(folder.path(), baseline).ok());
  Accept(folder, "Mage", "mana", "magic");
  const CheckResult second = Program(1).Type<renamed::Mage>().Check(folder);
  INFO(Text(second));
  CHECK(second.findings.empty());
}

TEST_CASE("renames: upgraded values of newer fields follow the rename",
          "[harness][signals][rename]") {
  const Folder folder;
  Program(1).Type<before::Thief>().Record(folder);
  Program(2).Type<before::Thief>().Record(folder);
  Program(3).Type<later::Thief>().Record(folder);
  const CheckResult before = Program(3).Type<later::Thief>().Check(folder);
  INFO(Text(before));
  CHECK(before.findings.empty());
  Accept(folder, "Thief", "luck", "fortune");
  const CheckResult after = Program(3).Type<renamed::Thief>().Check(folder);
  INFO(Text(after));
  CHECK(after.findings.empty());
}

TEST_CASE("conditions: a new spelling can be approved if goldens read the same",
          "[harness][signals][rename]") {
  const Folder folder;
  Program(1).Type<conditions::Before>().Record(folder);
  const Program respelled = Program(1).Type<conditions::Respelled>();
  const Program otherwise = Program(1).Type<conditions::Otherwise>();
  CheckResult result = respelled.Check(folder);
  const Finding finding = Find(result, "GH001", "Door", "mp");
  CHECK(finding.severity == Severity::Warning);
  CHECK_THAT(FixText(finding.fix),
             Catch::Contains("save_harness approve --condition Door.mp --reason"));
  REQUIRE(result.pending.size() == 1);
  CHECK(otherwise.Check(folder).pending.empty());
  result.pending[0].approval.reason = "the same, in a function";
  golden::Approval of_another_text = result.pending[0].approval;
  of_another_text.to += " && true";
  REQUIRE(revctl::golden::WriteApproval(folder.path(), of_another_text).ok());
  CHECK(respelled.Check(folder).pending.size() == 1);
  REQUIRE(revctl::golden::WriteApproval(folder.path(), result.pending[0].approval).ok());
  result = respelled.Check(folder);
  INFO(Text(result));
  CHECK(result.findings.empty());
  CHECK(result.pending.empty());
  // The approval covers a different spelling of the condition, but not a different result.
  const Finding wrong = Find(otherwise.Check(folder), "GH001", "Door", "mp");
  CHECK(wrong.severity == Severity::Error);
  CHECK_THAT(FixText(wrong.fix), !Catch::Contains("approve"));
}

TEST_CASE("renames: renaming back and forth is not a change", "[harness][signals][rename]") {
  const revctl::golden::Approval there{
      revctl::golden::Approval::Kind::Rename, "T", "a", "b", 0, "", "", {}, {}, {}, "x"};
  const revctl::golden::Approval back{
      revctl::golden::Approval::Kind::Rename, "T", "b", "a", 0, "", "", {}, {}, {}, "x"};
  const Renames renames({there, back});
  CHECK(renames.Same("T", "a", "b"));
  CHECK_FALSE(renames.Same("U", "a", "b"));
  CHECK(renames.Compare({{"a", "1"}}, {{"b", "1"}}).empty());
  CHECK(renames.Compare({{"b", "1"}}, {{"a", "1"}}).empty());
  CHECK(renames.Compare({{"a", "1"}, {"b", "2"}}, {{"a", "1"}, {"b", "2"}}).empty());
}

}  // namespace revctl::harness::test
