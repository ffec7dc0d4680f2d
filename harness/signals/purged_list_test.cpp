// If the oldest revisions were purged from a list, fields gated by them must begin at the oldest
// remaining revision.
#include <algorithm>
#include <catch2/catch.hpp>

#include <revctl/plain_serialize.h>
#include <revctl/serialize.h>

#include "harness/recording/record_additions.h"
#include "harness/testdata/named.h"
#include "harness/testing/test_program.h"

namespace {
enum Rev { SR_INITIAL = 1, SR_FOULS = 2, SR_PLAYERS = 3 };
}  // namespace

namespace unpurged {
struct Hero {
  std::int32_t hp = 0, mana = 0, rank = 0;
};
SERIALIZE_TYPE(Hero) {
  ADD(SR_INITIAL, hp);
  REM(SR_INITIAL, SR_FOULS, std::int32_t, luck, 3);
  REM(SR_INITIAL, SR_PLAYERS, std::int16_t, age, 4);
  ADD(SR_FOULS, mana);
  ADD(SR_PLAYERS, rank);
}
SERIALIZE_END
}  // namespace unpurged

namespace follows {
struct Hero {
  std::int32_t hp = 0, mana = 0, rank = 0;
};
SERIALIZE_TYPE(Hero) {
  ADD(SR_FOULS, hp);
  REM(SR_FOULS, SR_PLAYERS, std::int16_t, age, 4);
  ADD(SR_FOULS, mana);
  ADD(SR_PLAYERS, rank);
}
SERIALIZE_END
}  // namespace follows

namespace too_late {
struct Hero {
  std::int32_t hp = 0, mana = 0, rank = 0;
};
SERIALIZE_TYPE(Hero) {
  ADD(SR_PLAYERS, hp);
  REM(SR_FOULS, SR_PLAYERS, std::int16_t, age, 4);
  ADD(SR_FOULS, mana);
  ADD(SR_PLAYERS, rank);
}
SERIALIZE_END
}  // namespace too_late

namespace too_much_removed {
struct Hero {
  std::int32_t hp = 0, mana = 0, rank = 0;
};
SERIALIZE_TYPE(Hero) {
  ADD(SR_FOULS, hp);
  ADD(SR_FOULS, mana);
  ADD(SR_PLAYERS, rank);
}
SERIALIZE_END
}  // namespace too_much_removed

namespace retyped {
struct Hero {
  std::int32_t hp = 0, mana = 0, rank = 0;
};
SERIALIZE_TYPE(Hero) {
  ADD(SR_INITIAL, hp);
  REM(SR_INITIAL, SR_PLAYERS, std::int16_t, rank, 4);
  ADD(SR_FOULS, mana);
  ADD(SR_PLAYERS, rank);
}
SERIALIZE_END
}  // namespace retyped

namespace old_type_gone {
struct Hero {
  std::int32_t hp = 0, mana = 0, rank = 0;
};
SERIALIZE_TYPE(Hero) {
  ADD(SR_FOULS, hp);
  ADD(SR_FOULS, mana);
  ADD(SR_PLAYERS, rank);
}
SERIALIZE_END
}  // namespace old_type_gone

namespace flat {
struct Hero {
  PLAIN(Hero);
  DEAD_WITH(std::int32_t, age, SR_INITIAL, SR_PLAYERS, 4);
  FIELD(std::int32_t, hp, SR_FOULS) = 0;
  FIELD(std::int32_t, rank, SR_PLAYERS) = 0;
};
}  // namespace flat

namespace flat_without {
struct Hero {
  PLAIN(Hero);
  FIELD(std::int32_t, hp, SR_FOULS) = 0;
  FIELD(std::int32_t, rank, SR_PLAYERS) = 0;
};
}  // namespace flat_without

NAMED(unpurged::Hero, "Hero");
NAMED(follows::Hero, "Hero");
NAMED(too_late::Hero, "Hero");
NAMED(too_much_removed::Hero, "Hero");
NAMED(retyped::Hero, "Hero");
NAMED(old_type_gone::Hero, "Hero");
NAMED(flat::Hero, "Hero");
NAMED(flat_without::Hero, "Hero");

