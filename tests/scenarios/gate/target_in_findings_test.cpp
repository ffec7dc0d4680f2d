// Tests the exact messages of the gate, and every way in which the revert of a landed revision can
// reach main.
#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>
#include <sstream>

#include "tests/scenarios/team.h"

using namespace revctl::testing;

namespace {

/// A team in which SR_BOSS has landed with its golden. Ann's HEAD reverts both.
struct Reverted : Team {
  std::string before;
  Reverted() {
    sandbox.Write("ann/.revctl.yaml",
                  "version: 1\nlists: [{path: src/master_version_list.h, golden: golden}]\n");
    Land("ann");
    if (Revctl("ann", {"reserve", "SR_BOSS"}).status != 0) throw std::runtime_error("reserve");
    sandbox.Write("ann/golden/SR_BOSS.yaml", "recorded\n");
    sandbox.Write("ann/golden/SR_BOSS.golden", std::string("\0\1", 2));
    Land("ann");
    before = sandbox.Git("ann", {"rev-parse", "HEAD"});
    sandbox.Git("ann", {"revert", "--no-edit", "HEAD"});
  }
};

}  // namespace

TEST_CASE("check: findings name the target's tip", "[check]") {
  Team team;
  REQUIRE(team.Revctl("ann", {"reserve", "SR_BOSS"}).status == 0);
  REQUIRE(team.Revctl("bob", {"reserve", "SR_STAMINA"}).status == 0);
  team.Land("bob");
  const std::string tip = team.sandbox.Git("bob", {"rev-parse", "HEAD"}),
                    at = "origin/main at " + tip.substr(0, 10);
  const std::string text = team.Revctl("ann", {"check", "--fetch"}).out;
  INFO(text);
  CHECK(Has(text, "SR_BOSS (3) would land after SR_STAMINA (4, line 5 on " + at + ")"));
  CHECK(Has(text, "conflicts with " + at + " in a text merge"));
  CHECK(Has(text, " (compared with " + at + ")"));
  CHECK(Has(text, "fix: git merge origin/main "));  // commands name the branch, not the commit
  const auto json = nlohmann::json::parse(team.Revctl("ann", {"check", "--json"}).out);
  REQUIRE_FALSE(json.at("findings").empty());
  for (const auto& finding : json.at("findings")) {
    CHECK(finding.at("target") == "origin/main");
    CHECK(finding.at("target_commit") == tip);
  }
  for (const char* format : {"github", "gitlab", "sarif", "junit"}) {
    INFO(format);
    CHECK(Has(team.Revctl("ann", {"check", "--format", format}).out, "compared with " + at));
  }
  CHECK(Has(team.Revctl("bob", {"check"}).err, "OK: no problems (compared with " + at));
  // If `--target` is a commit, the message contains the commit id only once.
  CHECK(Has(team.Revctl("ann", {"check", "--target", tip.substr(0, 10)}).out,
            "(compared with " + tip.substr(0, 10) + ")"));
}

TEST_CASE("pre-receive: the message about a rejected branch names the target's tip", "[server]") {
  Team team;
  team.sandbox.Write("ann/.revctl.yaml",
                     std::string(Team::kConfig) + "releases: [\"release/*\"]\n");
  team.Land("ann");
  team.sandbox.Git("ann", {"push", "-q", "--no-verify", "origin", "HEAD:release/1"});
  team.sandbox.Write("ann/note", "on main alone\n");
  team.Land("ann");
  team.GuardServer();
  const std::string main = team.sandbox.Git("ann", {"rev-parse", "HEAD"}).substr(0, 10),
                    release = team.sandbox.Git("ann", {"rev-parse", "HEAD~1"}).substr(0, 10);
  AddByHand(team, "ann", "SR_HAND=3,");
  team.sandbox.CommitAll("ann", "by hand");
  AddByHand(team, "ann", "SR_HOTFIX=4,");
  team.sandbox.CommitAll("ann", "for the release alone");
  const auto pushed = team.sandbox.TryGit(
      "ann", {"push", "--no-verify", "origin", "HEAD~1:main", "HEAD:release/1"});
  INFO(pushed.err);
  CHECK(Has(pushed.err, " (compared with main at " + main + " and release/1 at " + release));
}

