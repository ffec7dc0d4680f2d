// Typical mistakes of adopters. Each variant is real code that reads goldens recorded by the real
// code of each revision.
#include <fmt/core.h>
#include <algorithm>
#include <catch2/catch.hpp>
#include <filesystem>

#include <revctl/serialize.h>

#include "harness/testdata/minus.h"
#include "harness/testing/meeting_test.h"
#include "harness/testing/test_program.h"

namespace {

enum Rev { SR_INITIAL = 1, SR_FOULS = 2, SR_PLAYERS = 3, SR_NO_FOULS = 4, SR_NEXT = 5 };

}  // namespace

// ---- the history: the code at each revision
#define VARIANT r1
#define REVISIONS 1
#include "harness/testdata/score.inc"
#define VARIANT r2
#define REVISIONS 2
#include "harness/testdata/score.inc"
#define VARIANT r3
#define REVISIONS 3
#include "harness/testdata/score.inc"
#define VARIANT r4
#include "harness/testdata/score.inc"

// ---- mistakes
#define VARIANT retyped
#define P1_TYPE std::int64_t
#include "harness/testdata/score.inc"
#define VARIANT retyped_same_size
#define P1_TYPE std::uint32_t
#include "harness/testdata/score.inc"
#define VARIANT swapped
#define FIRST_VISITS        \
  ADD(SR_INITIAL, p2Score); \
  ADD(SR_INITIAL, p1Score);
#include "harness/testdata/score.inc"
#define VARIANT removed
#define FIRST_VISITS ADD(SR_INITIAL, p1Score);
#include "harness/testdata/score.inc"
#define VARIANT removed_and_forgotten
#define FIRST_VISITS ADD(SR_INITIAL, p1Score);
#define MORE_MEMBERS std::int32_t forgotten = 0;
#include "harness/testdata/score.inc"
#define VARIANT added
#define MORE_MEMBERS std::int16_t bonus = 0;
#define LAST_VISITS ADD(SR_NO_FOULS, bonus);
#include "harness/testdata/score.inc"
#define VARIANT added_and_upgrade_gone
#define MORE_MEMBERS std::int16_t bonus = 0;
#define LAST_VISITS ADD(SR_NO_FOULS, bonus);
#define UPGRADE
#include "harness/testdata/score.inc"
#define VARIANT gate_moved
#define FIRST_VISITS        \
  ADD(SR_INITIAL, p1Score); \
  ADD(SR_FOULS, p2Score);
#include "harness/testdata/score.inc"
#define VARIANT rem_default
#define FOULS_REM REM(SR_FOULS, SR_NO_FOULS, std::int32_t, p1Fouls, 5);
#include "harness/testdata/score.inc"
#define VARIANT rem_range
#define FOULS_REM REM(SR_FOULS, SR_PLAYERS, std::int32_t, p1Fouls, 0);
#include "harness/testdata/score.inc"
#define VARIANT rem_type
#define FOULS_REM REM(SR_FOULS, SR_NO_FOULS, std::int16_t, p1Fouls, 0);
#include "harness/testdata/score.inc"
#define VARIANT condition
#define PLAYERS_VISIT                                  \
  ADD_CONDITIONAL(SR_PLAYERS, d.p1Score > 0, players); \
  CHECK_INTEGRITY(SR_PLAYERS);
#include "harness/testdata/score.inc"
#define VARIANT condition_dropped
#define PLAYERS_VISIT       \
  ADD(SR_PLAYERS, players); \
  CHECK_INTEGRITY(SR_PLAYERS);
#include "harness/testdata/score.inc"
#define VARIANT upgrade
#define UPGRADE \
  if (r.IsReading() && r.revision < SR_NO_FOULS) d.p1Score = Minus(d.p1Score, 2 * (p1Fouls / 2));
#include "harness/testdata/score.inc"
#define VARIANT upgrade_gone
#define UPGRADE
#include "harness/testdata/score.inc"
#define VARIANT upgrade_gate
#define UPGRADE \
  if (r.IsReading() && r.revision < SR_PLAYERS) d.p1Score = Minus(d.p1Score, p1Fouls);
