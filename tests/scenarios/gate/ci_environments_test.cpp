// Tests which commit the gate uses for comparison on each CI system.
#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "tests/scenarios/late_team.h"

using namespace revctl::testing;

namespace {

/// True if `check` reports that Ann's number is late (RV006). Fails the test if the exit code does
/// not match.
bool IsLate(const Team& team, const std::string& directory,
            const std::vector<std::string>& environment) {
  auto result = team.sandbox.Revctl(directory, {"check"}, environment);
  INFO(result.out << result.err);
  CHECK(result.status == (result.out.find("RV006") != std::string::npos ? 1 : 0));
  return result.status == 1;
}

}  // namespace

TEST_CASE("environment: GitLab merge requests, merge trains and pushes", "[environment]") {
  LateTeam team;
  const std::vector<std::string> base = {"CI=true", "GITLAB_CI=true"};
  auto with = [&](std::vector<std::string> more) {
    more.insert(more.end(), base.begin(), base.end());
    return IsLate(team, "ann", more);
  };
  CHECK(with({"CI_PIPELINE_SOURCE=merge_request_event", "CI_MERGE_REQUEST_TARGET_BRANCH_NAME=main",
              "CI_MERGE_REQUEST_EVENT_TYPE=merged_result"}));
  // A merge train is compared with the commit that it is built on, no matter what has landed since.
  CHECK_FALSE(
      with({"CI_MERGE_REQUEST_TARGET_BRANCH_NAME=main", "CI_MERGE_REQUEST_EVENT_TYPE=merge_train",
            "CI_MERGE_REQUEST_TARGET_BRANCH_SHA=" + team.before}));
  CHECK_FALSE(with(
      {"CI_PIPELINE_SOURCE=push", "CI_COMMIT_BRANCH=main", "CI_COMMIT_BEFORE_SHA=" + team.before}));
  CHECK(with({"CI_PIPELINE_SOURCE=push", "CI_COMMIT_BRANCH=feature",
              "CI_COMMIT_BEFORE_SHA=" + team.before}));
  // A new branch has no previous commit.
  CHECK(with({"CI_PIPELINE_SOURCE=push", "CI_COMMIT_BRANCH=main",
              "CI_COMMIT_BEFORE_SHA=0000000000000000000000000000000000000000"}));
}

TEST_CASE("environment: Gerrit, Jenkins, and a CI system that sets no variables", "[environment]") {
  LateTeam team;
  CHECK(IsLate(team, "ann", {"CI=true", "GERRIT_BRANCH=main"}));
  CHECK(IsLate(team, "ann", {"CI=true", "CHANGE_TARGET=main", "BRANCH_NAME=PR-7"}));
  CHECK(IsLate(team, "ann", {"CI=1"}));
  // A branch that does not exist on the remote is an error.
  auto unknown = team.Revctl("ann", {"check"}, {"CI=true", "GERRIT_BRANCH=stable"});
  CHECK(unknown.status == 3);
  CHECK(unknown.err.find("fix: git fetch origin") != std::string::npos);
  // A value from the environment must not be passed to git as an option.
  CHECK(team.Revctl("ann", {"check"}, {"CI=true", "CHANGE_TARGET=--upload-pack=touch pwned"})
            .status == 3);
  CHECK_FALSE(team.sandbox.Exists("ann/pwned"));
}

TEST_CASE("environment: a GitHub merge group in a clone with a single commit", "[environment]") {
  LateTeam team;
  team.sandbox.Git("ann", {"push", "-q", "--no-verify", "origin", "HEAD:refs/heads/queue"});
  team.sandbox.Git(".", {"clone", "-q", "--depth=1", "--branch=queue", team.Url(), "ci"});
  team.sandbox.Git("ci", {"checkout", "-q", "--detach"});
  team.sandbox.Write("event.json", R"({"merge_group": {"base_sha": ")" + team.before +
                                       R"(", "base_ref": "refs/heads/main"}})");
  const std::vector<std::string> group = {"CI=true", "GITHUB_ACTIONS=true",
                                          "GITHUB_EVENT_NAME=merge_group",
                                          "GITHUB_EVENT_PATH=" + team.sandbox.Path("event.json")};
  CHECK_FALSE(IsLate(team, "ci", group));
  CHECK(IsLate(team, "ci",
               {"CI=true", "GITHUB_ACTIONS=true", "GITHUB_EVENT_NAME=pull_request",
                "GITHUB_BASE_REF=main"}));
}