namespace revctl::harness::test {
namespace {

/// Records the goldens of three revisions, each with the code of that revision.
template <class Hero>
void RecordEach(const Folder& folder) {
  for (std::size_t newest = 1; newest <= 3; ++newest) Program(newest).Type<Hero>().Record(folder);
}

/// Checks the current types with a list that begins at SR_FOULS.
template <class Hero>
CheckResult CheckPurged(const Folder& folder) {
  Program program = Program(3).Type<Hero>(2);
  program.entries.erase(program.entries.begin());
  const revctl::golden::Store store = revctl::golden::Store::Open(folder.path());
  CheckOptions options;
  options.program = "save_harness";
  return Check(program.registry, {"main", program.entries, 2}, store, options);
}

template <class Hero>
std::vector<std::string> ErrorsOncePurged(const Folder& folder) {
  return Errors(CheckPurged<Hero>(folder));
}

/// Returns the fixes of all errors. The fix for a lost REM must not reserve a new revision.
template <class Hero>
std::string FixesOncePurged(const Folder& folder) {
  std::string fixes;
  const CheckResult result = CheckPurged<Hero>(folder);
  INFO(Text(result));
  CHECK(std::count_if(result.findings.begin(), result.findings.end(), [](const Finding& finding) {
          return findings::NameOf(finding.rule) == "GH001";
        }) == 1);
  for (const Finding& finding : result.findings) {
    if (finding.severity == Severity::Error && findings::NameOf(finding.rule) == "GH001")
      fixes += FixText(finding.fix) + "\n";
  }
  CHECK_THAT(fixes, !Catch::Contains("reserve"));
  return fixes;
}

}  // namespace

TEST_CASE("check: fields of purged revisions begin at the oldest", "[harness][signals][layout]") {
  const Folder folder;
  RecordEach<unpurged::Hero>(folder);
  CHECK(ErrorsOncePurged<unpurged::Hero>(folder) == std::vector<std::string>{});
  CHECK(ErrorsOncePurged<follows::Hero>(folder) == std::vector<std::string>{});
  // Files of the remaining revisions must still be checked.
  CHECK(ErrorsOncePurged<too_late::Hero>(folder).front() == "GH001 Hero.hp");
  CHECK(ErrorsOncePurged<too_much_removed::Hero>(folder).front() == "GH001 Hero.age");
}

TEST_CASE("check: a lost REM is restored as it was recorded", "[harness][signals][layout]") {
  const Folder folder;
  RecordEach<unpurged::Hero>(folder);
  const std::string purge =
      "if files older than SR_PLAYERS no longer have to load: revctl purge --below SR_PLAYERS";
  // The suggested REM must begin at the oldest remaining revision, because the list no longer
  // contains SR_INITIAL.
  CHECK_THAT(FixesOncePurged<too_much_removed::Hero>(folder),
             Catch::StartsWith("restore the line: REM(SR_FOULS, SR_PLAYERS, int16_t, age, 4);   // "
                               "right after hp\nor, " +
                               purge));
}

TEST_CASE("check: the REM of a field's former type is restored", "[harness][signals][layout]") {
  const Folder folder;
  RecordEach<retyped::Hero>(folder);
  CHECK_THAT(
      FixesOncePurged<old_type_gone::Hero>(folder),
      Catch::StartsWith("restore the line: REM(SR_FOULS, SR_PLAYERS, int16_t, rank, 4);   // "
                        "right after hp\nor, if files older than SR_PLAYERS"));
}

TEST_CASE("check: a lost DEAD is restored as it was recorded", "[harness][signals][layout]") {
  const Folder folder;
  RecordEach<flat::Hero>(folder);
  CHECK_THAT(
      FixesOncePurged<flat_without::Hero>(folder),
      Catch::StartsWith("restore the line: DEAD_WITH(int32_t, age, SR_FOULS, SR_PLAYERS, 4);   // "
                        "before all other fields\nor, if files older than SR_PLAYERS"));
}

TEST_CASE("check: reports imported goldens of purged revisions", "[harness][signals][store]") {
  const Folder folder;
  RecordEach<unpurged::Hero>(folder);
  Program program = Program(3).Type<unpurged::Hero>(1);
  {
    const revctl::golden::Store store = revctl::golden::Store::Open(folder.path());
    const revctl::ListTable list = program.List();
    const History history(list, store);
    const Golden golden = history.Goldens("Hero").front();
    const auto bytes = golden.payload();
    const Recording recording =
        RecordImport(program.registry, program.registry.types.front(), history, 0, "campaign",
                     {bytes.begin(), bytes.end()}, {"import", 1, {}, false});
    REQUIRE(golden::WriteAddition(folder.path(), recording.record, recording.payloads));
  }
  program.entries.erase(program.entries.begin());
  const revctl::golden::Store store = revctl::golden::Store::Open(folder.path());
  CheckOptions options;
  options.program = "save_harness";
  const CheckResult result = Check(program.registry, {"main", program.entries, 2}, store, options);
  INFO(Text(result));
  const auto found = std::find_if(
      result.findings.begin(), result.findings.end(),
      [](const Finding& finding) { return findings::NameOf(finding.rule) == "GH009"; });
  REQUIRE(found != result.findings.end());
  CHECK(found->severity == Severity::Note);
  CHECK_THAT(found->message,
             Catch::StartsWith("1 imported golden is older than SR_FOULS, the oldest"));
  REQUIRE(found->items.size() == 1);
  CHECK_THAT(found->items[0], Catch::StartsWith("SR_INITIAL/campaign (SR_INITIAL+"));
  CHECK_THAT(FixText(found->fix), Catch::Contains("revctl purge --below SR_INITIAL"));
}

}  // namespace revctl::harness::test