#include "harness/testdata/score.inc"
#define VARIANT enum_inserted
#define COLOR enum class Color : std::uint8_t { Red, Yellow, Green, Blue }
#include "harness/testdata/score.inc"
#define VARIANT enum_wider
#define COLOR enum class Color : std::uint16_t { Red, Green, Blue }
#include "harness/testdata/score.inc"
#define VARIANT enum_appended
#define COLOR enum class Color : std::uint8_t { Red, Green, Blue, Pink }
#include "harness/testdata/score.inc"
#define VARIANT counter_moved
#define PLAYERS_VISIT          \
  CHECK_INTEGRITY(SR_PLAYERS); \
  ADD_CONDITIONAL(SR_PLAYERS, d.p1Score >= 0, players);
#include "harness/testdata/score.inc"
#define VARIANT counter_gone
#define PLAYERS_VISIT ADD_CONDITIONAL(SR_PLAYERS, d.p1Score >= 0, players);
#include "harness/testdata/score.inc"
#define VARIANT container
#define PLAYERS_TYPE std::array<Player, 2>
#include "harness/testdata/score.inc"
#define VARIANT nested_reordered
#define PLAYER_VISITS      \
  ADD(SR_PLAYERS, points); \
  ADD(SR_PLAYERS, color);  \
  ADD(SR_PLAYERS, name);
#include "harness/testdata/score.inc"
#define VARIANT default_value
#define MORE_MEMBERS std::int32_t unused = 0;
#define FIRST_VISITS        \
  ADD(SR_INITIAL, p1Score); \
  ADD(SR_INITIAL, p2Score); \
  if (r.IsReading()) d.p2Score = Minus(d.p2Score, -1);
#include "harness/testdata/score.inc"
#define VARIANT future_gate
#define MORE_MEMBERS std::int32_t soon = 0;
#define LAST_VISITS ADD(SR_NEXT, soon);
#include "harness/testdata/score.inc"
#define VARIANT one_way
#define LAST_VISITS \
  if (r.IsWriting()) ADD(SR_INITIAL, p2Score);
#include "harness/testdata/score.inc"

#define VARIANT plain_visit
#define FIRST_VISITS        \
  ADD(SR_INITIAL, p1Score); \
  Serialize(r, d.p2Score);
#include "harness/testdata/score.inc"
#define VARIANT rem_renamed
#define P1_TYPE std::int64_t
#define FIRST_VISITS                                                                      \
  REM(SR_INITIAL, SR_NEXT, std::int32_t, oldScore, static_cast<std::int32_t>(d.p1Score)); \
  ADD(SR_NEXT, p1Score);                                                                  \
  if (r.IsReading() && r.revision < SR_NEXT) d.p1Score = oldScore;                        \
  ADD(SR_INITIAL, p2Score);
#include "harness/testdata/score.inc"
#define VARIANT rem_renamed_and_retyped
#define P1_TYPE std::int64_t
#define FIRST_VISITS                                                                        \
  REM(SR_INITIAL, SR_NEXT, std::uint32_t, oldScore, static_cast<std::uint32_t>(d.p1Score)); \
  ADD(SR_NEXT, p1Score);                                                                    \
  if (r.IsReading() && r.revision < SR_NEXT) d.p1Score = oldScore;                          \
  ADD(SR_INITIAL, p2Score);
#include "harness/testdata/score.inc"
#define VARIANT member_forgotten
#define MORE_MEMBERS std::int32_t referee = 0;
#include "harness/testdata/score.inc"
#define VARIANT member_ignored
#define MORE_MEMBERS std::int32_t cache = 0;
#define LAST_VISITS SERIALIZE_IGNORE(cache);
#include "harness/testdata/score.inc"

#define VARIANT renumbered
#define COLOR                                           \
  enum class Color : std::uint8_t { Red, Green, Blue }; \
  enum Renumbered { SR_FOULS = 3, SR_PLAYERS = 2 }
#include "harness/testdata/score.inc"
// ---- sound changes, which must not be reported
#define VARIANT refactored
#define FIRST_VISITS              \
  const auto all = SR_INITIAL;    \
  if (r.revision >= SR_INITIAL) { \
    ADD(all, p1Score);            \
  }                               \
  ADD(SR_INITIAL, p2Score);
