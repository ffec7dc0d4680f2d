// GH007 must report upgrade code for files of revisions without goldens.
#include <catch2/catch.hpp>

#include <revctl/serialize.h>

#include "harness/recording/record_additions.h"
#include "harness/testdata/named.h"
#include "harness/testing/test_program.h"

namespace {
enum Rev { SR_INITIAL = 1, SR_FOULS = 2, SR_PLAYERS = 3 };
}  // namespace

namespace before {
struct Hero {
  std::int32_t hp = 0, mode = 0;
};
SERIALIZE_TYPE(Hero) {
  ADD(SR_INITIAL, hp);
  ADD(SR_INITIAL, mode);
}
SERIALIZE_END
struct Squad {
  std::vector<Hero> heroes;
};
SERIALIZE_TYPE(Squad) { ADD(SR_INITIAL, heroes); }
SERIALIZE_END
}  // namespace before

/// Distinguishes files of SR_FOULS from older files. The code that recorded the goldens did not.
namespace tells {
struct Hero {
  std::int32_t hp = 0, mode = 0;
};
constexpr int kHeroBegins = __LINE__ + 1;
SERIALIZE_TYPE(Hero) {
  ADD(SR_INITIAL, hp);
  ADD(SR_INITIAL, mode);
  if (r.IsReading()) {
    if (r.revision < SR_FOULS) {
      d.mode = 1;
    } else if (r.revision < SR_PLAYERS) {
      d.mode = 2;
    }
  }
}
SERIALIZE_END
struct Squad {
  std::vector<Hero> heroes;
};
SERIALIZE_TYPE(Squad) { ADD(SR_INITIAL, heroes); }
SERIALIZE_END
}  // namespace tells

namespace otherwise {
struct Hero {
  std::int32_t hp = 0, mode = 0;
};
SERIALIZE_TYPE(Hero) {
  ADD(SR_INITIAL, hp);
  ADD(SR_INITIAL, mode);
  if (r.IsReading()) {
    if (r.revision < SR_FOULS) {
      d.mode = 1;
    } else if (r.revision < SR_PLAYERS) {
      d.mode = 777;
    }
  }
}
SERIALIZE_END
struct Squad {
  std::vector<Hero> heroes;
};
SERIALIZE_TYPE(Squad) { ADD(SR_INITIAL, heroes); }
SERIALIZE_END
}  // namespace otherwise

/// Like `tells`, but the local variable of a REM has a different name than the removed field.
namespace tells_by_local {
struct Hero {
  std::int32_t hp = 0, speed = 0;
};
SERIALIZE_TYPE(Hero) {
  ADD(SR_INITIAL, hp);
  REM(SR_INITIAL, SR_PLAYERS, std::int32_t, oldMode, 0);
  ADD(SR_PLAYERS, speed);
  if (r.IsReading()) {
    if (r.revision < SR_FOULS) {
      d.speed = oldMode;
    } else if (r.revision < SR_PLAYERS) {
      d.speed = oldMode ^ 1;
    }
  }
}
SERIALIZE_END
}  // namespace tells_by_local

/// Compares only with SR_FOULS. The upgrade depends on data that no golden contains, so there is no
/// other finding.
namespace alone {
struct Hero {
  std::int32_t hp = 0, mode = 0;
};
SERIALIZE_TYPE(Hero) {
  ADD(SR_INITIAL, hp);
  ADD(SR_INITIAL, mode);
  if (r.IsReading() && r.revision < SR_FOULS && d.hp == 123456789) d.mode = 1;
}
SERIALIZE_END
}  // namespace alone

