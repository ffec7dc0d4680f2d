// Tests `land` with `numbers: at-landing`: a single push contains the branch, the numbers of its
// revisions and their goldens, so that no pending file ever reaches the target.
#include <catch2/catch.hpp>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "tests/scenarios/landing_team.h"
#include "tests/scenarios/record_text.h"

using namespace revctl::testing;
using nlohmann::json;

namespace {

/// A team with numbers at landing, whose config also contains `land` as its landing policy.
struct FoldingLanders : LandingTeam {
  explicit FoldingLanders(const std::string& land, bool goldens = false) {
    std::string config = sandbox.Read("ann/.revctl.yaml");
    if (goldens) config.insert(config.find("path: "), "golden: golden, ");
    sandbox.Write("ann/.revctl.yaml", config + "land: {" + land + "}\n");
    if (goldens) WriteGolden("ann", "SR_FOULS", {});
    Land("ann");
    sandbox.Git("bob", {"pull", "-q"});
    sandbox.Git(kServer, {"config", "core.logAllRefUpdates", "always"});
  }
  void WriteGolden(const std::string& person, const std::string& name,
                   const std::vector<std::string>& before) const {
    sandbox.Write(person + "/golden/" + name + ".yaml", Record(name, 3, before, "Match"));
    sandbox.Write(person + "/golden/" + name + ".golden", std::string("rvgold\1\n\0\0\0\0", 12));
  }
  void Start(const std::string& person, const std::vector<std::string>& names,
             bool golden = false) const {
    sandbox.Git(person, {"checkout", "-q", "-b", "of_" + names[0]});
    for (const std::string& name : names) {
      Reserve(person, name);
      if (golden) WriteGolden(person, name, {"SR_FOULS"});
      sandbox.CommitAll(person, name);
    }
  }
  std::string Main() const { return sandbox.Git(kServer, {"rev-parse", "main"}); }
  std::string Head(const std::string& person) const {
    return sandbox.Git(person, {"rev-parse", "HEAD"});
  }
  std::string Status(const std::string& person) const {
    return sandbox.Git(person, {"status", "--porcelain"});
  }
  /// Returns the pending files in a commit on the server.
  std::string PendingAt(const std::string& commit) const {
    return sandbox.Git(kServer,
                       {"ls-tree", "-r", "--name-only", commit, "--", std::string(kFolder)});
  }
  std::string Waiting(const std::string& commit) const {
    const std::string files = PendingAt(commit), keep = std::string(kFolder) + ".gitignore";
    return files == keep ? "" : files;
  }
};

}  // namespace

TEST_CASE("land: at landing, the same push contains the numbers", "[land][landing]") {
  const std::string by = GENERATE("merge", "rebase");
  INFO(by);
  const FoldingLanders team("by: " + by + ", verify: \"grep -q SR_BOSS=3 " + Team::kList +
                            " && ! ls " + kFolder + "*.yaml\"");
  team.Start("ann", {"SR_BOSS", "SR_ANT"});
  team.Start("bob", {"SR_COOL"});
  const auto plan = team.Revctl("ann", {"land", "--dry-run"});
  INFO(plan.err);
  CHECK(Has(plan.out, "would fold SR_BOSS = 3, SR_ANT = 4\n"));
  const auto landed = team.Revctl("ann", {"land"});
  INFO(landed.out << landed.err);
  REQUIRE(landed.status == 0);
  CHECK(landed.out ==
        "OK: landed SR_BOSS = 3, SR_ANT = 4 on origin/main at " + team.Main().substr(0, 10) + "\n");
  CHECK(Has(team.ListOnMain("ann"),
            "    SR_FOULS=2,// ae: fouls\n    SR_BOSS=3,// a: for SR_BOSS\n"
            "    SR_ANT=4,// a: for SR_ANT\n#if __has_include("));
  CHECK(team.Waiting("main") == "");
  CHECK(team.Head("ann") == team.Main());
  CHECK(team.Status("ann") == "");
  CHECK_FALSE(Has(team.sandbox.Read(std::string("ann/") + kInclude), "SR_"));
  CHECK_FALSE(team.sandbox.Exists("ann/.git/revctl-land"));
  // Bob's branch began before Ann's landing.
  const auto bobs = team.Revctl("bob", {"land", "--json"});
  INFO(bobs.out << bobs.err);
  REQUIRE(bobs.status == 0);
  CHECK(json::parse(bobs.out).at("revisions") ==
        json::array(
            {{{"list", "main"}, {"name", "SR_COOL"}, {"number", 5}, {"was_pending", false}}}));
  CHECK(team.Waiting("main") == "");
  // With `by: merge`, no commit in the target's first-parent history has pending files.
  if (by == "merge") {
    CHECK(team.Waiting("main~1") == "");
    CHECK(team.sandbox.Git(Team::kServer, {"log", "--format=%s", "--first-parent", "-2", "main"}) ==
          "Merge branch 'of_SR_COOL'\nMerge branch 'of_SR_BOSS'");
  }
  CHECK(Has(team.Revctl("ann", {"land"}).out, "nothing to land"));
  CHECK(RedCommits(team) == "");
}

