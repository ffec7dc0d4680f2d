// Tests a branch that is based on another pending branch. The goldens of the upper branch were
// recorded without some revisions that the lower branch merges before it lands.
#include "harness/testing/meeting_test.h"

namespace revctl::harness::test {
namespace {

/// bob's branch is based on ann's pending branch, and eve's revision lands first.
struct Stacked : Meeting {
  Stacked(const std::string& anns, const std::string& bobs, const std::string& eves) {
    Shell("cp -r ann eve && rm -rf bob");
    Work("ann", anns, 3);
    Shell("cp -r ann bob");
    // bob records his goldens before or after he fetches the target, and with or without the
    // target's reflog. In all cases, his code is the same, and he lands his own merge of the
    // target.
    const auto [fetched, logged] =
        GENERATE(std::pair(false, true), std::pair(true, true), std::pair(true, false));
    if (!logged)
      Shell("rm -r bob/.git/logs/refs/remotes && git -C bob config core.logAllRefUpdates false");
    if (!fetched) Work("bob", bobs, 4);
    Work("eve", eves, 3);
    REQUIRE(Push("eve").exit == 0);
    LandOn("ann");
    if (fetched) {
      Shell("cd bob && git fetch -q");
      Work("bob", bobs, 4);
    }
  }
  void Join(const std::string& who, bool rebase = false) const {
    Shell("cd " + who + " && git fetch -q && git " + (rebase ? "rebase -q" : "merge -q -m merge") +
          " origin/main");
    const Ran renumbered = Revctl(who, "fix");
    INFO(renumbered.out << renumbered.err);
    REQUIRE(renumbered.exit <= 1);  // 1 means that some goldens are still stale
    Shell("cd " + who + " && { git diff --quiet || " + kGit + "commit -qam numbers; }");
  }
  void LandOn(const std::string& who) const {
    Join(who);
    Record(who, " --refresh-pending");
    Shell("cd " + who + " && git add -A && { git diff --cached --quiet || " + kGit +
          "commit -qm refreshed; }");
    const Ran pushed = Push(who);
    INFO(pushed.err);
    REQUIRE(pushed.exit == 0);
  }
  bool Green(const std::string& who) const {
    const Ran check = Harness(who, "check"), gate = Revctl(who, "check");
    INFO(check.out << check.err << gate.out << gate.err);
    CHECK(check.exit == gate.exit);
    return check.exit == 0 && gate.exit == 0;
  }
};

}  // namespace

TEST_CASE("stale: a stacked branch lacks what the lower one merged", "[harness][commands][stale]") {
  std::string anns = "SR_SONG", bobs = "SR_HERO";
  SECTION("the lower branch lands as recorded") {}
  SECTION("the lower branch is refreshed") {
    anns = "SR_HERO";
    bobs = "SR_STALL";
  }
  const Stacked team(anns, bobs, "SR_ITEM");
  team.Join("bob", anns == "SR_SONG");
  const Ran gate = team.Revctl("bob", "check");
  INFO(gate.out << gate.err);
  CHECK(gate.exit == 1);
  CHECK(Count(gate.out, "error[") == 1);
  CHECK_THAT(gate.out, Catch::Contains("error[RV028]: the goldens of " + bobs +
                                       " are stale: SR_ITEM has landed since they were recorded"));
  CHECK_THAT(team.Revctl("bob", "status").out, Catch::Contains("cannot land: the goldens of"));
  CHECK_THAT(team.Push("bob").err, Catch::Contains("RV028"));
  const Ran check = team.Harness("bob", "check");
  INFO(check.out << check.err);
  CHECK(Count(check.out, "error[") == 1);
  CHECK_THAT(check.out, Catch::Contains("golden/" + bobs + ".yaml: error[GH009]: "));
  team.LandOn("bob");
  CHECK(team.Green("bob"));
}

TEST_CASE("stale: a stacked branch that shares no type stays", "[harness][commands][stale]") {
  const Stacked team("SR_HERO", "SR_SONG", "SR_ITEM");
  const std::string path = team.folder.path() + "/bob/golden/SR_SONG.yaml", record = Bytes(path);
  CHECK_THAT(record, Catch::Contains("previous: SR_HERO\nbehind: [SR_LUCK, SR_HERO]\n"));
  team.Join("bob");
  CHECK(team.Green("bob"));
  team.LandOn("bob");
  CHECK(Bytes(path) == record);
  // bob's revision has landed, so eve's next record needs only `previous`, not `behind`.
  team.Shell("cd eve && git fetch -q && git merge -q -m merge origin/main");
  team.Work("eve", "SR_STALL", 9);
  CHECK_THAT(Bytes(team.folder.path() + "/eve/golden/SR_STALL.yaml"),
             Catch::Contains("previous: SR_SONG\n") && !Catch::Contains("behind: "));
  CHECK(team.Green("eve"));
}

}  // namespace revctl::harness::test
