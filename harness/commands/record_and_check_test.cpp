// Runs the harness as users do and checks exit codes, stdout, stderr and files.
#include <catch2/catch.hpp>
#include <fstream>

#include <revctl/save_file.h>
#include <revctl/serialize.h>

#include "harness/testdata/adopter_list.h"
#include "harness/testing/test_program.h"

#define VARIANT game
#include "harness/testdata/score.inc"

namespace revctl::harness::test {
namespace {

namespace fs = std::filesystem;

}  // namespace

TEST_CASE("record: successive versions of a program share one folder", "[harness][commands]") {
  const Folder folder;
  CHECK(Run(folder, kThree + " check --golden golden").exit == 1);  // no goldens are recorded yet
  const Ran first = Run(folder, kThree + " record --golden golden");
  CHECK(first.exit == 0);
  CHECK_THAT(first.out, Catch::StartsWith("OK: recorded SR_PLAYERS: "));
  CHECK(Listing(folder) == std::vector<std::string>{"SR_PLAYERS.golden", "SR_PLAYERS.yaml"});
  const std::string text = Bytes(folder.path() + "/golden/SR_PLAYERS.yaml");

  // Missing goldens of older revisions are only notes, but the new revision must be recorded.
  const Ran unrecorded = Run(folder, kFour + " check --golden golden --json");
  CHECK(unrecorded.exit == 1);
  CHECK_THAT(unrecorded.out, Catch::Contains("\"GH007\"") && Catch::Contains("SR_NO_FOULS"));
  CHECK_THAT(unrecorded.out, Catch::Contains("SR_INITIAL, SR_FOULS: older than the first goldens, "
                                             "so changes to their meaning go unnoticed"));
  CHECK(Run(folder, kFour + " record --golden golden").exit == 0);
  const Ran fine = Run(folder, kFour + " --golden golden check");
  CHECK(fine.exit == 0);
  CHECK_THAT(fine.out,
             Catch::EndsWith("OK: 2 warnings, 1 note (1 type, 4 revisions, 36 goldens)\n"));
  CHECK(fine.err.empty());
  CHECK(Bytes(folder.path() + "/golden/SR_PLAYERS.yaml") == text);

  const Ran again = Run(folder, kFour + " record --golden golden");
  CHECK(again.exit == 0);
  CHECK_THAT(again.err, Catch::Contains("nothing to record"));
}

TEST_CASE("check: explains an unreadable folder and an unknown format", "[harness][commands]") {
  const Folder folder;
  std::ofstream(folder.path() + "/golden") << "no folder";
  const Ran file = Run(folder, kFour + " check --golden golden");
  CHECK(file.exit == 1);
  CHECK_THAT(file.out, Catch::Contains("cannot be listed") && Catch::Contains("fix: ls -ld ") &&
                           !Catch::Contains("git restore"));
  // The store cannot be read, so the check must not suggest `record`.
  CHECK_THAT(file.out, !Catch::Contains("GH007") && !Catch::Contains("no goldens are recorded"));
  const Ran format = Run(folder, kFour + " check --format xml");
  CHECK(format.exit == 2);
  CHECK_THAT(
      format.err,
      Catch::Contains("--format 'xml': text, json, github, gitlab, sarif, junit or markdown"));
  CHECK_THAT(Run(folder, kFour + " --format JSON check --golden golden").out,
             Catch::StartsWith("{"));
}

TEST_CASE("record: the same program and seed write the same bytes", "[harness][commands]") {
  const Folder one, two;
  REQUIRE(Run(one, kFour + " record --golden golden").exit == 0);
  REQUIRE(Run(two, kFour + " record --golden golden").exit == 0);
  for (const std::string& name : Listing(one)) {
    CHECK(Bytes(one.path() + "/golden/" + name) == Bytes(two.path() + "/golden/" + name));
  }
}

TEST_CASE("record: refuses to run in CI without --allow-ci", "[harness][commands]") {
  const Folder folder;
  const Ran refused = Run(folder, "CI=true " + kFour + " record --golden golden");
  CHECK(refused.exit == 2);
  CHECK_THAT(refused.err, Catch::Contains("--allow-ci"));
  CHECK(Listing(folder).empty());
  // `revctl fold` and `revctl land` run the target's `goldens` command like this.
  const Folder folded;
  CHECK(Run(folded, "CI=true REVCTL_GOLDENS=1 " + kFour + " record --golden golden").exit == 0);
  CHECK(Run(folder, "CI=true " + kFour + " record --allow-ci --golden golden").exit == 0);
}

TEST_CASE("record: --backfill writes old revisions with current code", "[harness][commands]") {
  const Folder folder;
  REQUIRE(Run(folder, kFour + " record --backfill --golden golden").exit == 0);
  CHECK(Listing(folder).size() == 8);
  const std::string text = Bytes(folder.path() + "/golden/SR_FOULS.yaml");
  CHECK_THAT(text,
             Catch::Contains("by: \"record --backfill\"") && Catch::Contains("code: SR_NO_FOULS"));
  const Ran fine = Run(folder, kFour + " check --golden golden");
  INFO(fine.out);
  CHECK(fine.exit == 0);
}

TEST_CASE("record: types registered later are recorded as an addition", "[harness][commands]") {
  const Folder folder;
  REQUIRE(Run(folder, kFour + " record --golden golden").exit == 0);
  const std::string frozen = Bytes(folder.path() + "/golden/SR_NO_FOULS.yaml");
  CHECK(Run(folder, kMore + " check --golden golden").exit ==
        0);  // a new type and a new sample cause no errors
  const Ran added = Run(folder, kMore + " record --golden golden");
  CHECK(added.exit == 0);
  CHECK_THAT(added.out, Catch::Contains("SR_NO_FOULS+"));
  CHECK(Listing(folder).size() == 4);
  CHECK(Bytes(folder.path() + "/golden/SR_NO_FOULS.yaml") == frozen);
  const Ran fine = Run(folder, kMore + " check --golden golden");
  INFO(fine.out);
  CHECK(fine.exit == 0);
  CHECK_THAT(Run(folder, kMore + " record --golden golden").err,
             Catch::Contains("nothing to record"));
  // A type that has goldens but is not registered by the program needs a HARNESS_RETIRED.
  const Ran gone = Run(folder, kFour + " check --golden golden");
  CHECK(gone.exit == 1);
  CHECK_THAT(gone.out, Catch::Contains("GH008") && Catch::Contains("HARNESS_RETIRED(\"Level\""));
}

TEST_CASE("record: --refresh rewrites a damaged pending revision", "[harness][commands]") {
  const Folder folder;
  REQUIRE(Run(folder, kFour + " record --golden golden").exit == 0);
  const std::string text = Bytes(folder.path() + "/golden/SR_NO_FOULS.yaml");
  std::ofstream(folder.path() + "/golden/SR_NO_FOULS.yaml", std::ios::app) << "garbage\n";
  const Ran damaged = Run(folder, kFour + " check --golden golden");
  CHECK(damaged.exit == 1);
  CHECK_THAT(damaged.out, Catch::Contains("GH009"));
  const Ran refreshed = Run(folder, kFour + " record --refresh NO_FOULS --golden golden");
  INFO(refreshed.err << refreshed.out);
  CHECK(refreshed.exit == 0);
  CHECK(Run(folder, kFour + " check --golden golden").exit == 0);
  // The new record must differ only in its provenance.
  std::string anew = Bytes(folder.path() + "/golden/SR_NO_FOULS.yaml");
  const auto at = anew.find("\"record --refresh\"");
  REQUIRE(at != std::string::npos);
  anew.replace(at, 18, "record");
  CHECK(anew == text);
  CHECK(Run(folder, kFour + " record --refresh SR_OTHER --golden golden").exit == 2);
}

TEST_CASE("record: --refresh rewrites exactly the named revisions", "[harness][commands]") {
  const Folder folder;
  REQUIRE(Run(folder, kThree + " record --golden golden").exit == 0);
  REQUIRE(Run(folder, kFour + " record --golden golden").exit == 0);
  const auto all = [&] {
    std::string text;
    for (const std::string& name : Listing(folder))
      text += name + Bytes(folder.path() + "/golden/" + name);
    return text;
  };
  const std::string before = all();
  // SR_NO_FOULS's record contains upgrades of SR_PLAYERS's goldens, which this refresh would
  // change.
  const Ran refused = Run(folder, kFour + " record --refresh SR_PLAYERS --golden golden");
  CHECK(refused.exit == 2);
  CHECK_THAT(refused.err,
             Catch::Contains("refreshing SR_PLAYERS also requires refreshing SR_NO_FOULS") &&
                 Catch::Contains(" record --refresh SR_PLAYERS --refresh SR_NO_FOULS\n"));
  CHECK(all() == before);
  const Ran both = Run(folder, kFour + " record --refresh 4 --refresh PLAYERS --golden golden");
  INFO(both.err << both.out);
  CHECK(both.exit == 0);
  CHECK_THAT(both.out,
             Catch::Contains("recorded SR_PLAYERS: ") && Catch::Contains("recorded SR_NO_FOULS: "));
  // The new goldens differ, because kFour wrote SR_PLAYERS's goldens instead of kThree.
  CHECK(all() != before);
  const Ran check = Run(folder, kFour + " check --golden golden");
  INFO(check.out);
  CHECK(check.exit == 0);
  // Recording again reproduces the same files.
  const std::string anew = all();
  CHECK(Run(folder, kFour + " record --refresh SR_PLAYERS --refresh SR_NO_FOULS --golden golden")
            .exit == 0);
  CHECK(all() == anew);
}

TEST_CASE("record: --refresh rejects an unsupported revision", "[harness][commands]") {
  const Folder folder;
  const Ran refused =
      Run(folder, Adopter("template") + " record --refresh SR_INITIAL --golden golden");
  CHECK(refused.exit == 2);
  CHECK_THAT(refused.err, Catch::Contains("SR_INITIAL is older than every supported revision"));
  CHECK(Listing(folder).empty());
}

TEST_CASE("approve: a rename is an error until approved with a reason", "[harness][commands]") {
  const Folder folder;
  REQUIRE(Run(folder, kThree + " record --golden golden").exit == 0);
  REQUIRE(Run(folder, kFour + " record --golden golden").exit == 0);
  const Ran before = Run(folder, kRenamed + " check --golden golden");
  CHECK(before.exit == 1);
  CHECK_THAT(before.out,
             Catch::Contains("Score.p2Score was renamed to secondScore") &&
                 Catch::Contains("approve --rename Score.p2Score=secondScore --reason"));
  const std::string field =
      " approve --golden golden --rename Score.p2Score=secondScore --reason 'it is the second "
      "player'";
  CHECK(Run(folder, "CI=1 " + kRenamed + field).exit == 2);
  CHECK(Run(folder, kRenamed + " approve --golden golden --rename Score.p2Score=other --reason x")
            .exit == 2);
  CHECK(Run(folder,
            kRenamed + " approve --golden golden --rename Score.p2Score=secondScore --reason ''")
            .exit == 2);
  CHECK(Run(folder, kRenamed + " approve --golden golden --rename nonsense --reason x").exit == 2);
  CHECK_FALSE(fs::exists(folder.path() + "/golden/approved"));
  CHECK(Run(folder, kRenamed + field).exit == 0);
  const Ran half = Run(folder, kRenamed + " check --golden golden");
  INFO(half.out);
  CHECK(half.exit == 1);  // the enumerator needs its own approval
  CHECK_THAT(half.out,
             Catch::Contains("Color.Green was renamed to Lime") && !Catch::Contains("p2Score"));
  CHECK(
      Run(folder,
          kRenamed + " approve --golden golden --rename Color.Green=Lime --reason 'brand colours'")
          .exit == 0);
  const Ran after = Run(folder, kRenamed + " check --golden golden");
  INFO(after.out);
  CHECK(after.exit == 0);
  // An edited approval is invalid.
  for (const auto& entry : fs::directory_iterator(folder.path() + "/golden/approved")) {
    std::ofstream(entry.path(), std::ios::app) << "more: 1\n";
  }
  CHECK_THAT(Run(folder, kRenamed + " check --golden golden").out,
             Catch::Contains("GH009") && Catch::Contains("unknown key `more`"));
}

TEST_CASE("dump: goldens and files as JSON or as trees with offsets", "[harness][commands]") {
  const Folder folder;
  REQUIRE(Run(folder, kThree + " record --golden golden").exit == 0);
  const Ran golden = Run(folder, kFour + " dump golden/SR_PLAYERS.golden --golden golden");
  INFO(golden.err);
  CHECK(golden.exit == 0);
  CHECK_THAT(golden.out, Catch::Contains("\"case\": \"SR_PLAYERS/veterans\"") &&
                             Catch::Contains("\"p1Score\": 40"));

  game::Score score;
  score.p1Score = 7;
  score.players = {{"Zo\xc3\xab", -3, game::Color::Blue}};
  REQUIRE(revctl::SaveFile(folder.path() + "/save.bin", SR_PLAYERS, score).Ok());
  const Ran save = Run(folder, kFour + " dump save.bin --golden golden");
  INFO(save.err);
  CHECK(save.exit == 0);
  CHECK_THAT(save.out,
             Catch::Contains("\"name\": \"Zo\xc3\xab\"") && Catch::Contains("\"color\": \"Blue\""));
  const Ran tree = Run(folder, kFour + " dump save.bin --tree --golden golden");
  CHECK_THAT(tree.out, Catch::Contains("16    4  07000000            p1Score: 7\n") &&
                           Catch::Contains("players[0].points: -3"));
}

TEST_CASE("dump: reports a damaged file in one line, with the offset", "[harness][commands]") {
  const Folder folder;
  game::Score score;
  REQUIRE(revctl::SaveFile(folder.path() + "/save.bin", SR_NO_FOULS, score).Ok());
  const std::string good = Bytes(folder.path() + "/save.bin");
  const auto dump = [&](const std::string& bytes) {
    std::ofstream(folder.path() + "/bad.bin", std::ios::binary) << bytes;
    return Run(folder, kFour + " dump bad.bin --golden golden");
  };
  const Ran truncated = dump(good.substr(0, good.size() - 2));
  CHECK(truncated.exit == 1);
  CHECK_THAT(truncated.err, Catch::Contains("bad.bin") && Catch::Contains("offset"));
  CHECK(dump("").exit == 1);
  CHECK_THAT(dump("garbage, and enough of it to be a file").err, Catch::Contains("magic"));
  std::string future = good, foreign = good;
  future[4] = 9;
  foreign[8] = static_cast<char>(foreign[8] ^ 1);
  CHECK_THAT(dump(future).err, Catch::Contains("newer"));
  CHECK_THAT(dump(foreign).err, Catch::Contains("lineage"));
  CHECK(dump(good + "x").exit == 1);
  CHECK(Run(folder, kFour + " dump none.bin --golden golden").exit == 2);
  CHECK(Run(folder, kFour + " dump save.bin --type Other --golden golden").exit == 2);
  CHECK(Run(folder, kFour + " dump golden/SR_FOULS.golden --golden golden").exit == 2);
  CHECK(Run(folder, kFour + " nonsense").exit == 2);
  CHECK(Run(folder, kFour + " --help").exit == 0);
}

TEST_CASE("sweep: rejects hostile input and reports crashes", "[harness][commands]") {
  const Folder folder;
  REQUIRE(Run(folder, kFour + " record --golden golden").exit == 0);
  const Ran fine = Run(folder, kFour + " sweep --fuzz 0.5 --golden golden");
  INFO(fine.out << fine.err);
  CHECK(fine.exit == 0);
  CHECK_THAT(fine.out, Catch::Contains("hostile inputs"));
  CHECK_THAT(fine.out, !Catch::Contains(" 0 hostile inputs"));
  CHECK_THAT(Run(folder, kFour + " sweep --fuzz 0 --golden golden").out,
             Catch::Contains(" 0 hostile inputs"));
  for (const char* budget : {"-1", "-0.5", "nan", "inf", "1e300", "60s", "''"}) {
    INFO(budget);
    const Ran refused = Run(folder, kFour + " sweep --golden golden --fuzz=" + budget);
    CHECK(refused.exit == 2);
    CHECK_THAT(refused.out, Catch::Equals(""));
  }

  const Folder other;
  REQUIRE(Run(other, kCrash + " record --golden golden").exit == 0);
  const Ran crash = Run(other, kCrash + " sweep --fuzz 4 --golden golden --json");
  CHECK(crash.exit == 1);
  CHECK_THAT(crash.out, Catch::Contains("GH006") && Catch::Contains("Fragile") &&
                            Catch::Contains("killed by signal 6"));
  CHECK(Bytes(other.path() + "/crash-Fragile.bin").substr(0, 4) == std::string("\0\0\0\x80", 4));
}

TEST_CASE("schema, diff: layouts of any revision and their changes", "[harness][commands]") {
  const Folder folder;
  const Ran schema = Run(folder, kFour + " schema --at FOULS --golden golden");
  CHECK(schema.exit == 0);
  CHECK_THAT(schema.out, Catch::Contains("revision: SR_FOULS") &&
                             Catch::Contains("{name: p1Fouls, type: i32, size: 4"));
  CHECK_THAT(schema.out, !Catch::Contains("players"));
  const Ran diff = Run(folder, kFour + " diff SR_FOULS 4 --golden golden");
  CHECK(diff.exit == 0);
  CHECK_THAT(diff.out, Catch::Contains("- Score.{name: p1Fouls") &&
                           Catch::Contains("+ Score.{name: players"));
  CHECK(Run(folder, kFour + " diff SR_FOULS SR_NONE --golden golden").exit == 2);
}

}  // namespace revctl::harness::test