TEST_CASE("check: the revert of a landed revision cannot land", "[check]") {
  Reverted team;
  SECTION("a push to main in CI") {
    team.sandbox.Write("event.json", R"({"before": ")" + team.before + "\"}");
    const auto run = team.Revctl(
        "ann", {"check"},
        {"CI=true", "GITHUB_ACTIONS=true", "GITHUB_EVENT_NAME=push", "GITHUB_REF_NAME=main",
         "GITHUB_EVENT_PATH=" + team.sandbox.Path("event.json")});
    INFO(run.out << run.err);
    CHECK(run.status == 1);
    CHECK(Has(run.out, "error[RV003]: SR_BOSS (3, line 5 on " + team.before.substr(0, 10) +
                           ") has landed, but is missing here"));
    CHECK(Has(run.out, "to undo it, reserve a new revision that removes the field"));
    for (const char* file : {"golden/SR_BOSS.yaml", "golden/SR_BOSS.golden"}) {
      CHECK(Has(run.out, std::string(file) +
                             ": error[RV019]: the golden of the landed SR_BOSS was removed"));
      CHECK(Has(run.out, "fix: git checkout " + team.before.substr(0, 10) + " -- " + file));
    }
  }
  SECTION("pushes on GitLab and Jenkins") {
    for (const std::vector<std::string>& says :
         {std::vector<std::string>{"CI=true", "GITLAB_CI=true", "CI_PIPELINE_SOURCE=push",
                                   "CI_COMMIT_BRANCH=main", "CI_COMMIT_BEFORE_SHA=" + team.before},
          {"CI=true", "JENKINS_URL=http://ci.example/", "BRANCH_NAME=main",
           "GIT_PREVIOUS_COMMIT=" + team.before}}) {
      const auto run = team.Revctl("ann", {"check"}, says);
      INFO(run.out << run.err);
      CHECK(run.status == 1);
      CHECK(Has(run.out, "RV003"));
      CHECK(Has(run.out, "RV019"));
    }
  }
  SECTION("pre-receive") {
    team.GuardServer();
    const auto pushed = team.sandbox.TryGit("ann", {"push", "--no-verify", "origin", "HEAD:main"});
    INFO(pushed.err);
    CHECK(pushed.status != 0);
    CHECK(Has(pushed.err, "SR_BOSS (3, line 5 on main at " + team.before.substr(0, 10) +
                              ") has landed, but is missing here"));
    CHECK(Has(pushed.err,
              "golden/SR_BOSS.golden: error[RV019]: the golden of the landed SR_BOSS was removed"));
    // In Ann's clone, main is already the commit without the golden, so the fix must not name main.
    CHECK(Has(pushed.err,
              "fix: git checkout " + team.before.substr(0, 10) + " -- golden/SR_BOSS.golden"));
    CHECK(team.sandbox.Git("srv/game.git", {"rev-parse", "main"}) == team.before);
  }
  SECTION("in the clone, one command fixes the line and the goldens") {
    const auto run = team.Revctl("ann", {"check"});
    INFO(run.out << run.err);
    CHECK(Has(run.out, "golden/SR_BOSS.yaml: error[RV019]"));
    std::istringstream lines(run.out);
    int fixes = 0;
    for (std::string line; std::getline(lines, line);) {
      if (!line.starts_with("fix: ")) continue;
      ++fixes;
      CHECK(line == "fix: revctl fix");
    }
    CHECK(fixes == 3);
    const auto resolved = team.Revctl("ann", {"fix"});
    INFO(resolved.out << resolved.err);
    CHECK(resolved.status == 0);
    CHECK(Has(resolved.out, "golden: restored golden/SR_BOSS.golden, golden/SR_BOSS.yaml"));
    CHECK(team.Revctl("ann", {"check"}).status == 0);
    CHECK(team.sandbox.Git("ann", {"diff", team.before, "--", Team::kList, "golden"}).empty());
    CHECK(Has(team.Revctl("ann", {"fix"}).err, "OK: nothing to fix"));
  }
  SECTION("reverting only the code") {
    team.sandbox.Git("ann", {"checkout", "-q", team.before, "--", Team::kList, "golden"});
    team.sandbox.CommitAll("ann", "line and goldens stay");
    team.GuardServer();
    const auto push = [&] {
      return team.sandbox.TryGit("ann", {"push", "--no-verify", "origin", "HEAD:main"});
    };
    // The revert itself would stay in main's history, so it must be squashed.
    CHECK(SquashAsTold(team, "ann", push().err));
    CHECK(push().status == 0);
  }
}

