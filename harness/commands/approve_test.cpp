// Tests `approve` in a script, `review` at a terminal, and checks of types whose bodies crash.
#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>

#include "harness/testing/test_program.h"

namespace revctl::harness::test {
namespace {

const std::string kAbort = Adopter("abort");

/// Records goldens of two revisions with the code as it was before the intended changes.
void RecordTwo(const Folder& folder) {
  REQUIRE(Run(folder, kThree + " record --golden golden").exit == 0);
  REQUIRE(Run(folder, kFour + " record --golden golden").exit == 0);
}

/// Runs `review` at a terminal and types the answers.
Ran AtTerminal(const Folder& folder, const std::string& typed,
               const std::string& program = AdopterPath("meant"), bool ci = false) {
  return RunAtTerminal(folder, {program, "review", "--golden", "golden"}, typed, ci);
}

std::size_t Approved(const Folder& folder) {
  std::size_t count = 0;
  if (!std::filesystem::exists(folder.path() + "/golden/approved")) return 0;
  for ([[maybe_unused]] const auto& entry :
       std::filesystem::directory_iterator(folder.path() + "/golden/approved"))
    ++count;
  return count;
}

}  // namespace

TEST_CASE("approve: upgraded values and enumerators need reasons", "[harness][commands][approve]") {
  const Folder folder;
  RecordTwo(folder);
  const Ran before = Run(folder, kMeant + " check --golden golden");
  INFO(before.out);
  CHECK(before.exit == 1);
  CHECK_THAT(before.out, Catch::Contains("GH004") && Catch::Contains("Color.Pink"));
  CHECK_THAT(before.err, Catch::Contains("review"));
  const std::string pink = kMeant + " approve --golden golden --enumerator Color.Pink --reason";
  const Ran in_ci = Run(folder, "CI=true " + pink + " 'a new team'");
  CHECK(in_ci.exit == 2);
  CHECK_THAT(in_ci.err,
             Catch::Contains("fix: ") &&
                 Catch::Contains(
                     " review   # outside CI, then commit the files it writes to golden/approved"));
  CHECK_THAT(Run(folder, "CI=true " + kMeant + " check --golden golden").err,
             Catch::Contains("review   # outside CI"));
  CHECK(Run(folder, pink + " ' .'").exit == 2);
  CHECK(Run(folder, kMeant + " approve --golden golden --enumerator Color.Grey --reason x").exit ==
        2);
  CHECK(Run(folder, kMeant + " approve --golden golden --reason x").exit == 2);
  CHECK(Approved(folder) == 0);
  CHECK(Run(folder, pink + " 'a new team'").exit == 0);
  const Ran half = Run(folder, kMeant + " check --golden golden");
  CHECK(half.exit == 1);
  CHECK_THAT(half.out, Catch::Contains("GH004") && !Catch::Contains("Pink"));
  CHECK(Run(folder,
            kMeant + " approve --golden golden --upgraded Score --reason 'a foul costs one more'")
            .exit == 0);
  const Ran after = Run(folder, kMeant + " check --golden golden");
  INFO(after.out);
  CHECK(after.exit == 0);
  // `check` warns about a rewritten condition until it is approved, even if its result is the same.
  CHECK_THAT(after.out,
             Catch::Contains("the text of the condition changed") &&
                 Catch::Contains("--golden golden approve --condition Score.players --reason"));
  CHECK(
      Run(folder, kMeant + " approve --golden golden --condition Score.p1Score --reason x").exit ==
      2);
  const std::string alike =
      kMeant + " approve --golden golden --condition Score.players --reason 'the same, shorter'";
  CHECK(Run(folder, alike).exit == 0);
  CHECK_THAT(Run(folder, kMeant + " check --golden golden").out,
             !Catch::Contains("text of the condition changed"));
  CHECK_THAT(Run(folder, alike).out, Catch::Contains("already approved: Score.players"));
  // The old code does not match the approved values.
  CHECK_THAT(Run(folder, kFour + " check --golden golden").out, Catch::Contains("GH004"));
  // A manually edited approval is invalid.
  for (const auto& entry :
       std::filesystem::directory_iterator(folder.path() + "/golden/approved")) {
    std::string text = Bytes(entry.path().string());
    const auto at = text.find("p1Score: [");
    if (at == std::string::npos) continue;
    text.insert(at + 10, "9");
    std::ofstream(entry.path(), std::ios::binary) << text;
  }
  CHECK_THAT(Run(folder, kMeant + " check --golden golden").out, Catch::Contains("GH004"));
}

TEST_CASE("review: accept with a reason, reject, skip; no default answer",
          "[harness][commands][approve]") {
  const Folder folder;
  RecordTwo(folder);
  const Ran list = Run(folder, kMeant + " review --list --golden golden </dev/null");
  CHECK(list.exit == 1);
  CHECK_THAT(list.out, Catch::Contains("Color.Pink") && Catch::Contains("upgraded to"));
  const auto pending = list.err.substr(list.err.find(" in ") + 4);
  CHECK(std::filesystem::exists(pending.substr(0, pending.find('\n')) + "/" +
                                list.out.substr(0, 16) + ".yaml"));
  CHECK(Run(folder, kMeant + " review --golden golden </dev/null").exit == 2);
  CHECK(Approved(folder) == 0);

  const Ran quit = AtTerminal(folder, "q\n");
  INFO(quit.out);
  CHECK(quit.exit == 1);
  CHECK(Approved(folder) == 0);
  // Rejecting or skipping a change writes nothing, and `review` rejects an empty reason.
  const Ran none = AtTerminal(folder, "r\ns\ns\ns\ns\ns\ns\ns\nq\n");
  CHECK(none.exit == 1);
  CHECK_THAT(none.out, Catch::Contains("1 rejected") && Catch::Contains("rejected; to fix it:"));
  CHECK(Approved(folder) == 0);
  std::string all;
  for (int i = 0; i < 24; ++i) all += "a\n\nthe team wants it\n";
  const Ran accepted = AtTerminal(folder, all);
  INFO(accepted.out);
  CHECK(accepted.exit == 0);
  CHECK(Approved(folder) >= 2);
  CHECK(Run(folder, kMeant + " check --golden golden").exit == 0);
  CHECK(Run(folder, kMeant + " review --list --golden golden </dev/null").exit == 0);
  // A script passes `approve` an id from the list of changes.
  const Folder other;
  RecordTwo(other);
  const std::string id = Run(other, kMeant + " review --list --golden golden").out.substr(0, 16);
  CHECK(Run(other, kMeant + " approve --golden golden --pending " + id + " --reason fine").exit ==
        0);
  CHECK(Approved(other) == 1);
}

TEST_CASE("review: renames need a terminal and are refused in CI", "[harness][commands][approve]") {
  const Folder folder;
  RecordTwo(folder);
  const Ran refused = AtTerminal(folder, "", AdopterPath("renamed"), /*ci=*/true);
  CHECK(refused.exit == 2);
  CHECK_THAT(
      refused.out,
      Catch::Contains("cannot approve in CI ($CI is set): approvals must come from a person") &&
          Catch::Contains(
              "review   # outside CI, then commit the files it writes to golden/approved"));
  CHECK(Approved(folder) == 0);
  std::string all;
  for (int i = 0; i < 8; ++i) all += "a\nit says what it is\n";
  const Ran accepted = AtTerminal(folder, all, AdopterPath("renamed"));
  INFO(accepted.out);
  CHECK(accepted.exit == 0);
  CHECK_THAT(accepted.out, Catch::Contains("Score.p2Score was renamed to secondScore") &&
                               Catch::Contains("Color.Green was renamed to Lime"));
  CHECK(Approved(folder) == 2);
  CHECK(Run(folder, Adopter("renamed") + " check --golden golden").exit == 0);
}

TEST_CASE("approve: names of types and fields may contain dots", "[harness][commands][approve]") {
  const Folder folder;
  RecordTwo(folder);
  revctl::golden::Approval approval;
  approval.type = "a.Score";
  approval.from = "pos.x";
  approval.to = "where.x";
  approval.reason = "it stands elsewhere";
  REQUIRE(revctl::golden::WriteApproval(folder.path() + "/golden", approval).ok());
  const auto approve = [&](const std::string& what) {
    return Run(folder, kMeant + " approve --golden golden --reason fine --rename " + what);
  };
  CHECK(approve("a.Score.pos.x=where.x").out == "already approved: a.Score.pos.x=where.x\n");
  for (const char* const other :
       {"a.Score.pos.y=where.x", "a.Score.pos.x=x", "Score.pos.x=where.x"}) {
    CHECK_THAT(approve(other).err, Catch::Contains("does not find this change"));
  }
}

TEST_CASE("record: skips retired types, rejects a type over budget", "[harness][commands]") {
  const Folder folder;
  REQUIRE(Run(folder, Adopter("more") + " record --golden golden").exit == 0);
  CHECK_THAT(Run(folder, kFour + " check --golden golden").out, Catch::Contains("GH008"));
  CHECK_THAT(Run(folder, kMeant + " check --golden golden").out, !Catch::Contains("GH008"));
  // HARNESS_RETIRED for a type without goldens must cause a warning.
  const Folder without;
  REQUIRE(Run(without, kFour + " record --golden golden").exit == 0);
  const Ran typo = Run(without, kMeant + " check --golden golden");
  CHECK_THAT(typo.out, Catch::Contains("warning[GH008]: HARNESS_RETIRED names Level, which has no "
                                       "goldens\n  types with goldens: Score\n"));

  const Folder other;
  const Ran refused = Run(other, Adopter("renamed") + " record --golden golden");
  CHECK(refused.exit == 1);
  CHECK_THAT(refused.err, Catch::Contains("more than their budget") &&
                              Catch::Contains("HARNESS_BUDGET(Score, "));
  CHECK(Listing(other).empty());
}

TEST_CASE("check: a crash affects only its golden or sample", "[harness][commands][crash]") {
  const Folder folder;
  REQUIRE(Run(folder, kCrash + " record --golden golden").exit == 0);
  const Ran ran = Run(folder, kAbort + " check --golden golden --json");
  INFO(ran.out << ran.err);
  CHECK(ran.exit == 1);
  CHECK_THAT(
      ran.out,
      Catch::Contains("Fragile: the golden SR_NO_FOULS/auto-1 terminates the process (signal 6)"));
  // The crash does not affect the check of the other type.
  CHECK_THAT(ran.out,
             Catch::Contains(
                 "Score: no golden and no sample reaches its code for files older than SR_FOULS"));
  CHECK_THAT(ran.err, Catch::Contains("2 types"));
  // With --in-process, the body crashes in the harness itself, where a debugger can catch the
  // crash.
  CHECK(Run(folder, kAbort + " check --in-process --golden golden").exit != 1);
}

TEST_CASE("selftest: a mutation that crashes counts as caught",
          "[harness][commands][crash][selftest]") {
  const Folder folder;
  REQUIRE(Run(folder, kCrash + " record --golden golden").exit == 0);
  const Ran ran = Run(folder, kAbort + " selftest --golden golden --json");
  INFO(ran.out << ran.err);
  CHECK(ran.exit == 0);
  // The body crashes on the undamaged golden and on a copy with an inverted number.
  CHECK_THAT(ran.err, Catch::Contains("terminates the process: Fragile: golden SR_NO_FOULS/auto-1 "
                                      "(signal 6)"));
  CHECK_THAT(ran.err, Catch::Contains("Fragile: endianness at Fragile.choice, mutation "));
  const std::string line = MutationRow(ran.out, "endianness");
  // Selftest counts a crash as a detected mutation.
  CHECK_THAT(line, !Catch::Contains("Fragile.choice"));
  CHECK_THAT(line, !Catch::Contains("\"bytes\":{\"places\":0"));
}

TEST_CASE("sweep: minimizes crashing inputs, prints replays, continues",
          "[harness][commands][crash]") {
  const Folder folder;
  REQUIRE(Run(folder, kCrash + " record --golden golden").exit == 0);
  const Ran crash = Run(folder, kCrash + " sweep --fuzz 4 --golden golden");
  INFO(crash.out << crash.err);
  CHECK(crash.exit == 1);
  CHECK_THAT(crash.out, Catch::Contains("GH006") &&
                            Catch::Contains("; the last visited field is `choice`; ") &&
                            Catch::Contains("; the input was reduced to 4 bytes"));
  std::ifstream source(Sources() + "/harness/testdata/adopter.cpp");
  std::string text;
  int line = 1;
  while (std::getline(source, text) && text != "  ADD(SR_INITIAL, choice);") ++line;
  CHECK_THAT(crash.out, Catch::Contains("adopter.cpp:" + std::to_string(line) + ": error[GH006]"));
  CHECK(Bytes(folder.path() + "/crash-Fragile.bin") == std::string("\0\0\0\x80", 4));
  const Ran replayed =
      Run(folder,
          kCrash + " dump crash-Fragile.bin --type Fragile --revision SR_NO_FOULS --golden golden");
  CHECK(replayed.exit == 134);  // signal 6
}

}  // namespace revctl::harness::test