TEST_CASE("environment: does not guess the base if CI does not name it", "[environment]") {
  // Ann has removed a landed revision, and the removal is already on main.
  Team team;
  const std::string before = team.sandbox.Git("ann", {"rev-parse", "HEAD"});
  std::string list = team.List("ann");
  list.erase(list.find("    SR_FOULS"), list.rfind("};") - list.find("    SR_FOULS"));
  team.sandbox.Write(std::string("ann/") + Team::kList, list);
  team.Land("ann");
  const auto check = [&](std::vector<std::string> environment) {
    environment.emplace_back("CI=true");
    return team.Revctl("ann", {"check"}, environment);
  };
  const auto unsaid = [&](const std::vector<std::string>& environment,
                          const std::string& variable) {
    const auto checked = check(environment);
    INFO(environment[1] << ": " << checked.out << checked.err);
    CHECK(checked.status == 3);
    CHECK(checked.err.find("the tip of main before this change is unknown") != std::string::npos);
    CHECK(checked.err.find(variable) != std::string::npos);
    CHECK(checked.err.find("or run revctl check --target COMMIT") != std::string::npos);
  };
  const auto refused = [&](const std::vector<std::string>& environment) {
    const auto checked = check(environment);
    INFO(environment[1] << ": " << checked.out << checked.err);
    CHECK(checked.status == 1);
    CHECK(checked.out.find("RV003") != std::string::npos);
  };
  const std::string hub = "GITHUB_ACTIONS=true", lab = "GITLAB_CI=true",
                    jenkins = "JENKINS_URL=http://ci.studio.example/";
  const std::string now = team.sandbox.Git("ann", {"rev-parse", "HEAD"});
  team.sandbox.Write("empty.json", "{}");
  for (const std::string path : {"nowhere.json", "empty.json"}) {
    const std::string event = "GITHUB_EVENT_PATH=" + team.sandbox.Path(path);
    unsaid({hub, "GITHUB_EVENT_NAME=push", "GITHUB_REF_NAME=main", event}, "GITHUB_EVENT_PATH");
    unsaid({hub, "GITHUB_EVENT_NAME=merge_group", event}, "GITHUB_EVENT_PATH");
    CHECK(check({hub, "GITHUB_EVENT_NAME=push", "GITHUB_REF_NAME=feature", event}).status == 0);
  }
  unsaid({lab, "CI_PIPELINE_SOURCE=push", "CI_COMMIT_BRANCH=main"}, "CI_COMMIT_BEFORE_SHA");
  unsaid(
      {lab, "CI_MERGE_REQUEST_TARGET_BRANCH_NAME=main", "CI_MERGE_REQUEST_EVENT_TYPE=merge_train"},
      "CI_MERGE_REQUEST_TARGET_BRANCH_SHA");
  unsaid({jenkins, "BRANCH_NAME=main"}, "GIT_PREVIOUS_COMMIT");
  refused({jenkins, "BRANCH_NAME=main", "GIT_PREVIOUS_COMMIT=" + before, "GIT_COMMIT=" + now});
  refused({jenkins, "GIT_BRANCH=origin/main", "GIT_PREVIOUS_COMMIT=" + before});
  CHECK(check({jenkins, "BRANCH_NAME=feature"}).status == 0);
  // In a rebuild, the previous build was for the same commit.
  const std::vector<std::string> again = {jenkins, "BRANCH_NAME=main", "GIT_PREVIOUS_COMMIT=" + now,
                                          "GIT_COMMIT=" + now};
  unsaid(again, "GIT_PREVIOUS_SUCCESSFUL_COMMIT");
  refused({again[0], again[1], again[2], again[3], "GIT_PREVIOUS_SUCCESSFUL_COMMIT=" + before});
}