TEST_CASE("land: at landing, also folds what is waiting on the target", "[land][landing]") {
  const FoldingLanders team("by: merge");
  team.Branch("bob", "button", {"SR_COOL"});
  REQUIRE(team.HostMerges("button").status == 0);
  team.Start("ann", {"SR_BOSS"});
  const auto landed = team.Revctl("ann", {"land"});
  INFO(landed.out << landed.err);
  REQUIRE(landed.status == 0);
  CHECK(Has(landed.out, "OK: landed SR_BOSS = 3 on origin/main"));
  CHECK(Has(landed.err, "SR_COOL = 4 (was pending on origin/main)\n"));
  CHECK(team.Waiting("main") == "");
  CHECK(RedCommits(team) == "");
}

TEST_CASE("land: at landing, a lost race leads to different numbers", "[land][landing]") {
  const std::string by = GENERATE("merge", "rebase");
  INFO(by);
  // During the first `verify`, Bob lands a revision that takes Ann's number.
  const FoldingLanders team("by: " + by + ", verify: \"sh ../race\"");
  team.sandbox.Write("race", "[ -e ../now ] || exit 0\nrm ../now\ncd ../bob && '" + ProgramPath() +
                                 "' land >../bob.out 2>&1\n");
  team.Start("ann", {"SR_BOSS", "SR_ANT"});
  team.Start("bob", {"SR_COOL"});
  team.sandbox.Write("now", "");
  const auto landed = team.Revctl("ann", {"land"});
  INFO(landed.out << landed.err);
  REQUIRE(landed.status == 0);
  CHECK(Has(landed.err, "origin/main has moved; trying again\n"));
  CHECK(Has(team.sandbox.Read("bob.out"), "OK: landed SR_COOL = 3 on origin/main"));
  CHECK(Has(landed.out, "OK: landed SR_BOSS = 4, SR_ANT = 5 on origin/main"));
  CHECK(team.Head("ann") == team.Main());
  CHECK(team.Waiting("main") == "");
  CHECK(RedCommits(team) == "");
}

TEST_CASE("land: at landing, a failure takes the numbers back", "[land][landing]") {
  const FoldingLanders team("by: rebase, verify: \"! [ -e src/broken.cpp ]\"");
  team.Start("ann", {"SR_BOSS"});
  team.sandbox.Write("ann/src/broken.cpp", "int broken;\n");
  team.sandbox.CommitAll("ann", "broken");
  const std::string head = team.Head("ann"), main = team.Main();
  const auto failed = team.Revctl("ann", {"land"});
  INFO(failed.out << failed.err);
  CHECK(failed.status == 1);
  CHECK(team.Head("ann") == head);
  CHECK(team.Status("ann") == "");
  CHECK(team.Main() == main);
  CHECK(team.sandbox.Exists(std::string("ann/") + kFolder + "SR_BOSS.yaml"));
  CHECK(Has(team.sandbox.Read(std::string("ann/") + kInclude), "SR_BOSS"));
  team.sandbox.Git("ann", {"rm", "-q", "src/broken.cpp"});
  team.sandbox.CommitAll("ann", "fixed");
  const auto landed = team.Revctl("ann", {"land"});
  INFO(landed.out << landed.err);
  CHECK(Has(landed.out, "OK: landed SR_BOSS = 3 on origin/main"));
}