/// Compares with the last revision of the range, while `tells` compares with the first revision
/// after it.
namespace up_to {
struct Hero {
  std::int32_t hp = 0, mode = 0;
};
SERIALIZE_TYPE(Hero) {
  ADD(SR_INITIAL, hp);
  ADD(SR_INITIAL, mode);
  if (r.IsReading() && r.revision <= SR_FOULS) d.mode = 1;
}
SERIALIZE_END
}  // namespace up_to
namespace further {
struct Hero {
  std::int32_t hp = 0, mode = 0;
};
SERIALIZE_TYPE(Hero) {
  ADD(SR_INITIAL, hp);
  ADD(SR_INITIAL, mode);
  if (r.IsReading() && r.revision <= SR_PLAYERS) d.mode = 1;
}
SERIALIZE_END
}  // namespace further
namespace less_far {
struct Hero {
  std::int32_t hp = 0, mode = 0;
};
SERIALIZE_TYPE(Hero) {
  ADD(SR_INITIAL, hp);
  ADD(SR_INITIAL, mode);
  if (r.IsReading() && r.revision < SR_FOULS) d.mode = 1;
}
SERIALIZE_END
}  // namespace less_far
namespace rarely {
struct Hero {
  std::int32_t hp = 0, mode = 0;
};
constexpr int kHeroBegins = __LINE__ + 1;
SERIALIZE_TYPE(Hero) {
  ADD(SR_INITIAL, hp);
  ADD(SR_INITIAL, mode);
  if (r.IsReading() && r.revision <= SR_INITIAL && d.hp == 123456789) d.mode = 1;
}
SERIALIZE_END
}  // namespace rarely

namespace until_players {
struct Hero {
  std::int32_t hp = 0, mode = 0;
};
SERIALIZE_TYPE(Hero) {
  ADD(SR_INITIAL, hp);
  ADD(SR_INITIAL, mode);
  if (r.IsReading() && r.revision < SR_PLAYERS) d.mode = 1;
}
SERIALIZE_END
}  // namespace until_players
namespace nested {
struct Hero {
  std::int32_t hp = 0, mode = 0;
};
SERIALIZE_TYPE(Hero) {
  ADD(SR_INITIAL, hp);
  ADD(SR_INITIAL, mode);
  if (r.IsReading() && r.revision < SR_PLAYERS) d.mode = r.revision < SR_FOULS ? 1 : 2;
}
SERIALIZE_END
}  // namespace nested

/// The body rejects files of SR_FOULS, because the builds of that revision were broken.
namespace refuses {
struct Hero {
  std::int32_t hp = 0, mode = 0;
};
SERIALIZE_TYPE(Hero) {
  ADD(SR_INITIAL, hp);
  ADD(SR_INITIAL, mode);
  if (r.IsReading() && r.revision < SR_PLAYERS && r.revision >= SR_FOULS)
    r.Fail("of a broken build");
}
SERIALIZE_END
}  // namespace refuses
NAMED(refuses::Hero, "Hero");
NAMED(before::Hero, "Hero");
NAMED(until_players::Hero, "Hero");
NAMED(nested::Hero, "Hero");
NAMED(up_to::Hero, "Hero");
NAMED(further::Hero, "Hero");
NAMED(less_far::Hero, "Hero");
NAMED(rarely::Hero, "Hero");
NAMED(tells::Hero, "Hero");
NAMED(tells_by_local::Hero, "Hero");
NAMED(otherwise::Hero, "Hero");
NAMED(alone::Hero, "Hero");
NAMED(before::Squad, "Squad");
NAMED(tells::Squad, "Squad");
NAMED(otherwise::Squad, "Squad");