TEST_CASE("environment: a pull request to a release in a single-branch clone", "[environment]") {
  Team team;
  team.sandbox.Write("ann/.revctl.yaml",
                     std::string(Team::kConfig) + "releases: [\"release/*\"]\n");
  team.Land("ann");
  team.sandbox.Git("ann", {"push", "-q", "--no-verify", "origin", "HEAD:release/1"});
  team.sandbox.Git("ann", {"commit", "-q", "--no-verify", "--allow-empty", "-m", "fix"});
  team.sandbox.Git("ann", {"push", "-q", "--no-verify", "origin", "HEAD:fix"});
  const std::vector<std::string> pull = {"CI=true", "GITHUB_ACTIONS=true",
                                         "GITHUB_EVENT_NAME=pull_request",
                                         "GITHUB_BASE_REF=release/1"};
  SECTION("the clone has only the pull request's branch") {
    team.sandbox.Git(".", {"clone", "-q", "--depth=1", "--branch=fix", team.Url(), "ci"});
    const auto unfetched =
        team.sandbox.Revctl("ci", {"check"}, {pull.begin() + 1, pull.end()});  // without CI=true
    CHECK(unfetched.status == 3);
    CHECK(unfetched.err.find(
              "fix: git fetch origin +refs/heads/release/1:refs/remotes/origin/release/1\n") !=
          std::string::npos);
    const auto checked = team.sandbox.Revctl("ci", {"check"}, pull);
    INFO(checked.out << checked.err);
    CHECK(checked.status == 0);
    CHECK(checked.err.find("OK: no problems (compared with origin/release/1") != std::string::npos);
  }
  SECTION("the release has moved since the clone") {
    team.sandbox.Git(".", {"clone", "-q", "--branch=fix", team.Url(), "ci"});
    team.sandbox.Git("ann", {"checkout", "-q", "-b", "other", "origin/main"});
    team.sandbox.Git("ann", {"commit", "-q", "--no-verify", "--allow-empty", "-m", "other"});
    team.sandbox.Git("ann", {"push", "-q", "--no-verify", "origin", "other:release/1"});
    CHECK(team.sandbox.Revctl("ci", {"check"}, pull).status == 0);
    CHECK(team.sandbox.Git("ci", {"rev-parse", "origin/release/1"}) ==
          team.sandbox.Git("ann", {"rev-parse", "other"}));
  }
  SECTION("the release was deleted") {
    team.sandbox.Git("ann", {"push", "-q", "--no-verify", "origin", ":release/1"});
    team.sandbox.Git(".", {"clone", "-q", "--branch=fix", team.Url(), "ci"});
    const auto gone = team.sandbox.Revctl("ci", {"check"}, pull);
    CHECK(gone.status == 3);
    CHECK(gone.err.find("cannot fetch release/1 from origin") != std::string::npos);
  }
}

TEST_CASE("environment: a read-only token is enough to check", "[environment]") {
  LateTeam team;
  GitDaemon read_only(team.sandbox, "srv", GitDaemon::Access::ReadOnly);
  team.sandbox.Git("ann", {"remote", "set-url", "origin", read_only.Url("game.git")});
  CHECK(IsLate(team, "ann", {"CI=true"}));
  CHECK(team.Revctl("ann", {"reserve", "--dry-run"}).out == "5\n");
  CHECK(Has(team.Revctl("ann", {"fix", "--dry-run"}).err, "SR_BOSS 3 -> 5\n"));
  CHECK(team.Revctl("ann", {"fix"}).status == 3);
}

TEST_CASE("environment: the error in a shallow clone names the fix", "[environment]") {
  Team team;
  REQUIRE(team.Revctl("bob", {"reserve", "SR_STAMINA"}).status == 0);
  team.sandbox.CommitAll("bob", "stamina");
  team.sandbox.Git("bob", {"push", "-q", "--no-verify", "origin", "HEAD:refs/heads/feature"});
  team.sandbox.Write("ann/notes.txt", "x\n");
  team.Land("ann");
  team.sandbox.Git(".", {"clone", "-q", "--depth=1", "--no-single-branch", "--branch=feature",
                         team.Url(), "ci"});
  auto cannot = team.Revctl("ci", {"check"});
  INFO(cannot.out << cannot.err);
  CHECK(cannot.status == 3);
  CHECK(cannot.err.find("this clone is too shallow") != std::string::npos);
  CHECK(cannot.err.find("fix: git fetch --unshallow") != std::string::npos);
  auto can = team.Revctl("ci", {"check"}, {"CI=true"});
  INFO(can.out << can.err);
  CHECK(can.status == 0);
}

