// GH007 must report upgrade code that runs but changes nothing in any golden.
#include <catch2/catch.hpp>

#include <revctl/plain_serialize.h>
#include <revctl/serialize.h>

#include "harness/recording/record_additions.h"
#include "harness/testing/test_program.h"

namespace {

enum Rev { SR_INITIAL = 1, SR_FOULS = 2, SR_PLAYERS = 3 };

/// True for a number that no automatic sample contains.
bool IsRare(std::int32_t hp) { return hp == 123456789; }

struct Fighter {
  std::int32_t hp = 0, armour = 0;
};
constexpr int kFighterBegins = __LINE__ + 1;
SERIALIZE_TYPE(Fighter) {
  ADD(SR_INITIAL, hp);
  ADD(SR_INITIAL, armour);
  if (r.IsReading() && r.revision < SR_FOULS && IsRare(d.hp)) d.hp = 0;
}
SERIALIZE_END
void MakeRare(void* object) { static_cast<Fighter*>(object)->hp = 123456789; }

struct Team {
  std::vector<Fighter> fighters;
};
SERIALIZE_TYPE(Team) { ADD(SR_INITIAL, fighters); }
SERIALIZE_END
void MakeRareTeam(void* object) { static_cast<Team*>(object)->fighters = {{1, 2}, {123456789, 3}}; }

struct Usual {
  std::int32_t hp = 0;
};
SERIALIZE_TYPE(Usual) {
  ADD(SR_INITIAL, hp);
  if (r.IsReading() && r.revision < SR_FOULS) d.hp /= 2;
}
SERIALIZE_END

/// A type with another field, which is newer than the upgrade code.
struct Grown {
  std::int32_t hp = 0, later = 7;
};
SERIALIZE_TYPE(Grown) {
  ADD(SR_INITIAL, hp);
  ADD(SR_PLAYERS, later);
  if (r.IsReading() && r.revision < SR_FOULS && IsRare(d.hp)) d.hp = 0;
}
SERIALIZE_END
/// A type whose upgrade code sets a new field to the value that it already has by default.
struct Filled {
  std::int32_t hp = 0, armour = 0;
};
SERIALIZE_TYPE(Filled) {
  ADD(SR_INITIAL, hp);
  ADD(SR_FOULS, armour);
  if (r.IsReading() && r.revision < SR_FOULS) d.armour = 0;
}
SERIALIZE_END
struct LessFouls {
  std::int32_t points = 0;
};
SERIALIZE_TYPE(LessFouls) {
  ADD(SR_INITIAL, points);
  REM(SR_INITIAL, SR_FOULS, std::int32_t, fouls, 0);
  if (r.IsReading() && r.revision < SR_FOULS) d.points ^= fouls;
}
SERIALIZE_END
struct FilledFromMember {
  std::int32_t halves = 0, points = 0;
};
SERIALIZE_TYPE(FilledFromMember) {
  REM(SR_INITIAL, SR_FOULS, halves);
  ADD(SR_FOULS, points);
  if (r.IsReading() && r.revision < SR_FOULS) d.points = d.halves / 2;
}
SERIALIZE_END
struct Continued {
  std::int64_t hp = 0;
};
SERIALIZE_TYPE(Continued) {
  REM(SR_INITIAL, SR_FOULS, std::int32_t, hp, 0);
  ADD(SR_FOULS, hp);
  if (r.IsReading() && r.revision < SR_FOULS) d.hp = hp;
}
SERIALIZE_END

struct Branches {
  std::int64_t hp = 0;
};
SERIALIZE_TYPE(Branches) {
  if (r.revision < SR_FOULS) {
    auto hp = static_cast<std::int32_t>(d.hp);
    Serialize(r, hp);
    if (r.IsReading()) d.hp = hp;
  } else {
    Serialize(r, d.hp);
  }
}
SERIALIZE_END
struct InCondition {
  std::int32_t hp = 0, armour = 0;
};
SERIALIZE_TYPE(InCondition) {
  ADD(SR_INITIAL, hp);
  ADD_CONDITIONAL(SR_INITIAL, r.revision < SR_FOULS || d.hp > 7, armour);
}
SERIALIZE_END
struct Downgrades {
  std::int32_t hp = 0;
};
SERIALIZE_TYPE(Downgrades) {
  ADD(SR_INITIAL, hp);
  if (r.IsWriting() && r.revision < SR_FOULS) {
    [[maybe_unused]] const bool older = true;
  }
}
SERIALIZE_END
/// A type that repairs files of SR_FOULS, because builds of that revision wrote twice the value.
struct Repaired {
  std::int32_t hp = 0;
};
SERIALIZE_TYPE(Repaired) {
  ADD(SR_INITIAL, hp);
  if (r.IsReading() && r.revision >= SR_FOULS && r.revision < SR_PLAYERS) d.hp /= 2;
}
SERIALIZE_END

struct Image {
  PLAIN(Image);
  FIELD(std::int32_t, hp, SR_INITIAL) = 0;
  FIELD(std::int8_t, kind, SR_INITIAL) = 0;
  // follows padding that images of older revisions also contain
  FIELD(std::int64_t, later, SR_FOULS) = 0;
};

struct Gated {
  std::int32_t hp = 0, armour = 0;
};
SERIALIZE_TYPE(Gated) {
  ADD(SR_INITIAL, hp);
  ADD(SR_FOULS, armour);
}
SERIALIZE_END

}  // namespace