#define PLAYERS_VISIT                                   \
  ADD_CONDITIONAL(SR_PLAYERS, d.p1Score >= 0, players); \
  CHECK_INTEGRITY(SR_PLAYERS);
#include "harness/testdata/score.inc"
#define VARIANT condition_respelled
#define PLAYERS_VISIT                                     \
  ADD_CONDITIONAL(SR_PLAYERS, !(d.p1Score < 0), players); \
  CHECK_INTEGRITY(SR_PLAYERS);
#include "harness/testdata/score.inc"
#define VARIANT bumped
#define P1_TYPE std::int64_t
#define MORE_MEMBERS std::string team = "none";
#define FIRST_VISITS                                                                     \
  REM(SR_INITIAL, SR_NEXT, std::int32_t, p1Score, static_cast<std::int32_t>(d.p1Score)); \
  ADD(SR_NEXT, p1Score);                                                                 \
  if (r.IsReading() && r.revision < SR_NEXT) d.p1Score = p1Score;                        \
  ADD(SR_INITIAL, p2Score);
#define LAST_VISITS ADD(SR_NEXT, team);
#define COLOR enum class Color : std::uint8_t { Red, Green, Blue, Pink }
#include "harness/testdata/score.inc"

namespace revctl::harness::test {
namespace {

/// Returns a store with goldens of four revisions, each recorded by its own code.
const Folder& Recorded() {
  static const Folder folder;
  static const bool once = [] {
    Program(1).Type<r1::Score>().Record(folder);
    Program(2).Type<r2::Score>().Record(folder);
    Program(3).Type<r3::Score>().Record(folder);
    Program(4).Type<r4::Score>().Record(folder);
    return true;
  }();
  (void)once;
  return folder;
}

template <class T>
CheckResult After(std::size_t revisions = 4) {
  return Program(revisions).Type<T>().Check(Recorded());
}

/// Checks that the signals find the mistake in `type`.`field` and report `cause`.
template <class T>
void Caught(const std::string& rule, const std::string& type, const std::string& field,
            const std::string& cause) {
  const CheckResult result = After<T>();
  INFO(Text(result));
  CHECK(result.errors);
  const Finding finding = Find(result, rule, type, field);
  CHECK(finding.severity == Severity::Error);
  CHECK_THAT(finding.message + "\n" + finding.details, Catch::Contains(cause));
  CHECK_FALSE(finding.fix.empty());
  CHECK_FALSE(finding.revision.empty());
}

}  // namespace

TEST_CASE("check: the current code reads its own history", "[harness][signals]") {
  const CheckResult result = After<r4::Score>();
  INFO(Text(result));
  CHECK(result.findings.empty());
  CHECK(result.goldens > 20);
}

TEST_CASE("check: every mistake is caught, with type and field", "[harness][signals]") {
  Caught<retyped::Score>("GH001", "Score", "p1Score", "retyped without a revision");
  Caught<retyped_same_size::Score>("GH001", "Score", "p1Score", "same size");
  Caught<swapped::Score>("GH001", "Score", "p1Score", "were swapped");
  Caught<removed::Score>("GH001", "Score", "p2Score", "removed without a REM");
  Caught<added::Score>("GH001", "Score", "bonus", "added without a new revision");
  Caught<gate_moved::Score>("GH001", "Score", "p2Score", "gate moved");
  Caught<rem_default::Score>("GH001", "Score", "p1Fouls", "default of a removed field changed");
  Caught<rem_range::Score>("GH001", "Score", "p1Fouls", "gate moved");
  Caught<rem_type::Score>("GH001", "Score", "p1Fouls", "retyped");
  Caught<condition::Score>("GH001", "Score", "players", "the text of the condition changed");
  Caught<condition_dropped::Score>("GH001", "Score", "players", "condition");
  Caught<upgrade::Score>("GH004", "Score", "p1Score", "upgraded to");
  Caught<upgrade_gone::Score>("GH004", "Score", "p1Score", "upgraded to");
  Caught<upgrade_gate::Score>("GH004", "Score", "p1Score", "upgraded to");
  Caught<enum_inserted::Score>("GH001", "Color", "Green", "inserted");
  Caught<enum_wider::Score>("GH001", "Player", "color", "underlying type");
  CHECK(Find(After<enum_appended::Score>(), "GH001", "Color", "Pink").severity == Severity::Note);
  CHECK_THAT(FixText(Find(After<enum_appended::Score>(), "GH001", "Color", "Pink").fix),
             Catch::Contains("save_harness record   # adds it to the record"));
  Caught<counter_moved::Score>("GH001", "Score", "CHECK_INTEGRITY", "moved");
  Caught<counter_gone::Score>("GH001", "Score", "CHECK_INTEGRITY", "removed");
  Caught<container::Score>("GH001", "Score", "players", "container changed");
  Caught<nested_reordered::Score>("GH001", "Player", "name", "reordered");
  Caught<default_value::Score>("GH004", "Score", "p2Score", "upgraded to");
  Caught<future_gate::Score>("GH007", "Score", "soon", "above the latest");
  Caught<member_forgotten::Score>("GH007", "Score", "",
                                  "Score: its Serialize does not mention 1 of 4 members");
  Caught<one_way::Score>("GH001", "Score", "p2Score~2", "writing and reading");
  // The finding must point to the second visit of the field, because only that visit is wrong.
  CHECK_THAT(SourceLine(Find(After<one_way::Score>(), "GH001", "Score", "p2Score~2")),
             Catch::Contains("LAST_VISITS"));
}

TEST_CASE("check: a change without a revision prints the lines that fix it", "[harness][signals]") {
  const Finding finding = Find(After<retyped::Score>(), "GH001", "Score", "p1Score");
  CHECK(finding.message ==
        "Score.p1Score was int32_t, is int64_t: retyped without a revision (at 4 revisions, "
        "SR_INITIAL to SR_NO_FOULS)");
  CHECK_THAT(FixText(finding.fix), Catch::Contains("revctl reserve SR_P1_SCORE_I64\n"));
  CHECK_THAT(
      FixText(finding.fix),
      Catch::Contains(
          "REM(SR_INITIAL, SR_P1_SCORE_I64, int32_t, p1Score, static_cast<int32_t>(d.p1Score));"));
  CHECK_THAT(FixText(finding.fix), Catch::Contains("ADD(SR_P1_SCORE_I64, p1Score);"));
  CHECK_THAT(finding.file, Catch::EndsWith("score.inc"));
  CHECK(finding.line > 0);
  CHECK(finding.revision == "SR_INITIAL");

  const Finding added_field = Find(After<added::Score>(), "GH001", "Score", "bonus");
  CHECK_THAT(FixText(added_field.fix),
             Catch::Contains("revctl reserve SR_BONUS\nADD(SR_BONUS, bonus);"));
  const Finding gone = Find(After<removed::Score>(), "GH001", "Score", "p2Score");
  CHECK_THAT(
      FixText(gone.fix),
      Catch::Contains(
          "revctl reserve SR_NO_P2_SCORE\nREM(SR_INITIAL, SR_NO_P2_SCORE, int32_t, p2Score, 0);"));
}

TEST_CASE("check: a removed field whose member remains is one error", "[harness][signals]") {
  const std::string text = Text(After<removed::Score>());
  INFO(text);
  CHECK(Count(text, "error[") == 1);
  CHECK_THAT(text, Catch::Contains("removed without a REM") && Catch::Contains("GH007 Score") &&
                       Catch::EndsWith("FAILED: 1 error\n"));
  // A member that no body has ever visited must be reported as a separate error, in addition to the
  // error about the removed member.
  const std::string both = Text(After<removed_and_forgotten::Score>());
  INFO(both);
  CHECK(Count(both, "error[GH001]") == 1);
  CHECK(Count(both, "error[GH007]") == 1);
}

TEST_CASE("check: reports numbers that now belong to other revisions", "[harness][signals]") {
  Program program = Program(4).Type<renumbered::Score>();
  std::swap(program.entries[1].name, program.entries[2].name);
  const CheckResult result = program.Check(Recorded());
  INFO(Text(result));
  const Finding finding = Find(result, "GH001", "Score", "players");
  CHECK_THAT(finding.message, Catch::Contains("has the recorded gate, but the gate's number in the "
                                              "list changed: recorded SR_PLAYERS = 3, now "
                                              "SR_PLAYERS = 2"));
  CHECK_THAT(finding.details,
             Catch::Contains("the gate's revision has a different number in the list"));
  CHECK_THAT(FixText(finding.fix),
             Catch::Contains("if SR_PLAYERS has landed, restore its number") &&
                 Catch::Contains("revctl fix"));
  CHECK_THAT(FixText(finding.fix), !Catch::Contains("restore the line"));
}

TEST_CASE("check: reports goldens older than a type's first revision", "[harness][signals]") {
  const CheckResult fine = Program(4).Type<r4::Score>(1).Check(Recorded());
  CHECK(fine.findings.empty());
  const CheckResult result = Program(4).Type<r4::Score>(3).Check(Recorded());
  INFO(Text(result));
  const Finding finding = Find(result, "GH008", "Score", "");
  CHECK(finding.revision == "SR_INITIAL");
  CHECK_THAT(finding.message, Catch::Contains("has goldens of SR_INITIAL"));
  CHECK(finding.fix == "HARNESS_TYPE(Score, SR_INITIAL);");
}

TEST_CASE("check: reports a field that is no longer read or upgraded", "[harness][signals]") {
  const std::string text = Text(After<removed::Score>()) + Text(After<added::Score>());
  INFO(text);
  CHECK_THAT(text, !Catch::Contains("absent, and") && !Catch::Contains("to absent") &&
                       !Catch::Contains("as absent"));
}

TEST_CASE("check: a REM's local variable may have a different name than the field",
          "[harness][signals]") {
  const CheckResult result = After<rem_renamed::Score>(5);
  INFO(Text(result));
  // The only error must be the missing record of SR_NEXT.
  CHECK(Errors(result) == std::vector<std::string>{"GH007 ."});
  // Renaming the variable of a REM must not hide a change of its type.
  const CheckResult retyped = After<rem_renamed_and_retyped::Score>(5);
  INFO(Text(retyped));
  CHECK(Find(retyped, "GH001", "Score", "p1Score").severity == Severity::Error);
}

TEST_CASE("check: consequences of a broken layout are reported once", "[harness][signals]") {
  const CheckResult result = After<retyped::Score>();
  INFO(Text(result));
  CHECK(Errors(result).size() <= 3);
}

TEST_CASE(
    "check: text shows a retype, removal or insertion once, with its consequences on one line",
    "[harness][signals][fold]") {
  for (const CheckResult& result :
       {After<retyped::Score>(), After<removed::Score>(), After<added::Score>()}) {
    const std::string text = Text(result);
    INFO(text);
    CHECK(Count(text, "error[") == 1);
    CHECK(Count(text, "error[GH001]") == 1);
    CHECK_THAT(text, Catch::Contains("from it: GH002 Score"));
    // All other findings must be kept, marked as consequences of the first one, so that tools can
    // show them.
    const std::size_t following = static_cast<std::size_t>(
        std::count_if(result.findings.begin(), result.findings.end(),
                      [](const Finding& finding) { return !finding.follows.empty(); }));
    CHECK(following + 1 == result.findings.size());
    CHECK_THAT(text, Catch::Contains(fmt::format("\n  {} more finding", following)));
  }
}

TEST_CASE("check: lost upgrade code has its own fix despite a broken layout",
          "[harness][signals]") {
  const CheckResult result = After<added_and_upgrade_gone::Score>();
  INFO(Text(result));
  CHECK(Find(result, "GH001", "Score", "bonus").message.find("added without") != std::string::npos);
  const Finding lost = Find(result, "GH004", "Score", "p1Score");
  CHECK_THAT(lost.message, Catch::Contains("upgraded to") && !Catch::Contains("bonus"));
  CHECK_THAT(FixText(lost.fix), Catch::StartsWith("restore the upgrade code"));
}

TEST_CASE("check: changes caused by an enum or nested type name the cause", "[harness][signals]") {
  const CheckResult inserted = After<enum_inserted::Score>();
  INFO(Text(inserted));
  const Finding finding = Find(inserted, "GH001", "Color", "Green");
  CHECK_THAT(finding.file, Catch::EndsWith("score.inc"));
  CHECK(finding.line > 0);
  for (const Finding& other : inserted.findings) {
    if (findings::NameOf(other.rule) != "GH001")
      CHECK(other.fix == "fix the layout first (GH001); this finding follows from it");
  }
  const CheckResult nested = After<nested_reordered::Score>();
  INFO(Text(nested));
  for (const Finding& other : nested.findings) {
    if (findings::NameOf(other.rule) != "GH001")
      CHECK(other.fix == "fix the layout first (GH001); this finding follows from it");
  }
  // Two swapped fields must yield a single finding, although the order of fields differs between
  // revisions.
  std::size_t layouts = 0;
  for (const Finding& other : After<swapped::Score>().findings)
    layouts += findings::NameOf(other.rule) == "GH001";
  CHECK(layouts == 1);
  // A finding about a removed line must point into the body that lacks the line.
  const Finding gone = Find(After<removed::Score>(), "GH001", "Score", "p2Score");
  CHECK_THAT(gone.file, Catch::EndsWith("score.inc"));
  const Finding plain = Find(After<plain_visit::Score>(), "GH001", "Score", "p2Score");
  CHECK_THAT(plain.message, Catch::Contains("plain Serialize"));
  CHECK_THAT(FixText(plain.fix), Catch::Contains("ADD(SR_INITIAL, p2Score);"));
}

TEST_CASE("check: sound changes raise no alarm", "[harness][signals]") {
  for (const CheckResult& result : {After<refactored::Score>(), After<member_ignored::Score>(),
                                    After<condition_respelled::Score>()}) {
    INFO(Text(result));
    CHECK_FALSE(result.errors);
  }
  // A respelled condition must cause only a warning, because samples next to its limits still give
  // the same results.
  CHECK(Find(After<condition_respelled::Score>(), "GH001", "Score", "players").severity ==
        Severity::Warning);
}

TEST_CASE("check: a change with its own revision must be recorded", "[harness][signals]") {
  const Folder folder;
  std::filesystem::copy(Recorded().path(), folder.path(), std::filesystem::copy_options::recursive);
  const Program program = Program(5).Type<bumped::Score>();
  const CheckResult before = program.Check(folder);
  INFO(Text(before));
  CHECK(Errors(before) == std::vector<std::string>{"GH007 ."});  // nothing else is wrong
  CHECK(Find(before, "GH007", "", "").fix == "save_harness record");
  program.Record(folder);
  const CheckResult after = program.Check(folder);
  INFO(Text(after));
  CHECK(after.findings.empty());
  // The record must show how the new revision upgrades old goldens, so that reviewers can see it.
  const revctl::golden::Store store = revctl::golden::Store::Open(folder.path());
  const auto* stored = store.Find("SR_NEXT");
  REQUIRE(stored);
  REQUIRE_FALSE(stored->record.upgrades.empty());
  const revctl::golden::Change team{"team", std::nullopt, "\"none\""};
  const auto& changes = stored->record.upgrades[0].changes;
  CHECK(std::find(changes.begin(), changes.end(), team) != changes.end());
}

TEST_CASE("enums: an approval applies to one name and one value", "[harness][signals][enum]") {
  const Folder folder;
  Program(4).Type<r4::Score>().Record(folder);
  const auto pink = [&] {
    for (const Pending& pending : Program(4).Type<enum_appended::Score>().Check(folder).pending) {
      if (pending.approval.kind == golden::Approval::Kind::Enumerator) return pending.approval;
    }
    return golden::Approval();
  };
  golden::Approval approval = pink();
  REQUIRE(approval.to == "Pink");
  approval.reason = "a new team";
  golden::Approval of_another_value = approval;
  ++of_another_value.value;
  REQUIRE(golden::WriteApproval(folder.path(), of_another_value).ok());
  CHECK(pink().to == "Pink");
  REQUIRE(golden::WriteApproval(folder.path(), approval).ok());
  CHECK(pink().to.empty());
}

}  // namespace revctl::harness::test