TEST_CASE("land: at landing, the fold records stale goldens again", "[land][landing]") {
  const bool has_command = GENERATE(true, false);
  const FoldingLanders team(has_command ? "goldens: \"sh ../refresh\", verify: \"[ ! -e "
                                          "golden/SR_BOSS.yaml ] || grep -q '^previous: SR_AAA' "
                                          "golden/SR_BOSS.yaml\""
                                        : "by: merge",
                            true);
  team.sandbox.Write("refresh",
                     "[ -n \"$REVCTL_FOLD\" ] && [ -n \"$REVCTL_GOLDENS\" ] || exit 1\n"
                     "echo >> ../refreshed\n"
                     "sed -i -e '/^behind:/d' -e 's/^previous: .*/previous: SR_AAA/' "
                     "golden/SR_BOSS.yaml\n");
  team.Start("ann", {"SR_BOSS"}, true);
  team.Start("bob", {"SR_AAA"}, true);
  const auto bobs = team.Revctl("bob", {"land", "--by", "merge"});
  INFO(bobs.out << bobs.err);
  REQUIRE(bobs.status == 0);
  const std::string main = team.Main();
  const auto landed = team.Revctl("ann", {"land"});
  INFO(landed.out << landed.err);
  if (!has_command) {
    CHECK(landed.status == 1);
    CHECK(Has(landed.out, "RV028"));
    CHECK(Has(landed.out, ".revctl.yaml has no `land: goldens:` command"));
    CHECK(team.Main() == main);
    CHECK(team.Status("ann") == "");
    CHECK(team.sandbox.Exists(std::string("ann/") + kFolder + "SR_BOSS.yaml"));
    return;
  }
  CHECK(Has(landed.out, "OK: landed SR_BOSS = 4 on origin/main"));
  CHECK(team.sandbox.Read("refreshed") == "\n");
  CHECK(team.Waiting("main") == "");
  CHECK(team.Status("ann") == "");
  CHECK(RedCommits(team) == "");
}

TEST_CASE("land: at landing, can be run again after a kill at any step", "[land][landing]") {
  const std::string by = GENERATE("rebase", "merge");
  INFO(by);
  const FoldingLanders team(
      "by: " + by +
          ", goldens: \"sh ../refresh; sh ../kill goldens $PPID\", verify: \"sh ../kill verify "
          "$PPID\"",
      true);
  team.sandbox.Write("refresh",
                     "sed -i -e '/^behind:/d' -e 's/^previous: .*/previous: SR_AAA/' "
                     "golden/SR_BOSS.yaml\n");
  // The script kills revctl once, together with the git processes between revctl and the hook.
  team.sandbox.Write(
      "kill",
      "[ \"$(cat \"$(dirname \"$0\")/at\" 2>/dev/null)\" = \"$1\" ] || exit 0\n"
      "rm \"$(dirname \"$0\")/at\"\nparent=$2\nshift 2\n"
      "for also; do parent=\"$parent $(awk '{print $4}' /proc/${parent##* }/stat)\"; "
      "done\nkill -9 $parent\n");
  team.sandbox.WriteExecutable(
      "ann/.git/hooks/pre-push",
      "#!/bin/sh\nexec sh '" + team.sandbox.Path("kill") + "' pre-push $PPID parent\n");
  // Kill revctl while it resets the branch to the fold, before and after git has moved the branch.
  for (const std::string state : {"prepared", "committed"})
    team.sandbox.WriteExecutable(
        "ann/.git/hooks/reference-transaction",
        (state == "prepared" ? std::string("#!/bin/sh\ntext=$(cat)\n")
                             : team.sandbox.Read("ann/.git/hooks/reference-transaction")) +
            "case \"$text\" in *refs/heads/of_SR_BOSS*) [ \"$1\" != " + state + " ] || sh '" +
            team.sandbox.Path("kill") + "' " + state + " $PPID parent;; esac\n" +
            (state == "prepared"
                 ? ""
                 : "case \"$text\" in *refs/remotes/origin/main*) [ \"$1\" != committed ] || [ ! "
                   "-e '" +
                       team.sandbox.Path("pushing") + "' ] || sh '" + team.sandbox.Path("kill") +
                       "' pushed $PPID parent;; esac\n"));
  team.Start("ann", {"SR_BOSS"}, true);
  team.Start("bob", {"SR_AAA"}, true);
  REQUIRE(team.Revctl("bob", {"land", "--by", "merge"}).status == 0);
  // Rebase onto the target first, so that only the fold moves the branch.
  team.sandbox.Git("ann", {"pull", "-q", "--rebase", "origin", "main"});
  const std::string bobs = team.Main(), head = team.Head("ann");
  for (const std::string point :
       {"goldens", "prepared", "committed", "verify", "pre-push", "pushed"}) {
    INFO(point);
    team.sandbox.Write("at", point + "\n");
    if (point == "pushed") team.sandbox.Write("pushing", "");
    const auto killed = team.Revctl("ann", {"land"});
    INFO(killed.out << killed.err);
    CHECK(killed.status == 128 + 9);
    CHECK_FALSE(team.sandbox.Exists("at"));
    if (point != "pushed") CHECK(team.Main() == bobs);
    // Remove the lock files of a killed git, as git advises its users to do.
    for (const char* lock : {"index.lock", "HEAD.lock", "refs/heads/of_SR_BOSS.lock"})
      std::filesystem::remove(team.sandbox.Path(std::string("ann/.git/") + lock));
    // `--abort` also undoes a killed landing.
    if (point == "verify") {
      const auto aborted = team.Revctl("ann", {"land", "--abort"});
      INFO(aborted.err);
      CHECK(aborted.status == 0);
      CHECK(team.Head("ann") == head);
      CHECK(team.Status("ann") == "");
    }
  }
  const auto done = team.Revctl("ann", {"land"});
  INFO(done.out << done.err);
  CHECK(done.status == 0);
  CHECK(done.out == "OK: landed SR_BOSS = 4 on origin/main at " + team.Main().substr(0, 10) + "\n");
  CHECK(team.Head("ann") == team.Main());
  CHECK(team.Status("ann") == "");
  CHECK(team.sandbox.Git("ann", {"symbolic-ref", "--short", "HEAD"}) == "of_SR_BOSS");
  CHECK_FALSE(team.sandbox.Exists("ann/.git/revctl-land"));
  CHECK_FALSE(team.sandbox.Exists("ann/.git/revctl-fold"));
  CHECK(team.Waiting("main") == "");
  CHECK(RedCommits(team) == "");
}

