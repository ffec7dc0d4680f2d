// GH004 with a pending revision: effects of the revision's code must be notes, and unrelated
// changes must be errors until they are approved.
#include <algorithm>
#include <catch2/catch.hpp>

#include <revctl/serialize.h>

#include "golden/approval.h"
#include "harness/testing/test_program.h"

namespace {

enum Rev { SR_INITIAL = 1, SR_FOULS = 2, SR_PLAYERS = 3 };

/// What SR_PLAYERS changes, in addition to adding `pad`.
enum What {
  Before,
  Sound,
  LostUpgrade,
  OtherDefault,
  CutsOff,
  Converts,
  ConvertsAndLoses,
  TakesFromRem,
  Chains,
  Nests,
  IncludesPending,
  IncludesOlder,
  UpToFouls,
  IncludesFouls,
  // In these variants, `fresh` has a new default: alone, with the suggested line that keeps the old
  // value, and also with code of SR_PLAYERS.
  DefaultAlone,
  DefaultKept,
  DefaultChanged,
  IncludesOwn
};

std::int32_t Scaled(std::int32_t value, std::int32_t by) {
  return static_cast<std::int32_t>(static_cast<std::uint32_t>(value) *
                                   static_cast<std::uint32_t>(by));
}

template <What what>
struct Unit {
  std::int32_t hp = 10;
  std::int32_t grams = 1;
  std::int32_t fresh = what == OtherDefault || what >= DefaultAlone ? 6 : 5;
  std::int16_t bonus = 0;
  std::int16_t pad = 0;
};
SERIALIZE_TEMPLATE((What what), Unit<what>) {
  ADD(SR_INITIAL, hp);
  REM(SR_INITIAL, SR_FOULS, std::int16_t, pounds, 7);
  ADD(SR_FOULS, grams);
  ADD(SR_FOULS, fresh);
  if constexpr (what == TakesFromRem) {
    SERIALIZE_IGNORE(bonus);
    REM(SR_INITIAL, SR_PLAYERS, std::int16_t, bonus, 0);
    if (r.IsReading()) d.hp ^= bonus;
  } else {
    ADD(SR_INITIAL, bonus);
  }
  if constexpr (what == Before || what >= UpToFouls) {
    SERIALIZE_IGNORE(pad);
  } else {
    ADD(SR_PLAYERS, pad);
  }
  constexpr bool loses = what == LostUpgrade || what == ConvertsAndLoses;
  constexpr bool converts = what == Converts || what == ConvertsAndLoses;
  if (r.IsReading() && r.revision < SR_FOULS && !loses) d.grams = Scaled(pounds, 454);
  if (r.IsReading() && r.revision < SR_FOULS && what > DefaultAlone) d.fresh = 5;
  if (r.IsReading() && r.revision < SR_PLAYERS && what == DefaultChanged) {
    if (r.revision < SR_FOULS) d.fresh = 6;
  }
  if (r.IsReading() && r.revision < SR_PLAYERS && converts) d.hp = Scaled(d.hp, 3);
  if (r.IsReading() && what == IncludesPending && r.revision <= SR_PLAYERS) d.hp = Scaled(d.hp, 3);
  if (r.IsReading() && r.revision <= SR_FOULS && (what == IncludesFouls || what == IncludesOlder))
    d.hp = Scaled(d.hp, 3);
  if (r.IsReading() && r.revision < SR_FOULS && what == UpToFouls) d.hp = Scaled(d.hp, 3);
  if (r.IsReading() && what == CutsOff) d.hp = static_cast<std::int16_t>(d.hp);
}
SERIALIZE_END

/// A type that SR_FOULS does not change, so it has no golden of that revision.
template <What what>
struct Helm {
  std::int32_t hp = 10;
};
SERIALIZE_TEMPLATE((What what), Helm<what>) {
  ADD(SR_INITIAL, hp);
  if (r.IsReading() && what == Chains) {
    if (r.revision < SR_FOULS) {
      d.hp = Scaled(d.hp, 3);
    } else if (r.revision < SR_PLAYERS) {
      d.hp = Scaled(d.hp, 5);
    }
  }
  if (r.IsReading() && what == Nests && r.revision < SR_PLAYERS) {
    if (r.revision < SR_FOULS) {
      d.hp = Scaled(d.hp, 3);
    } else {
      d.hp = Scaled(d.hp, 5);
    }
  }
  if (r.IsReading() && what == CutsOff) d.hp = static_cast<std::int16_t>(d.hp);
  if (r.IsReading() && what == IncludesOwn && r.revision <= SR_FOULS && r.revision > SR_INITIAL)
    d.hp = Scaled(d.hp, 3);
}
SERIALIZE_END

}  // namespace

