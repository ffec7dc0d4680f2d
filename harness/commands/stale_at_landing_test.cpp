// With numbers at landing, the check treats a pending revision's goldens as if they had been
// refreshed, until the fold refreshes them. Stale goldens are only a note, but lost upgrade code is
// an error, and the fold leaves out the revision.
#include <memory>

#include "harness/testing/meeting_test.h"

namespace revctl::harness::test {
namespace {

/// A team with numbers at landing, whose folds refresh goldens with the harness.
struct AtLanding : Meeting {
  AtLanding() {
    Shell("cd ann && " + kProgram +
          " init --numbers at-landing --yes --offline && printf 'land: {goldens: \"" + kParty +
          " --golden golden record --refresh-pending\"}\\n' >>.revctl.yaml");
    Commit("ann", "numbers at landing");
    REQUIRE(Push("ann").exit == 0);
    Shell(
        "for who in ann bob; do (cd $who && git config user.name n && git config user.email "
        "n@example.org && git fetch -q && git branch -q -u origin/main && git pull -q); done");
  }
  /// Runs `check` with an up-to-date include file, as after a build.
  Ran Checked(const std::string& who) const {
    Shell("cd " + who + " && " + kProgram + " sync");
    return Harness(who, "check");
  }
  void Reserves(const std::string& who, const std::string& revision) const {
    Shell("cd " + who + " && " + kProgram + " reserve " + revision + " -m 'a field' && echo '// " +
          revision + "' >src/" + revision + ".cpp && " + kProgram + " sync");
    Record(who);
    const Ran check = Harness(who, "check");
    INFO(check.out << check.err);
    REQUIRE(check.exit == 0);
    Commit(who, revision);
  }
  /// Pushes two pending revisions that share no types and have not been folded.
  void LandsTwo() const {
    Reserves("ann", "SR_ITEM");
    REQUIRE(Push("ann").exit == 0);
    Reserves("bob", "SR_SONG");
    Shell("cd bob && git fetch -q && git merge -q -m merge origin/main");
    REQUIRE(Push("bob").exit == 0);
  }
  Ran Fold() const { return Revctl("ann", "fold --push"); }
  std::string There(const std::string& path) const {
    return Shell("cd bob && git fetch -q && git show origin/main:" + path).out;
  }
};

}  // namespace

TEST_CASE("stale at landing: a note until upgrade code is lost", "[harness][commands][stale]") {
  const AtLanding team;
  team.Reserves("ann", "SR_ITEM");
  REQUIRE(team.Push("ann").exit == 0);
  const Ran first = team.Fold();
  INFO(first.out << first.err);
  REQUIRE(first.out == "SR_ITEM = 3\n");
  // bob's revision is recorded before SR_ITEM lands, and lands after it.
  team.Reserves("bob", "SR_HERO");
  const std::string record = Bytes(team.folder.path() + "/bob/golden/SR_HERO.yaml");
  CHECK_THAT(record, Catch::Contains("mana: [~, 3]"));
  const Ran told = team.Harness("bob", "check --format markdown");
  CHECK_THAT(told.out, Catch::StartsWith("### `") && Catch::Contains("`: passed\n") &&
                           Catch::Contains("\nThis branch changes:\n\n- `") &&
                           Catch::Contains(" at `SR_HERO`\n"));
  // A landed revision must not be reported as a change of this branch.
  CHECK_THAT(told.out, !Catch::Contains("SR_ITEM"));
  // The gate must report the same changes.
  const Ran gate = team.Revctl("bob", "check --format markdown");
  std::string changes = told.out.substr(told.out.find("\nThis branch changes:"));
  changes.erase(changes.find_last_not_of('\n') + 1);
  CHECK_THAT(gate.out, Catch::Contains(changes + "\n"));
  team.Shell("cd bob && git fetch -q && git merge -q -m merge origin/main");
  const Ran fixed = team.Checked("bob");
  INFO(fixed.out << fixed.err);
  CHECK(fixed.exit == 0);
  CHECK_THAT(fixed.out,
             Catch::Contains("golden/SR_HERO.yaml: note[GH009]: the goldens of SR_HERO are stale"));
  CHECK(team.Revctl("bob", "check").exit == 0);
  REQUIRE(team.Push("bob").exit == 0);

  // A later change loses the upgrade code. Only the harness notices.
  team.Shell("cd ann && git pull -q && echo mana >src/lost");
  const Ran lost = team.Checked("ann");
  INFO(lost.out << lost.err);
  CHECK(lost.exit == 1);
  CHECK_THAT(lost.out, Catch::Contains("error[GH004]: Hero.mana: upgraded to 9, not to 3"));
  CHECK(Count(lost.out, "error[") == 1);
  team.Commit("ann", "loses it");
  REQUIRE(team.Push("ann").exit == 0);
  const Ran refused = team.Fold();
  INFO(refused.out << refused.err);
  CHECK(refused.exit == 1);
  CHECK_THAT(refused.err, Catch::Contains("RV019") && Catch::Contains("mana became 3, now 9"));
  CHECK(team.There("golden/SR_HERO.yaml") == record);
  CHECK_THAT(team.There("src/master_version_list.h"), !Catch::Contains("SR_HERO"));

  // After the code is restored, the fold must accept the revision and refresh its golden.
  team.Shell("cd ann && git pull -q && git rm -q -f src/lost");
  team.Commit("ann", "puts it back");
  REQUIRE(team.Push("ann").exit == 0);
  const Ran folded = team.Fold();
  INFO(folded.out << folded.err);
  CHECK(folded.out == "SR_HERO = 4\n");
  CHECK_THAT(team.There("golden/SR_HERO.yaml"),
             Catch::Contains("previous: SR_ITEM\n") && Catch::Contains("mana: [~, 3]"));
  team.Shell("cd ann && git pull -q");
  const Ran green = team.Checked("ann");
  INFO(green.out << green.err);
  CHECK((green.exit == 0 && green.out.empty()));
  team.Shell("cd ann && echo mana >src/lost");
  CHECK(team.Checked("ann").exit == 1);
}

TEST_CASE("stale at landing: a partial fold ignores other revisions",
          "[harness][commands][stale]") {
  const AtLanding team;
  team.Shell("cp -r ann eve");
  team.Reserves("ann", "SR_ITEM");
  REQUIRE(team.Push("ann").exit == 0);
  // bob's goldens are stale, because they contain items, which ann's revision has changed.
  team.Reserves("bob", "SR_STALL");
  team.Shell("cd bob && git fetch -q && git merge -q -m merge origin/main && git branch cut");
  REQUIRE(team.Push("bob").exit == 0);
  // By name, SR_HERO sorts before both other revisions. It changes a type that the goldens of
  // SR_ITEM contain.
  team.Reserves("eve", "SR_HERO");
  team.Shell("cd eve && git fetch -q && git merge -q -m merge origin/main");
  REQUIRE(team.Push("eve").exit == 0);
  const std::string item = team.There("golden/SR_ITEM.yaml");
  const Ran some = team.Revctl("bob", "fold --push --at cut");
  INFO(some.out << some.err);
  CHECK(some.out == "SR_ITEM = 3\nSR_STALL = 4\n");
  CHECK(team.There("golden/SR_ITEM.yaml") == item);
  CHECK_THAT(team.There("golden/SR_STALL.yaml"), Catch::Contains("previous: SR_ITEM\n"));
  team.Shell("cd ann && git pull -q");
  const Ran between = team.Checked("ann");
  INFO(between.out << between.err);
  CHECK(between.exit == 0);
  const Ran all = team.Fold();
  INFO(all.out << all.err);
  CHECK(all.out == "SR_HERO = 5\n");
  team.Shell("cd ann && git pull -q");
  const Ran green = team.Checked("ann");
  INFO(green.out << green.err);
  CHECK((green.exit == 0 && green.out.empty()));
}

TEST_CASE("stale at landing: `allow` permits repairing goldens", "[harness][commands][stale]") {
  const bool at_landing = GENERATE(true, false), edited = GENERATE(true, false);
  INFO(at_landing << edited);
  const auto team = at_landing ? std::make_unique<AtLanding>() : std::make_unique<Meeting>();
  team->Shell("cd ann && git pull -q origin main");
  const std::string whole = Bytes(team->folder.path() + "/ann/golden/SR_LUCK.golden");
  // The revision lands while the server does not check pushes.
  team->Shell("mv server/hooks/pre-receive off && cd ann && " +
              std::string(edited ? "sed -i '0,/luck: [0-9-]*/s//luck: 12345/' golden/SR_LUCK.yaml"
                                 : "printf x >>golden/SR_LUCK.golden"));
  team->Commit("ann", "damage");
  REQUIRE(team->Push("ann").exit == 0);
  team->Shell("mv off server/hooks/pre-receive && cd ann && git fetch -q");
  const auto red = team->Harness("ann", "check");
  INFO(red.out << red.err);
  CHECK(red.exit == 1);
  CHECK_THAT(red.out, Catch::Contains(edited ? "error[GH003]" : "error[GH009]"));
  if (edited) {
    team->Shell(
        "cd ann && git checkout -q $(git log --first-parent --format=%H -2 origin/main -- "
        "golden/SR_LUCK.yaml | tail -1) -- golden/SR_LUCK.yaml golden/SR_LUCK.golden");
  } else {
    team->Record("ann", " --refresh SR_LUCK");
    CHECK(Bytes(team->folder.path() + "/ann/golden/SR_LUCK.golden") == whole);
  }
  CHECK_THAT(team->Revctl("ann", "check").out,
             Catch::Contains("error[RV019]: the golden of the landed SR_LUCK was edited"));
  team->Shell(
      "cd ann && git stash -q && printf 'allow: [{rule: RV019, name: SR_LUCK, reason: "
      "damaged}]\\n' "
      ">>.revctl.yaml && mv ../server/hooks/pre-receive ../off");
  team->Commit("ann", "allow a repair");
  REQUIRE(team->Push("ann").exit == 0);
  team->Shell("mv off server/hooks/pre-receive && cd ann && git fetch -q && git stash pop -q");
  const auto repaired = team->Revctl("ann", "check");
  INFO(repaired.out << repaired.err);
  CHECK(repaired.exit == 0);
  team->Commit("ann", "repaired");
  const auto pushed = team->Push("ann");
  INFO(pushed.err);
  CHECK(pushed.exit == 0);
  const auto green = team->Harness("ann", "check");
  INFO(green.out << green.err);
  CHECK(green.exit == 0);
}

TEST_CASE("stale at landing: unrelated goldens stay unchanged", "[harness][commands][stale]") {
  const AtLanding team;
  team.LandsTwo();
  const std::string item = team.There("golden/SR_ITEM.yaml"),
                    song = team.There("golden/SR_SONG.yaml");
  const Ran folded = team.Fold();
  INFO(folded.out << folded.err);
  CHECK(folded.out == "SR_ITEM = 3\nSR_SONG = 4\n");
  CHECK(team.There("golden/SR_ITEM.yaml") == item);
  CHECK(team.There("golden/SR_SONG.yaml") == song);
  team.Shell("cd ann && git pull -q");
  const Ran green = team.Checked("ann");
  INFO(green.out << green.err);
  CHECK((green.exit == 0 && green.out.empty()));
}

TEST_CASE("stale at landing: pending records use names, not numbers",
          "[harness][commands][stale]") {
  const AtLanding team;
  team.Shell("cp -r ann eve");
  const std::string golden = team.folder.path() + "/bob/golden/";
  const auto green = [&](const std::string& who) {
    const Ran check = team.Checked(who), gate = team.Revctl(who, "check");
    INFO(check.out << check.err << gate.out << gate.err);
    CHECK((check.exit == 0 && check.out.empty()));
    CHECK(gate.exit == 0);
  };
  // All three revisions have number 3 on their branches and share no types.
  team.Reserves("bob", "SR_ITEM");
  const std::string item = Bytes(golden + "SR_ITEM.yaml");
  CHECK_THAT(item, Catch::Contains("previous: SR_LUCK\npending: {SR_ITEM: 3}\n") &&
                       Catch::Contains("compared: [1, 3]"));
  team.Reserves("ann", "SR_DRUM");
  team.Reserves("eve", "SR_SONG");
  REQUIRE(team.Push("ann").exit == 0);
  CHECK(team.Fold().out == "SR_DRUM = 3\n");
  team.Shell("cd bob && git fetch -q && git merge -q -m merge origin/main");
  green("bob");
  REQUIRE(team.Push("bob").exit == 0);
  CHECK(team.Fold().out == "SR_ITEM = 4\n");
  CHECK(team.There("golden/SR_ITEM.yaml") == item);

  // SR_TAG is recorded after SR_ITEM, whose landed record still contains number 3. Then a revision
  // is inserted between SR_ITEM and SR_TAG.
  team.Shell("cd bob && git pull -q");
  green("bob");
  team.Reserves("bob", "SR_TAG");
  const std::string tag = Bytes(golden + "SR_TAG.yaml");
  CHECK_THAT(tag, Catch::Contains("previous: SR_ITEM\npending: {SR_TAG: 5}\n") &&
                      Catch::Contains("compared: [1, 4, 5]"));
  team.Shell("cd eve && git fetch -q && git merge -q -m merge origin/main");
  green("eve");
  REQUIRE(team.Push("eve").exit == 0);
  team.Shell("cd bob && git fetch -q && git merge -q -m merge origin/main");
  green("bob");
  REQUIRE(team.Push("bob").exit == 0);
  const std::string song = team.There("golden/SR_SONG.yaml");
  CHECK(team.Fold().out == "SR_SONG = 5\nSR_TAG = 6\n");
  CHECK(team.There("golden/SR_ITEM.yaml") == item);
  CHECK(team.There("golden/SR_SONG.yaml") == song);
  CHECK(team.There("golden/SR_TAG.yaml") == tag);
  team.Shell("cd bob && git pull -q");
  green("bob");
  // The next record must contain only its own changes, not changes caused by moved numbers.
  team.Reserves("bob", "SR_HERO");
  CHECK_THAT(Bytes(golden + "SR_HERO.yaml"), Catch::Contains("type: Hero\n") &&
                                                 !Catch::Contains("type: Item\n") &&
                                                 !Catch::Contains("type: Song\n"));
}

TEST_CASE("stale at landing: a field with another meaning is an error",
          "[harness][commands][stale]") {
  const AtLanding team;
  team.Reserves("bob", "SR_HERO");
  const std::string record = Bytes(team.folder.path() + "/bob/golden/SR_HERO.yaml");
  CHECK_THAT(record, Catch::Contains("mana: [~, 3]"));
  const Ran told = team.Harness("bob", "check --format markdown");
  CHECK_THAT(told.out, Catch::StartsWith("### `") && Catch::Contains("`: passed\n") &&
                           Catch::Contains("\nThis branch changes:\n\n- `") &&
                           Catch::Contains(" at `SR_HERO`\n"));
  // A landed revision must not be reported as a change of this branch.
  CHECK_THAT(told.out, !Catch::Contains("SR_ITEM"));
  // First, another revision lands that has a field of the same name with different upgrade code.
  team.Shell("cd ann && echo 'mana to SR_ITEM' >src/lost");
  team.Reserves("ann", "SR_ITEM");
  REQUIRE(team.Push("ann").exit == 0);
  REQUIRE(team.Fold().out == "SR_ITEM = 3\n");
  team.Shell("cd bob && git fetch -q && git merge -q -m merge origin/main");
  const Ran other = team.Checked("bob");
  INFO(other.out << other.err);
  CHECK(other.exit == 1);
  CHECK_THAT(other.out, Catch::Contains("note[GH009]: the goldens of SR_HERO are stale") &&
                            Catch::Contains("error[GH004]: Hero.mana: upgraded to 4, not to 3"));
  CHECK(Count(other.out, "error[") == 1);
  // The fold must report the same error, because its refresh would hide the loss.
  REQUIRE(team.Push("bob").exit == 0);
  const Ran folded = team.Fold();
  INFO(folded.out << folded.err);
  CHECK(folded.exit == 1);
  CHECK_THAT(folded.err,
             Catch::Contains("RV019") && Catch::Contains("does not replace them completely"));
  CHECK(team.There("golden/SR_HERO.yaml") == record);
  CHECK_THAT(team.There("src/master_version_list.h"), !Catch::Contains("SR_HERO"));
}

TEST_CASE("stale at landing: a killed fold can be run again", "[harness][commands][atomic]") {
  const AtLanding team;
  team.LandsTwo();
  team.Shell("mkdir before && cp -r bob server before && ln -s '" + KillAt() + "' kill_at.so");
  const std::string was = team.Shell("cd bob && git rev-parse HEAD").out,
                    first = team.Shell("git -C server rev-parse main").out;
  int killed = 0;
  std::string whole;
  for (int at = 1, fine = 0; fine < 3; ++at) {
    INFO("killed before write " << at);
    REQUIRE(at < 100);
    team.Shell("rm -rf bob server && cp -r before/bob before/server .");
    // KILL_AT also counts the writes of git's processes.
    const Ran ran = team.Shell(
        "cd bob && ASAN_OPTIONS=$ASAN_OPTIONS:verify_asan_link_order=0 LD_LIBRARY_PATH=\"$PWD/..\" "
        "LD_PRELOAD=kill_at.so KILL_AT=" +
            std::to_string(at) + " " + kProgram + " fold --push",
        false);
    fine = ran.exit == 0 ? fine + 1 : 0;
    killed += ran.exit == 0 ? 0 : 1;
    // A killed git process leaves lock files.
    team.Shell("find bob/.git server -name '*.lock' -delete");
    const Ran again = team.Revctl("bob", "fold --push");
    INFO(ran.out << ran.err << again.out << again.err);
    CHECK(again.exit == 0);
    const std::string tree = team.Shell("git -C server rev-parse main^{tree}").out;
    if (whole.empty()) whole = tree;
    CHECK(tree == whole);
    // The fold is a single commit.
    CHECK(team.Shell("git -C server rev-parse main~1").out == first);
    CHECK(team.Shell("cd bob && git rev-parse HEAD && git status --porcelain").out == was);
  }
  CHECK(killed > 4);
  CHECK_THAT(team.There("src/master_version_list.h"),
             Catch::Contains("SR_ITEM = 3,") && Catch::Contains("SR_SONG = 4,"));
}

}  // namespace revctl::harness::test