namespace revctl::harness::test {
namespace {

/// Records the additions that the command `record` would make after this check.
void RecordUntested(const Program& program, const Folder& folder) {
  const CheckResult result = program.Check(folder);
  const revctl::golden::Store store = revctl::golden::Store::Open(folder.path());
  const revctl::ListTable list = program.List();
  const History history(list, store);
  std::vector<std::string> types;
  for (const UntestedUpgrade& untested : result.untested) {
    REQUIRE(untested.revision == "SR_FOULS");
    types.push_back(untested.type);
  }
  const Recording recording = RecordInherited(program.registry, history, 1, types, {});
  REQUIRE(recording.troubles.empty());
  REQUIRE(revctl::golden::WriteAddition(folder.path(), recording.record, recording.payloads).ok());
}

const Finding* FindBetween(const CheckResult& result) {
  for (const Finding& finding : result.findings) {
    if (finding.message.find("no golden exercises its code for files from ") != std::string::npos)
      return &finding;
  }
  return nullptr;
}

std::vector<std::string> GoldensAt(const Folder& folder, const Program& program,
                                   const std::string& type, std::size_t index) {
  const revctl::golden::Store store = revctl::golden::Store::Open(folder.path());
  const revctl::ListTable list = program.List();
  std::vector<std::string> names;
  const History history(list, store);
  for (const Golden& golden : history.Goldens(type)) {
    if (golden.revision == index) names.push_back(golden.item->name);
  }
  return names;
}

}  // namespace

TEST_CASE("record: newly distinguished revisions get inherited goldens",
          "[harness][signals][coverage][upgrade]") {
  const Folder folder;
  Program(1).Type<before::Hero>().Type<before::Squad>().Record(folder);
  Program(2).Type<before::Hero>().Type<before::Squad>().Record(folder);
  const Program today = Program(3).Type<tells::Hero>().Type<tells::Squad>();
  today.Record(folder);  // adds no goldens to older revisions
  CHECK(GoldensAt(folder, today, "Hero", 1).empty());

  const CheckResult uncovered = today.Check(folder);
  INFO(Text(uncovered));
  CHECK_FALSE(uncovered.errors);
  const Finding* between = FindBetween(uncovered);
  REQUIRE(between != nullptr);
  CHECK(findings::NameOf(between->rule) == "GH007");
  CHECK(between->severity == Severity::Warning);
  CHECK(between->type == "Hero");
  CHECK(between->revision == "SR_FOULS");
  CHECK(
      between->message ==
      "Hero: no golden exercises its code for files from SR_FOULS on and older than SR_PLAYERS, "
      "because the code did not yet distinguish them from older files when SR_FOULS was recorded");
  CHECK(between->fix == "save_harness record");
  CHECK(between->line == tells::kHeroBegins + 4);
  CHECK(uncovered.findings.size() == 1);  // a single finding covers both root types
  CHECK(uncovered.untested.size() == 2);

  // Unless `record` adds goldens, none shows the effect of the new branch.
  const Program changed = Program(3).Type<otherwise::Hero>().Type<otherwise::Squad>();
  CHECK_FALSE(changed.Check(folder).errors);

  RecordUntested(today, folder);
  CHECK(GoldensAt(folder, today, "Hero", 1) == GoldensAt(folder, today, "Hero", 0));
  CHECK(GoldensAt(folder, today, "Squad", 1) == GoldensAt(folder, today, "Squad", 0));
  const CheckResult fine = today.Check(folder);
  INFO(Text(fine));
  CHECK(fine.findings.empty());
  const Finding caught = Find(changed.Check(folder), "GH004", "Hero", "mode");
  CHECK(caught.revision == "SR_FOULS");
  CHECK_THAT(caught.message, Catch::Contains("upgraded to 777, not to 2"));
}

TEST_CASE("record: inherited goldens ignore the name of a REM's local variable",
          "[harness][signals][coverage][upgrade]") {
  const Folder folder;
  Program(1).Type<before::Hero>().Record(folder);
  Program(2).Type<before::Hero>().Record(folder);
  const Program today = Program(3).Type<tells_by_local::Hero>();
  today.Record(folder);
  RecordUntested(today, folder);
  CHECK(GoldensAt(folder, today, "Hero", 1) == GoldensAt(folder, today, "Hero", 0));
  const CheckResult fine = today.Check(folder);
  INFO(Text(fine));
  CHECK(fine.findings.empty());
}

TEST_CASE("record: adds inherited goldens for a real program",
          "[harness][commands][coverage][upgrade]") {
  const std::string program = Adopter("template");
  const Folder folder;
  REQUIRE(Run(folder, program + " record --backfill --allow-ci --golden golden").exit == 0);
  const auto before = Listing(folder);
  const std::string warning =
      "no golden exercises its code for files from SR_PLAYERS on and older than SR_NO_FOULS";
  const Ran check = Run(folder, "SLOT_TELLS=1 " + program + " check --golden golden");
  CHECK(check.exit == 0);
  CHECK_THAT(check.out, Catch::Contains(warning));
  const Ran record = Run(folder, "SLOT_TELLS=1 " + program + " record --allow-ci --golden golden");
  INFO(record.out + record.err);
  REQUIRE(record.exit == 0);
  CHECK_THAT(record.out, Catch::StartsWith("OK: recorded SR_PLAYERS: 0 layouts, ") &&
                             Catch::Contains("SR_PLAYERS+"));
  CHECK(Listing(folder).size() == before.size() + 2);
  const Ran after = Run(folder, "SLOT_TELLS=1 " + program + " check --golden golden");
  CHECK(after.exit == 0);
  CHECK_THAT(after.out, !Catch::Contains(warning));
  const Ran again = Run(folder, "SLOT_TELLS=1 " + program + " record --allow-ci --golden golden");
  CHECK(again.exit == 0);
  CHECK_THAT(again.err, Catch::Contains("nothing to record"));
  CHECK(Listing(folder).size() == before.size() + 2);
}

TEST_CASE("check: suggests a refresh if it would add the missing goldens",
          "[harness][signals][coverage][upgrade]") {
  const Folder folder;
  Program(1).Type<before::Hero>().Record(folder);
  Program(2).Type<before::Hero>().Record(folder);
  const CheckResult result = Program(2).Type<alone::Hero>().Check(folder);
  INFO(Text(result));
  const Finding* between = FindBetween(result);
  REQUIRE(between != nullptr);
  CHECK_THAT(between->message,
             Catch::Contains("no golden exercises its code for files from SR_FOULS on"));
  CHECK_THAT(FixText(between->fix), Catch::StartsWith("save_harness record --refresh SR_FOULS"));
  CHECK(result.untested.empty());
}

TEST_CASE("check: a baseline accepts distinctions that existed at adoption",
          "[harness][signals][coverage][upgrade]") {
  const Folder folder;
  Program(1).Type<before::Hero>().Record(folder);
  Program(2).Type<before::Hero>().Record(folder);
  const Program today = Program(3).Type<tells::Hero>();
  today.Record(folder);
  revctl::golden::Approval baseline;
  baseline.kind = revctl::golden::Approval::Kind::Baseline;
  baseline.reason = "it came with us";
  baseline.places = today.Check(folder).uncovered;
  CHECK(baseline.places == std::vector<std::string>{"Hero: from SR_FOULS until SR_PLAYERS"});
  REQUIRE(revctl::golden::WriteApproval(folder.path(), baseline).ok());
  const CheckResult result = today.Check(folder);
  CHECK(result.findings.empty());
  CHECK(result.untested.empty());
}

TEST_CASE("check: `<=` with a revision is recognized by its name and by the next number",
          "[harness][signals][coverage][upgrade]") {
  const Folder folder;
  Program(1).Type<before::Hero>().Record(folder);
  Program(2).Type<before::Hero>().Record(folder);
  const Program today = Program(3).Type<up_to::Hero>();
  today.Record(folder);
  CHECK_FALSE(GoldensAt(folder, today, "Hero", 2).empty());
  RecordUntested(today, folder);
  CHECK_FALSE(GoldensAt(folder, today, "Hero", 1).empty());
  const CheckResult fine = today.Check(folder);
  INFO(Text(fine));
  CHECK(fine.findings.empty());
  CHECK(Find(Program(3).Type<further::Hero>().Check(folder), "GH004", "Hero", "mode").revision ==
        "SR_PLAYERS");
  CHECK(Find(Program(3).Type<less_far::Hero>().Check(folder), "GH004", "Hero", "mode").revision ==
        "SR_FOULS");
}

TEST_CASE("check: a boundary moved between goldens is found",
          "[harness][signals][coverage][upgrade]") {
  const Folder folder;
  Program(1).Type<before::Hero>().Record(folder);
  Program(2).Type<before::Hero>().Record(folder);
  Program(3).Type<until_players::Hero>().Record(folder);
  // With four revisions, the last one is pending.
  const std::size_t revisions = GENERATE(std::size_t{3}, std::size_t{4});
  const CheckResult fine = Program(revisions).Type<until_players::Hero>().Check(folder);
  CHECK(Errors(fine) ==
        (revisions == 3 ? std::vector<std::string>() : std::vector<std::string>{"GH007 ."}));
  const CheckResult result = Program(revisions).Type<less_far::Hero>().Check(folder);
  INFO(Text(result));
  const Finding finding = Find(result, "GH004", "Hero", "mode");
  CHECK(finding.severity == Severity::Error);
  CHECK(finding.revision == "SR_FOULS");
  CHECK_THAT(
      finding.message,
      Catch::StartsWith("Hero.mode: a file of SR_FOULS is upgraded to ") &&
          Catch::EndsWith(", not to 1: the recorded code treated it like a file of SR_INITIAL"));
}

TEST_CASE("check: a distinction between old files only is not lost",
          "[harness][signals][coverage][upgrade]") {
  const Folder folder;
  Program(1).Type<before::Hero>().Record(folder);
  Program(2).Type<before::Hero>().Record(folder);
  Program(3).Type<nested::Hero>().Record(folder);
  // The check must warn that no golden covers the code.
  const CheckResult result = Program(3).Type<nested::Hero>().Check(folder);
  INFO(Text(result));
  CHECK_FALSE(result.errors);
  CHECK(FindBetween(result) != nullptr);
}

TEST_CASE("check: files that a body rejects need no golden",
          "[harness][signals][coverage][upgrade]") {
  const Folder folder;
  Program(1).Type<before::Hero>().Record(folder);
  Program(2).Type<before::Hero>().Record(folder);
  const Program today = Program(3).Type<refuses::Hero>();
  today.Record(folder);
  const CheckResult result = today.Check(folder);
  INFO(Text(result));
  CHECK_FALSE(result.errors);
  CHECK(FindBetween(result) == nullptr);
}

TEST_CASE("check: a pending revision may distinguish older revisions",
          "[harness][signals][coverage][upgrade]") {
  const Folder folder;
  Program(1).Type<before::Hero>().Record(folder);
  Program(2).Type<before::Hero>().Record(folder);
  const CheckResult pending = Program(3).Type<nested::Hero>().Check(folder);
  INFO(Text(pending));
  CHECK(Errors(pending) == std::vector<std::string>{"GH007 ."});

  // Without a new revision, the change must be an error at the golden's own revision. A person must
  // be able to approve the change.
  const Program today = Program(2).Type<less_far::Hero>();
  const CheckResult refused = today.Check(folder);
  CHECK(Errors(refused) == std::vector<std::string>{"GH004 Hero.mode"});
  for (const Pending& offered : refused.pending) {
    revctl::golden::Approval approval = offered.approval;
    approval.reason = "not released";
    REQUIRE(revctl::golden::WriteApproval(folder.path(), approval).ok());
  }
  const CheckResult accepted = today.Check(folder);
  INFO(Text(accepted));
  CHECK_FALSE(accepted.errors);
}

TEST_CASE("check: a purged revision's golden represents the oldest revision",
          "[harness][signals][coverage][upgrade]") {
  const Folder folder;
  Program(1).Type<before::Hero>().Record(folder);
  Program(2).Type<before::Hero>().Record(folder);
  const Program today = Program(3).Type<nested::Hero>();
  today.Record(folder);
  const bool added = GENERATE(false, true);
  if (added) RecordUntested(today, folder);
  const auto from_fouls = [&](const Program& program) {
    const revctl::golden::Store store = revctl::golden::Store::Open(folder.path());
    CheckOptions options;
    options.program = "save_harness";
    return revctl::harness::Check(program.registry, {"main", program.entries, 2}, store, options);
  };
  const CheckResult raised = from_fouls(today);
  INFO(Text(raised));
  CHECK_FALSE(raised.errors);
  // Only goldens copied for this revision contain its upgrades, so only they reveal the changed
  // code.
  const Program changed = Program(3).Type<otherwise::Hero>();
  CHECK(from_fouls(changed).errors == added);
}

TEST_CASE("check: checks upgrade code for only the first revision",
          "[harness][signals][coverage][upgrade]") {
  const Folder folder;
  Program(1).Type<rarely::Hero>().Record(folder);
  Program(2).Type<rarely::Hero>().Record(folder);
  const CheckResult result = Program(2).Type<rarely::Hero>().Check(folder);
  INFO(Text(result));
  REQUIRE(result.findings.size() == 1);
  CHECK_THAT(result.findings[0].message,
             Catch::Contains("files older than SR_FOULS changes no value of any golden"));
  CHECK(result.findings[0].line == rarely::kHeroBegins + 3);
}

}  // namespace revctl::harness::test