TEST_CASE("land: at landing, without a remote", "[land][landing]") {
  const FoldingLanders team("by: merge");
  team.sandbox.Git("ann", {"remote", "remove", "origin"});
  team.Start("ann", {"SR_BOSS"});
  const auto landed = team.Revctl("ann", {"land"});
  INFO(landed.out << landed.err);
  CHECK(Has(landed.out, "OK: landed SR_BOSS = 3 on main at "));
  CHECK(Has(team.sandbox.Git("ann", {"show", std::string("main:") + Team::kList}), "SR_BOSS=3"));
  CHECK(team.Status("ann") == "");
}

TEST_CASE("land: at landing, `push: branch` leaves the numbers to a fold", "[land][landing]") {
  const FoldingLanders team("push: branch");
  team.Start("ann", {"SR_BOSS"});
  const auto pushed = team.Revctl("ann", {"land"});
  INFO(pushed.out << pushed.err);
  CHECK(Has(pushed.out, "ready to be merged"));
  CHECK(team.Waiting("of_SR_BOSS") != "");
}

TEST_CASE("gate: a fold of a change's own revisions is checked against its parent",
          "[landing][check]") {
  const FoldingLanders team("by: merge");
  team.Start("ann", {"SR_BOSS"});
  // A user merges, folds and pushes by hand on the target.
  team.sandbox.Git("ann", {"checkout", "-q", "main"});
  team.sandbox.Git("ann", {"merge", "-q", "--no-ff", "-m", "boss", "of_SR_BOSS"});
  REQUIRE(team.Revctl("ann", {"fold"}).out == "SR_BOSS = 3\n");
  const std::string fold = team.Head("ann");
  CHECK(Rules(team, "ann") == "");
  const auto push = [&] {
    return team.sandbox.TryGit("ann", {"push", "-q", "--no-verify", "origin", "HEAD:main"});
  };
  // The gate rejects an entry with a number or comment that a fold would not write, an entry
  // without a pending file, and a missing entry.
  const std::string wanted = "    SR_BOSS=3,// a: for SR_BOSS\n";
  for (const std::string instead : {"    SR_BOSS=9,// a: for SR_BOSS\n", "    SR_BOSS=3,// other\n",
                                    "    SR_BOSS=3,// a: for SR_BOSS\n    SR_HAND=4,\n", ""}) {
    INFO(instead);
    std::string text = team.List("ann");
    text.replace(text.find(wanted), wanted.size(), instead);
    team.sandbox.Write(std::string("ann/") + Team::kList, text);
    team.sandbox.Git("ann", {"commit", "-q", "-a", "--amend", "--no-edit"});
    const auto refused = push();
    INFO(refused.err);
    CHECK(refused.status != 0);
    CHECK(Has(refused.err, instead.empty() ? "error[RV029]" : "error[RV030]"));
    team.sandbox.Git("ann", {"reset", "-q", "--hard", fold});
  }
  // The gate checks the commits below the fold like the commits of any other branch.
  team.sandbox.Git("ann", {"reset", "-q", "--hard", "HEAD~1"});
  std::string text = team.List("ann");
  team.sandbox.Write(std::string("ann/") + Team::kList,
                     text.replace(text.find("SR_FOULS=2"), 10, "SR_FOULS=7"));
  team.sandbox.Git("ann", {"commit", "-q", "-a", "-m", "renumbered"});
  team.Revctl("ann", {"fold"});
  const auto below = push();
  CHECK(below.status != 0);
  CHECK(Has(below.err, "error[RV004]"));
  team.sandbox.Git("ann", {"reset", "-q", "--hard", fold});
  const auto good = push();
  INFO(good.err);
  CHECK(good.status == 0);
}