// All variants have the same name, so that the store treats them as versions of one type.
template <What what>
struct revctl::NameOf<Unit<what>> {
  static std::string Name() { return "Unit"; }
};
template <What what>
struct revctl::NameOf<Helm<what>> {
  static std::string Name() { return "Helm"; }
};

namespace revctl::harness::test {
namespace {

/// Records SR_INITIAL and SR_FOULS with the code as it was before SR_PLAYERS.
void RecordTwo(const Folder& folder) {
  Program(1).Type<Unit<Before>>().Record(folder);
  Program(2).Type<Unit<Before>>().Record(folder);
}

template <What what>
CheckResult With(const Folder& folder) {
  return Program(3).Type<Unit<what>>().Check(folder);
}

/// Checks that all errors are `expected`, apart from the missing goldens of SR_PLAYERS.
void OnlyError(const CheckResult& result, const std::string& expected) {
  INFO(Text(result));
  std::size_t met = 0;
  for (const std::string& error : Errors(result)) {
    if (error == "GH007 .") continue;
    CHECK(error == expected);
    ++met;
  }
  CHECK((met > 0) == !expected.empty());
}

}  // namespace

TEST_CASE("upgrade: a pending revision explains its own changes", "[harness][signals][stowaways]") {
  const Folder folder;
  RecordTwo(folder);
  const CheckResult added = With<Sound>(folder);
  OnlyError(added, "");
  CHECK(Find(added, "GH004", "Unit", "pad").severity == Severity::Note);
  const CheckResult converted = With<Converts>(folder);
  OnlyError(converted, "");
  CHECK(Find(converted, "GH004", "Unit", "hp").severity == Severity::Note);
  OnlyError(With<TakesFromRem>(folder), "");
}

TEST_CASE("upgrade: changes unrelated to a pending revision are errors",
          "[harness][signals][stowaways]") {
  const Folder folder;
  RecordTwo(folder);
  const CheckResult lost = With<LostUpgrade>(folder);
  OnlyError(lost, "GH004 Unit.grams");
  CHECK(Find(lost, "GH004", "Unit", "pad").severity == Severity::Note);
  CHECK_THAT(Find(lost, "GH004", "Unit", "grams").message,
             Catch::Contains("no gate, REM or comparison with SR_PLAYERS"));
  CHECK_THAT(SourceLine(Find(lost, "GH004", "Unit", "grams")),
             Catch::Contains("ADD(SR_FOULS, grams);"));
  OnlyError(With<OtherDefault>(folder), "GH004 Unit.fresh");
  OnlyError(With<CutsOff>(folder), "GH004 Unit.hp");
  OnlyError(With<ConvertsAndLoses>(folder), "GH004 Unit.grams");
}

TEST_CASE("upgrade: `<=` instead of `<` is reported as the cause",
          "[harness][signals][stowaways]") {
  const Folder folder;
  RecordTwo(folder);
  const CheckResult pending = With<IncludesPending>(folder);
  INFO(Text(pending));
  const Finding finding = Find(pending, "GH004", "Unit", "hp");
  CHECK_THAT(
      finding.message,
      Catch::Contains("`r.revision <= SR_PLAYERS` (or `>`) also includes files of SR_PLAYERS "
                      "itself") &&
          !Catch::Contains("no gate, REM or comparison"));
  CHECK_THAT(FixText(finding.fix), Catch::StartsWith("write `r.revision < SR_PLAYERS`"));
  // The value also changes whenever a new file is loaded, for the same reason, so this must not be
  // reported separately.
  OnlyError(pending, "GH004 Unit.hp");
  CHECK(std::none_of(pending.findings.begin(), pending.findings.end(), [](const auto& each) {
    return each.message.find("always true") != std::string::npos;
  }));

  // Here the revision in the comparison is already recorded, and the code was edited afterward.
  const Folder recorded;
  Program(1).Type<Unit<Before>>().Record(recorded);
  Program(2).Type<Unit<UpToFouls>>().Record(recorded);
  const CheckResult edited = Program(2).Type<Unit<IncludesFouls>>().Check(recorded);
  INFO(Text(edited));
  CHECK_THAT(Find(edited, "GH004", "Unit", "hp").message,
             Catch::Contains("`r.revision <= SR_FOULS`"));
  // If the comparison affects no golden, only files saved by the current code show its effect.
  const Folder without;
  Program(1).Type<Helm<Before>>().Record(without);
  const CheckResult fresh = Program(2).Type<Helm<IncludesOwn>>().Check(without);
  OnlyError(fresh, "GH005 Helm.hp");
  CHECK_THAT(Find(fresh, "GH005", "Helm", "hp").message,
             Catch::StartsWith("Helm.hp: `r.revision <= SR_FOULS` (or `>`) also includes files of "
                               "SR_FOULS itself, so the value changes each time"));
  // Sound code may use `<=` with an older revision.
  OnlyError(With<IncludesOlder>(folder), "");
}

TEST_CASE("upgrade: the suggested code tests a pending revision first",
          "[harness][signals][stowaways]") {
  const Folder folder;
  Program(1).Type<Helm<Before>>().Record(folder);
  const auto fix = [&](const Program& program) {
    return FixText(Find(program.Check(folder), "GH004", "Helm", "hp").fix);
  };
  CHECK_THAT(fix(Program(2).Type<Helm<CutsOff>>()),
             Catch::Contains("if (r.IsReading() && r.revision < SR_FOULS) { ... }\nor"));
  Program(2).Type<Helm<Before>>().Record(folder);
  const Program chained = Program(3).Type<Helm<Chains>>();
  OnlyError(chained.Check(folder), "GH004 Helm.hp");
  CHECK_THAT(fix(chained), Catch::Contains("if (r.IsReading() && r.revision < SR_PLAYERS) { "
                                           "if (r.revision < SR_FOULS) { ... } else { ... } }"));
  OnlyError(Program(3).Type<Helm<Nests>>().Check(folder), "");
}

TEST_CASE("upgrade: each suggested fix for a changed default works",
          "[harness][signals][stowaways]") {
  const Folder folder;
  RecordTwo(folder);
  const std::string keep = "if (r.IsReading() && r.revision < SR_FOULS) d.fresh = 5;\n";
  const CheckResult alone = Program(2).Type<Unit<DefaultAlone>>().Check(folder);
  OnlyError(alone, "GH004 Unit.fresh");
  CHECK_THAT(
      FixText(Find(alone, "GH004", "Unit", "fresh").fix),
      Catch::Contains(
          ", or the default\nor keep the recorded value in older files, with upgrade code:\n" +
          keep) &&
          Catch::Contains("\nrevctl reserve SR_UNIT_UPGRADE\nif (r.IsReading() && r.revision "
                          "< SR_UNIT_UPGRADE) { ... }\n"));
  OnlyError(Program(2).Type<Unit<DefaultKept>>().Check(folder), "");
  CHECK_THAT(FixText(Find(With<OtherDefault>(folder), "GH004", "Unit", "fresh").fix),
             Catch::Contains(keep + "or make the change in SR_PLAYERS, after"));
  // Once the suggested line keeps the old value, the pending revision may set a different one.
  // Without that line, the change would be an error.
  const Program changed = Program(3).Type<Unit<DefaultChanged>>();
  const CheckResult result = changed.Check(folder);
  OnlyError(result, "");
  CHECK(Find(result, "GH004", "Unit", "fresh").severity == Severity::Note);
  changed.Record(folder);
  CHECK(Errors(changed.Check(folder)).empty());
}

TEST_CASE("upgrade: an unrelated change is recorded once it is approved",
          "[harness][signals][stowaways]") {
  const Folder folder;
  RecordTwo(folder);
  for (const Pending& pending : With<OtherDefault>(folder).pending) {
    for (const revctl::golden::Change& change : pending.approval.changes)
      CHECK(change.path == "fresh");
    revctl::golden::Approval approval = pending.approval;
    approval.reason = "nobody has played without it";
    REQUIRE(revctl::golden::WriteApproval(folder.path(), approval).ok());
  }
  OnlyError(With<OtherDefault>(folder), "");
  Program(3).Type<Unit<OtherDefault>>().Record(folder);
  const CheckResult after = With<OtherDefault>(folder);
  INFO(Text(after));
  CHECK(after.findings.empty());
  CHECK_THAT(Bytes(folder.path() + "/SR_PLAYERS.yaml"), !Catch::Contains("fresh: [5, 6]"));
}

}  // namespace revctl::harness::test