namespace revctl::harness::test {

namespace {

/// Records each revision with the current code. Returns the result of a check.
template <class... Types>
CheckResult Told(std::size_t revisions = 2) {
  const Folder folder;
  for (std::size_t count = 1; count <= revisions; ++count) {
    Program program(count);
    (program.Type<Types>(), ...);
    program.Record(folder);
  }
  Program program(revisions);
  (program.Type<Types>(), ...);
  return program.Check(folder);
}

constexpr const char* kSays =
    "its code for files older than SR_FOULS changes no value of any golden";

}  // namespace

TEST_CASE("check: reports conditional upgrade code that changes no golden",
          "[harness][signals][coverage][upgrade]") {
  const Folder folder;
  Program(1).Type<Fighter>().Record(folder);
  const Program today = Program(2).Type<Fighter>();
  today.Record(folder);
  const CheckResult result = today.Check(folder);
  INFO(Text(result));
  CHECK_FALSE(result.errors);
  REQUIRE(result.findings.size() == 1);
  const Finding& finding = result.findings[0];
  const std::string type = today.registry.types[0].name;
  CHECK(findings::NameOf(finding.rule) == "GH007");
  CHECK(finding.severity == Severity::Note);
  CHECK(finding.type == type);
  CHECK_THAT(finding.message, Catch::Contains(kSays));
  CHECK(finding.line == kFighterBegins + 3);
  CHECK_THAT(FixText(finding.fix), Catch::StartsWith("save_harness import FILE --type ") &&
                                       Catch::Contains("--name before-SR_FOULS"));

  SECTION("importing an old file that it changes fixes the finding") {
    const revctl::golden::Store store = revctl::golden::Store::Open(folder.path());
    const revctl::ListTable list = today.List();
    const History history(list, store);
    std::vector<std::byte> payload;
    Fighter fighter{123456789, 1};
    REQUIRE(today.registry.types[0].entry.write(1, &fighter, payload).ok);
    const Recording import =
        RecordImport(today.registry, today.registry.types[0], history, 0, "user", payload, {});
    REQUIRE(import.troubles.empty());
    REQUIRE(revctl::golden::WriteAddition(folder.path(), import.record, import.payloads).ok());
    const CheckResult after = today.Check(folder);
    INFO(Text(after));
    CHECK(after.findings.empty());
  }
  SECTION("a baseline accepts it") {
    revctl::golden::Approval baseline;
    baseline.kind = revctl::golden::Approval::Kind::Baseline;
    baseline.reason = "it came with us";
    baseline.places = result.uncovered;
    REQUIRE(revctl::golden::WriteApproval(folder.path(), baseline).ok());
    CHECK(today.Check(folder).findings.empty());
  }
}

TEST_CASE("check: a golden of any root type shows that upgrade code is reached",
          "[harness][signals][coverage][upgrade]") {
  const auto told = [](void (*rare)(void*)) {
    const Folder folder;
    const auto program = [&](std::size_t count) {
      Program made = Program(count).Type<Fighter>().Type<Team>();
      return rare == nullptr ? made : made.Sample("rare", rare);
    };
    program(1).Record(folder);
    program(2).Record(folder);
    return program(2).Check(folder);
  };
  const CheckResult neither = told(nullptr);
  INFO(Text(neither));
  REQUIRE(neither.findings.size() == 1);  // a single finding covers both types
  CHECK_THAT(neither.findings[0].message, Catch::Contains(kSays));
  const CheckResult other = told(MakeRareTeam);
  INFO(Text(other));
  CHECK(other.findings.empty());

  const Folder folder;
  Program(1).Type<Fighter>().Sample("rare", MakeRare).Record(folder);
  Program(2).Type<Fighter>().Record(folder);
  CHECK(Program(2).Type<Fighter>().Check(folder).findings.empty());
}

TEST_CASE("check: an upgrade does not change newer fields",
          "[harness][signals][coverage][upgrade]") {
  const CheckResult grown = Told<Grown>(3);
  INFO(Text(grown));
  REQUIRE(grown.findings.size() == 1);
  CHECK_THAT(grown.findings[0].message, Catch::Contains(kSays) && !Catch::Contains("(at "));
}

TEMPLATE_TEST_CASE("check: comparisons that need no golden cause no finding",
                   "[harness][signals][coverage][upgrade]", Usual, Filled, FilledFromMember,
                   Continued, Branches, InCondition, Downgrades, Image, Gated) {
  const CheckResult result = Told<TestType>();
  INFO(Text(result));
  CHECK(result.findings.empty());
}

TEST_CASE("check: a repair for some revisions leaves older files alone",
          "[harness][signals][coverage][upgrade]") {
  const CheckResult result = Told<Repaired>(3);
  INFO(Text(result));
  CHECK(result.findings.empty());
}

TEST_CASE("check: backfilled goldens show an upgrade only if they have generated values",
          "[harness][signals][coverage][upgrade]") {
  const CheckResult written_then = Told<LessFouls>();
  INFO(Text(written_then));
  CHECK(written_then.findings.empty());

  const auto backfilled_by = [](const Program& today) {
    const Folder folder;
    for (const std::size_t index : {0U, 1U}) {
      const revctl::golden::Store store = revctl::golden::Store::Open(folder.path());
      const revctl::ListTable list = today.List();
      const Recording recording = revctl::harness::Record(
          today.registry, History(list, store), index, {"record --backfill", 1, {}, true});
      REQUIRE(
          revctl::golden::WriteRecord(folder.path(), recording.record, recording.payloads, false)
              .ok());
    }
    return today.Check(folder);
  };
  Program today = Program(2).Type<LessFouls>();
  const CheckResult shown = backfilled_by(today);
  INFO(Text(shown));
  CHECK(shown.findings.empty());
  today.registry.types.front().budget = 1;  // a budget too small for any golden
  const CheckResult backfilled = backfilled_by(today);
  INFO(Text(backfilled));
  REQUIRE(backfilled.findings.size() == 1);
  CHECK_THAT(backfilled.findings[0].message,
             Catch::Contains("were written by the current code (record --backfill)"));
}

}  // namespace revctl::harness::test