TEST_CASE("check: RV018 explains why a back-port is impossible", "[check]") {
  Team team;
  team.sandbox.Write("ann/.revctl.yaml",
                     std::string(Team::kConfig) + "releases: [\"release/*\"]\n");
  team.Land("ann");
  team.sandbox.Git("ann", {"push", "-q", "--no-verify", "origin", "HEAD:release/1"});
  for (const char* name : {"SR_BOSS", "SR_STAMINA"})
    REQUIRE(team.Revctl("ann", {"reserve", name}).status == 0);
  team.Land("ann");
  const std::string main =
      "origin/main at " + team.sandbox.Git("ann", {"rev-parse", "HEAD"}).substr(0, 10);
  team.sandbox.Git("bob", {"fetch", "-q"});
  team.sandbox.Git("bob", {"checkout", "-q", "-b", "fix", "origin/release/1"});
  const auto says = [&] {
    const auto run = team.Revctl("bob", {"check", "--target", "origin/release/1"});
    CHECK(run.status == 1);
    return run.out;
  };
  SECTION("a revision without the one before it") {
    AddByHand(team, "bob", "SR_STAMINA=4,");
    CHECK(Has(says(),
              "src/master_version_list.h:5: error[RV018]: SR_STAMINA (4) was back-ported without "
              "SR_BOSS, "
              "which is before it on " +
                  main +
                  "; readers would expect the fields of SR_BOSS in files of SR_STAMINA\nfix: "
                  "back-port every revision up to it (SR_BOSS, each with its code and goldens), or "
                  "remove this revision and fix the problem without a revision\n"));
  }
  SECTION("a revision that only the release has") {
    AddByHand(team, "bob", "SR_HOTFIX=3,");
    CHECK(Has(says(),
              "src/master_version_list.h:5: error[RV018]: SR_HOTFIX is not in the list on " + main +
                  ", and a release cannot add revisions\nfix: land it on origin/main first and "
                  "back-port every revision up to it, or fix the problem without a revision\n"));
  }
  SECTION("a different number") {
    AddByHand(team, "bob", "SR_BOSS=4,");
    CHECK(Has(says(), "src/master_version_list.h:5: error[RV018]: SR_BOSS is 4 here, but 3 on " +
                          main + "\nfix: revctl fix\n"));
  }
}

TEST_CASE("pre-receive: a ledger stored as a branch has the same protection", "[server]") {
  const std::string ref = "refs/heads/revctl-ledger";
  Team team;
  team.sandbox.Write("ann/.revctl.yaml", std::string(Team::kConfig) + "ledger: " + ref + "\n");
  team.Land("ann");
  team.GuardServer();
  team.sandbox.Git("bob", {"pull", "-q"});
  CHECK(team.Revctl("ann", {"reserve", "SR_BOSS"}).out == "SR_BOSS = 3\n");
  CHECK(team.Revctl("bob", {"reserve", "SR_STAMINA"}).out == "SR_STAMINA = 4\n");
  const std::string ledger = team.sandbox.Git("srv/game.git", {"rev-parse", ref});
  const auto refused = [&](const std::string& what, const std::string& why) {
    const auto pushed =
        team.sandbox.TryGit("bob", {"push", "--no-verify", "-f", "origin", what + ":" + ref});
    INFO(what << ": " << pushed.err);
    CHECK(pushed.status != 0);
    CHECK(Has(pushed.err, why));
    CHECK(team.sandbox.Git("srv/game.git", {"rev-parse", ref}) == ledger);
  };
  refused("", "must not be deleted");
  refused(ledger + "~1", "must not be rewritten");
  refused("HEAD", "RV011");
  CHECK(team.Revctl("bob", {"reserve", "--dry-run"}).out == "5\n");
  // Reserved revisions can land; unreserved revisions cannot.
  team.sandbox.CommitAll("ann", "boss");
  CHECK(team.sandbox.TryGit("ann", {"push", "--no-verify", "origin", "HEAD:main"}).status == 0);
  AddByHand(team, "ann", "SR_HAND=9,");
  team.sandbox.CommitAll("ann", "by hand");
  CHECK(
      Has(team.sandbox.TryGit("ann", {"push", "--no-verify", "origin", "HEAD:main"}).err, "RV011"));
}

TEST_CASE("check: an old commit is compared with the current target", "[check]") {
  Team team({"ann"});
  team.sandbox.Git("ann", {"tag", "v1"});
  REQUIRE(team.Revctl("ann", {"reserve", "SR_BOSS"}).status == 0);
  team.Land("ann");
  CHECK_FALSE(Has(team.Revctl("ann", {"status"}).err, "behind origin/main"));
  team.sandbox.Git("ann", {"checkout", "-q", "v1"});
  for (const char* command : {"status", "check"}) {
    const auto said = team.Revctl("ann", {command});
    INFO(said.err);
    CHECK(said.status == 0);
    CHECK(Has(said.err, "which is older than origin/main at "));
  }
  team.sandbox.Git("ann",
                   {"checkout", "-q", "main"});  // being behind is normal, so there is no warning
  CHECK_FALSE(Has(team.Revctl("ann", {"status"}).err, "behind origin/main"));
}