TEST_CASE("check --explain: prints what is compared, and checks nothing", "[check]") {
  Team team;
  REQUIRE(team.Revctl("ann", {"reserve", "SR_BOSS"}).status == 0);
  REQUIRE(team.Revctl("bob", {"reserve", "SR_STAMINA"}).status == 0);
  team.sandbox.CommitAll("ann", "boss");
  team.Land("bob");
  const std::string before = team.sandbox.Git("ann", {"rev-parse", "HEAD~1"}),
                    head = team.sandbox.Git("ann", {"rev-parse", "HEAD"}),
                    tip = team.sandbox.Git("bob", {"rev-parse", "HEAD"});
  const auto told = [&](std::vector<std::string> environment,
                        const std::vector<std::string>& options = {}) {
    std::vector<std::string> line = {"check", "--explain", "--json"};
    line.insert(line.end(), options.begin(), options.end());
    environment.emplace_back("CI=true");
    const auto said = team.Revctl("ann", line, environment);
    INFO(said.out << said.err);
    CHECK(said.status == 0);  // succeeds although the change is late
    const auto json = nlohmann::json::parse(said.out);
    CHECK(json["judged"]["commit"] == head);
    CHECK(json["base"]["commit"] == before);
    CHECK(json["ledger"]["fetched"] == true);
    return json["ci"]["system"].get<std::string>() + "/" + json["ci"]["event"].get<std::string>() +
           " " + json["target"]["branch"].get<std::string>() + " " +
           (json["target"]["commit"] == tip      ? "tip"
            : json["target"]["commit"] == before ? "before"
                                                 : "?") +
           ": " + json["target"]["why"].get<std::string>();
  };
  CHECK(told({}) == "/ main tip: `target` in .revctl.yaml");
  CHECK(told({"GITLAB_CI=true", "CI_PIPELINE_SOURCE=merge_request_event",
              "CI_MERGE_REQUEST_TARGET_BRANCH_NAME=main"}) ==
        "GitLab/merge_request_event main tip: the target branch of the change: "
        "CI_MERGE_REQUEST_TARGET_BRANCH_NAME");
  CHECK(told({"GITLAB_CI=true", "CI_MERGE_REQUEST_EVENT_TYPE=merge_train",
              "CI_MERGE_REQUEST_TARGET_BRANCH_NAME=main",
              "CI_MERGE_REQUEST_TARGET_BRANCH_SHA=" + before}) ==
        "GitLab/merge_train main before: the commit that the merge train is built on: "
        "CI_MERGE_REQUEST_TARGET_BRANCH_SHA");
  CHECK(
      told({"GITLAB_CI=true", "CI_PIPELINE_SOURCE=push", "CI_COMMIT_BRANCH=feature",
            "CI_COMMIT_BEFORE_SHA=" + before}) ==
      "GitLab/push main tip: a push to feature does not land revisions: `target` in .revctl.yaml");
  CHECK(told({"JENKINS_URL=x", "BRANCH_NAME=main", "GIT_PREVIOUS_COMMIT=" + before}) ==
        "Jenkins/branch main before: the commit of the previous build: GIT_PREVIOUS_COMMIT");
  CHECK(told({"GERRIT_BRANCH=main"}, {"--target", "HEAD~1"}) ==
        "Gerrit/change main before: --target names it");
  const auto text = team.Revctl("ann", {"check", "--explain"}, {"CI=true", "GERRIT_BRANCH=main"});
  CHECK(text.out == "ci       Gerrit, event change\nchecked  the work tree at " +
                        head.substr(0, 10) + "\ntarget   origin/main at " + tip.substr(0, 10) +
                        " (main): the target branch of the change: GERRIT_BRANCH\nbase     " +
                        before.substr(0, 10) +
                        ": the last commit that the change shares with the target\nrules    a "
                        "landing on main\npolicy   .revctl.yaml in the target\nledger   "
                        "refs/revctl/ledger of origin, fetched now\n");
  const auto unsaid =
      team.Revctl("ann", {"check", "--explain"},
                  {"GITLAB_CI=true", "CI_PIPELINE_SOURCE=push", "CI_COMMIT_BRANCH=main"});
  CHECK(unsaid.status == 3);
  CHECK(Has(unsaid.err, "job has no CI_COMMIT_BEFORE_SHA"));
  CHECK(team.Revctl("ann", {"check", "--explain", "--pushed", "origin"}).status == 2);
}
