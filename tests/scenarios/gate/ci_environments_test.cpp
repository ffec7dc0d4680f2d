// Where the gate and the tools run: CI systems, tokens that only read, submodules, bare and unborn
// repositories, a terminal.
#include <catch2/catch.hpp>
#include <cstdlib>
#include <filesystem>

#include "tests/scenarios/team.h"

using namespace revctl::testing;

namespace {

/// Ann has a number, and Bob has landed a later one: against the target's tip she is late, against
/// the commit before Bob's she is not.
struct LateTeam : Team {
  std::string before;
  LateTeam() {
    if (Revctl("ann", {"reserve", "SR_BOSS"}).status != 0 ||
        Revctl("bob", {"reserve", "SR_STAMINA"}).status != 0)
      throw std::runtime_error("reserve");
    sandbox.CommitAll("ann", "boss");
    before = sandbox.Git("ann", {"rev-parse", "HEAD~1"});
    Land("bob");
  }
  bool IsLate(const std::string& directory, const std::vector<std::string>& environment) const {
    auto result = sandbox.Revctl(directory, {"check"}, environment);
    INFO(result.out << result.err);
    CHECK(result.status == (result.out.find("RV006") != std::string::npos ? 1 : 0));
    return result.status == 1;
  }
};

}  // namespace

TEST_CASE("environment: GitLab's merge requests, trains and pushes", "[environment]") {
  LateTeam team;
  const std::vector<std::string> base = {"CI=true", "GITLAB_CI=true"};
  auto with = [&](std::vector<std::string> more) {
    more.insert(more.end(), base.begin(), base.end());
    return team.IsLate("ann", more);
  };
  CHECK(with({"CI_PIPELINE_SOURCE=merge_request_event", "CI_MERGE_REQUEST_TARGET_BRANCH_NAME=main",
              "CI_MERGE_REQUEST_EVENT_TYPE=merged_result"}));
  // A train is judged on what it is built on, whatever has landed on the branch meanwhile.
  CHECK_FALSE(
      with({"CI_MERGE_REQUEST_TARGET_BRANCH_NAME=main", "CI_MERGE_REQUEST_EVENT_TYPE=merge_train",
            "CI_MERGE_REQUEST_TARGET_BRANCH_SHA=" + team.before}));
  CHECK_FALSE(with(
      {"CI_PIPELINE_SOURCE=push", "CI_COMMIT_BRANCH=main", "CI_COMMIT_BEFORE_SHA=" + team.before}));
  CHECK(with({"CI_PIPELINE_SOURCE=push", "CI_COMMIT_BRANCH=feature",
              "CI_COMMIT_BEFORE_SHA=" + team.before}));
  // A new branch has nothing before it.
  CHECK(with({"CI_PIPELINE_SOURCE=push", "CI_COMMIT_BRANCH=main",
              "CI_COMMIT_BEFORE_SHA=0000000000000000000000000000000000000000"}));
}

TEST_CASE("environment: Gerrit, Jenkins and a CI without variables", "[environment]") {
  LateTeam team;
  CHECK(team.IsLate("ann", {"CI=true", "GERRIT_BRANCH=main"}));
  CHECK(team.IsLate("ann", {"CI=true", "CHANGE_TARGET=main", "BRANCH_NAME=PR-7"}));
  CHECK(team.IsLate("ann", {"CI=1"}));
  // What names a branch that this remote does not have cannot be judged, and says so.
  auto unknown = team.Revctl("ann", {"check"}, {"CI=true", "GERRIT_BRANCH=stable"});
  CHECK(unknown.status == 3);
  CHECK(unknown.err.find("fix: git fetch origin") != std::string::npos);
  // And what is no commit's name never becomes an option of git.
  CHECK(team.Revctl("ann", {"check"}, {"CI=true", "CHANGE_TARGET=--upload-pack=touch pwned"})
            .status == 3);
  CHECK_FALSE(team.sandbox.Exists("ann/pwned"));
}

TEST_CASE("environment: GitHub's merge group in a clone of one commit", "[environment]") {
  LateTeam team;
  team.sandbox.Git("ann", {"push", "-q", "--no-verify", "origin", "HEAD:refs/heads/queue"});
  team.sandbox.Git(".", {"clone", "-q", "--depth=1", "--branch=queue", team.Url(), "ci"});
  team.sandbox.Git("ci", {"checkout", "-q", "--detach"});
  team.sandbox.Write("event.json", R"({"merge_group": {"base_sha": ")" + team.before +
                                       R"(", "base_ref": "refs/heads/main"}})");
  const std::vector<std::string> group = {"CI=true", "GITHUB_ACTIONS=true",
                                          "GITHUB_EVENT_NAME=merge_group",
                                          "GITHUB_EVENT_PATH=" + team.sandbox.Path("event.json")};
  CHECK_FALSE(team.IsLate("ci", group));
  CHECK(team.IsLate("ci", {"CI=true", "GITHUB_ACTIONS=true", "GITHUB_EVENT_NAME=pull_request",
                           "GITHUB_BASE_REF=main"}));
}

TEST_CASE("environment: no guess where CI does not name the base", "[environment]") {
  // Ann has taken a landed revision away, and it is on main already.
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
    CHECK(checked.err.find("does not say what main was before this change") != std::string::npos);
    CHECK(checked.err.find(variable) != std::string::npos);
    CHECK(checked.err.find("or revctl check --target COMMIT") != std::string::npos);
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
  // Built again, it is its own predecessor.
  const std::vector<std::string> again = {jenkins, "BRANCH_NAME=main", "GIT_PREVIOUS_COMMIT=" + now,
                                          "GIT_COMMIT=" + now};
  unsaid(again, "GIT_PREVIOUS_SUCCESSFUL_COMMIT");
  refused({again[0], again[1], again[2], again[3], "GIT_PREVIOUS_SUCCESSFUL_COMMIT=" + before});
}

TEST_CASE("environment: a pull request to release in a one-branch clone", "[environment]") {
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
  SECTION("alone") {
    team.sandbox.Git(".", {"clone", "-q", "--depth=1", "--branch=fix", team.Url(), "ci"});
    const auto unfetched = team.sandbox.Revctl("ci", {"check", "--no-fetch"}, pull);
    CHECK(unfetched.status == 3);
    CHECK(unfetched.err.find(
              "fix: git fetch origin +refs/heads/release/1:refs/remotes/origin/release/1\n") !=
          std::string::npos);
    const auto checked = team.sandbox.Revctl("ci", {"check"}, pull);
    INFO(checked.out << checked.err);
    CHECK(checked.status == 0);
    CHECK(checked.err.find("fine against origin/release/1") != std::string::npos);
  }
  SECTION("from before") {
    team.sandbox.Git(".", {"clone", "-q", "--branch=fix", team.Url(), "ci"});
    team.sandbox.Git("ann", {"checkout", "-q", "-b", "other", "origin/main"});
    team.sandbox.Git("ann", {"commit", "-q", "--no-verify", "--allow-empty", "-m", "other"});
    team.sandbox.Git("ann", {"push", "-q", "--no-verify", "origin", "other:release/1"});
    CHECK(team.sandbox.Revctl("ci", {"check"}, pull).status == 0);
    CHECK(team.sandbox.Git("ci", {"rev-parse", "origin/release/1"}) ==
          team.sandbox.Git("ann", {"rev-parse", "other"}));
  }
  SECTION("gone") {
    team.sandbox.Git("ann", {"push", "-q", "--no-verify", "origin", ":release/1"});
    team.sandbox.Git(".", {"clone", "-q", "--branch=fix", team.Url(), "ci"});
    const auto gone = team.sandbox.Revctl("ci", {"check"}, pull);
    CHECK(gone.status == 3);
    CHECK(gone.err.find("release/1 of origin cannot be fetched") != std::string::npos);
  }
}

TEST_CASE("environment: a token that only reads judges all the same", "[environment]") {
  LateTeam team;
  GitDaemon read_only(team.sandbox, "srv", GitDaemon::Access::ReadOnly);
  team.sandbox.Git("ann", {"remote", "set-url", "origin", read_only.Url("game.git")});
  CHECK(team.IsLate("ann", {"CI=true"}));
  CHECK(team.Revctl("ann", {"next"}).out == "5\n");
  CHECK(team.Revctl("ann", {"whois", "SR_STAMINA", "--fetch"}).status == 0);
  CHECK(team.Revctl("ann", {"renumber", "--dry-run"}).out == "SR_BOSS 3 -> 5\n");
  CHECK(team.Revctl("ann", {"renumber"}).status == 3);
}

TEST_CASE("environment: a submodule", "[environment]") {
  Team team;
  team.sandbox.NewRepository("super", "ann");
  team.sandbox.Git("super", {"submodule", "--quiet", "add", team.Url(), "libs/game"});
  team.sandbox.Git("super/libs/game", {"config", "user.name", "ann"});
  team.sandbox.Git("super/libs/game", {"config", "user.email", "ann@studio.example"});
  CHECK(team.sandbox.Revctl("super/libs/game/src", {"reserve", "SR_BOSS"}).out == "SR_BOSS = 3\n");
  CHECK(team.sandbox.Revctl("super/libs/game", {"install"}).status == 0);
  CHECK(team.sandbox.Exists("super/.git/modules/libs/game/hooks/pre-commit"));
  team.sandbox.Git("super/libs/game", {"checkout", "-q", "-B", "main"});
  team.sandbox.CommitAll("super/libs/game", "boss");
  CHECK(team.sandbox.Revctl("super/libs/game", {"check", "--fetch"}).status == 0);
  // The repository around it has no list of its own.
  CHECK(team.sandbox.Revctl("super", {"list"}).status == 2);
}

TEST_CASE("environment: a bare repository needs a work tree, always", "[environment]") {
  Team team;
  const std::string before = team.sandbox.Snapshot("srv/game.git");
  for (const std::vector<std::string>& command :
       std::vector<std::vector<std::string>>{{"reserve", "SR_X"},
                                             {"check"},
                                             {"status"},
                                             {"whois", "SR_FOULS"},
                                             {"doctor"},
                                             {"install"},
                                             {"uninstall"},
                                             {"init", "--new"},
                                             {"list"},
                                             {"renumber"}}) {
    auto bare = team.sandbox.Revctl("srv/game.git", command);
    INFO(command[0] << ": " << bare.err);
    CHECK(bare.status == 3);
    CHECK(bare.out.empty());
    CHECK(bare.err.find("no work tree") != std::string::npos);
    CHECK(bare.err.find("\nfix: run it in a clone") != std::string::npos);
  }
  CHECK(team.sandbox.Snapshot("srv/game.git") == before);
  // A work tree of it is one like any other; the hooks stand in the bare repository.
  team.sandbox.Git("srv/game.git", {"worktree", "add", "-q", "../../tree", "main"});
  for (const char* key : {"user.name", "user.email"})
    team.sandbox.Git("tree", {"config", key, "cat@studio.example"});
  REQUIRE(team.Revctl("tree", {"install"}).status == 0);
  CHECK(team.Revctl("tree", {"reserve", "SR_X"}).out == "SR_X = 3\n");
  CHECK(team.Revctl("tree", {"status"}).out == "SR_X = 3  pending: can land\n");
  CHECK(team.Revctl("tree", {"doctor"}).status == 0);
  team.sandbox.CommitAll("tree", "x");
  REQUIRE(team.Revctl("tree", {"uninstall"}).status == 0);
  CHECK(team.sandbox.Snapshot("srv/game.git/hooks").find("revctl") == std::string::npos);
}

TEST_CASE("environment: on an unborn branch every command answers", "[environment]") {
  Team team;
  team.sandbox.NewRepository("new", "ann");
  team.sandbox.Write(std::string("new/") + Team::kList, Team::kListText);
  team.sandbox.Write("new/.revctl.yaml", Team::kConfig);
  const auto says = [&](const std::vector<std::string>& command, int status,
                        const std::string& text) {
    auto run = team.sandbox.Revctl("new", command);
    INFO(command[0] << ": " << run.out << run.err);
    CHECK(run.status == status);
    CHECK((run.out + run.err).find(text) != std::string::npos);
  };
  std::string first = "git commit";
  SECTION("alone") {
    says({"doctor"}, 1, "missing  ledger: no remote, and none begun here\n");
    says({"doctor"}, 1, "missing  target: main does not exist yet\n         fix: git commit\n");
  }
  SECTION("beside a new server") {
    team.sandbox.Git("srv", {"init", "-q", "--bare", "-b", "main", "new.git"});
    team.sandbox.Git("new", {"remote", "add", "origin", team.server->Url("new.git")});
    says({"doctor"}, 1, "missing  ledger: remote origin has none yet\n");
    says({"doctor"}, 1,
         "missing  target: origin/main does not exist yet\n         fix: git commit, then git push "
         "origin HEAD:main\n");
  }
  says({"list"}, 0, "2  SR_FOULS  (provisional)");
  says({"next"}, 0, "3\n");
  says({"status"}, 0, "SR_FOULS = 2  provisional");
  says({"whois", "SR_FOULS"}, 0, "list     SR_FOULS = 2, src/master_version_list.h:4");
  says({"whois", "SR_NONE"}, 1, "SR_NONE");
  says({"install"}, 0, "pre-commit hook");
  says({"reserve", "SR_X"}, 0, "SR_X = 3\n");
  says({"status"}, 0, "SR_X = 3  pending: can land");
  says({"check", "--staged"}, 0, "");
  team.sandbox.CommitAll("new", "first");  // with the hooks
  CHECK(team.sandbox.Git("new", {"log", "--format=%s"}) == "first");
}

TEST_CASE("environment: a sparse work tree, and one by GIT_WORK_TREE", "[environment]") {
  Team team;
  team.sandbox.Write("ann/art/big.txt", "big\n");
  team.Land("ann");
  team.sandbox.Git("bob", {"pull", "-q"});
  team.sandbox.Git("bob", {"sparse-checkout", "set", "--cone", "--sparse-index", "src"});
  CHECK(team.Revctl("bob", {"reserve", "SR_SPARSE"}).out == "SR_SPARSE = 3\n");
  CHECK(team.Revctl("bob", {"check", "--fetch"}).status == 0);

  // git finds the repository from here, and nothing in that work tree leads to it.
  const auto above = team.Revctl("ann", {"status"}, {"GIT_WORK_TREE=" + team.sandbox.root()});
  INFO(above.err);
  CHECK(above.status == 0);
  std::filesystem::rename(team.sandbox.Path("ann/.git"), team.sandbox.Path("ann.git"));
  const std::vector<std::string> away = {"GIT_DIR=" + team.sandbox.Path("ann.git"),
                                         "GIT_WORK_TREE=" + team.sandbox.Path("ann")};
  CHECK(team.Revctl("ann", {"reserve", "SR_AWAY"}, away).out == "SR_AWAY = 4\n");
  CHECK(team.Revctl("ann", {"check", "--fetch"}, away).status == 0);
}

TEST_CASE("environment: git variables never mislead a reservation", "[environment]") {
  Team team;
  team.sandbox.Git(".", {"clone", "-q", team.Url(), "other"});
  team.sandbox.Git(".", {"init", "-q", "--bare", "empty.git"});
  const std::string root = team.sandbox.root();
  int given = 2;
  for (const std::string& variable :
       std::vector<std::string>{"GIT_DIR=/none",
                                "GIT_DIR=" + root + "/empty.git",
                                "GIT_DIR=" + root + "/other/.git",
                                "GIT_WORK_TREE=" + root + "/other",
                                "GIT_COMMON_DIR=" + root + "/empty.git",
                                "GIT_INDEX_FILE=" + root + "/none",
                                "GIT_OBJECT_DIRECTORY=" + root + "/empty.git/objects",
                                "GIT_ALTERNATE_OBJECT_DIRECTORIES=/none",
                                "GIT_NAMESPACE=x",
                                "GIT_CEILING_DIRECTORIES=" + root,
                                "GIT_CONFIG=/none",
                                "GIT_CONFIG_COUNT=1",
                                "GIT_CONFIG_COUNT=many",
                                "GIT_CONFIG_PARAMETERS='half",
                                "GIT_CONFIG_PARAMETERS='a.b=c'",
                                "GIT_CONFIG_GLOBAL=" + root,
                                "GIT_CONFIG_NOSYSTEM=maybe",
                                "GIT_QUARANTINE_PATH=x",
                                "GIT_SHALLOW_FILE=/none",
                                "GIT_TRACE=1",
                                "GIT_TRACE=" + root + "/trace",
                                "GIT_TRACE_PACKET=1",
                                "GIT_TRACE2_EVENT=1",
                                "GIT_EXTERNAL_DIFF=false",
                                "GIT_SSH_COMMAND=false",
                                "GIT_ALLOW_PROTOCOL=none",
                                "GIT_INTERNAL_SUPER_PREFIX=x",
                                "GIT_REPLACE_REF_BASE=refs/heads/",
                                "GIT_ATTR_SOURCE=none",
                                "GIT_ICASE_PATHSPECS=1",
                                "GIT_AUTHOR_DATE=junk",
                                "HOME=/none",
                                "TMPDIR=/none"}) {
    const std::string list = team.List("ann"), name = "SR_N" + std::to_string(given + 1);
    const auto run = team.Revctl("ann", {"reserve", name, "-m", "m"}, {variable});
    INFO(variable << "\n" << run.out << run.err);
    if (run.status == 0) {
      CHECK(run.out == name + " = " + std::to_string(++given) + "\n");
      CHECK(team.sandbox.Git("srv/game.git", {"log", "-1", "--format=%s", "refs/revctl/ledger"}) ==
            "reserve main " + name + " " + std::to_string(given));
    } else {
      CHECK(run.status >= 2);
      CHECK(run.out.empty());
      CHECK(run.err.starts_with("revctl: "));
      CHECK(team.List("ann") == list);
    }
  }
  CHECK(given > 14);
}

TEST_CASE("environment: a list outside a sparse checkout is not gone", "[environment]") {
  Team team;
  team.sandbox.Write("ann/art/big.txt", "big\n");
  team.Land("ann");
  team.sandbox.Git("bob", {"pull", "-q"});
  team.sandbox.Git("bob", {"sparse-checkout", "set", "--cone", "art"});
  REQUIRE_FALSE(team.sandbox.Exists(std::string("bob/") + Team::kList));
  auto checked = team.Revctl("bob", {"check", "--fetch"});
  INFO(checked.out << checked.err);
  CHECK(checked.status == 0);
  for (const auto& command : std::vector<std::vector<std::string>>{{"list"}, {"reserve", "SR_X"}}) {
    auto said = team.Revctl("bob", command);
    CHECK(said.status == 2);
    CHECK(said.err.find("outside this sparse checkout") != std::string::npos);
    CHECK(said.err.find("fix: git sparse-checkout add src") != std::string::npos);
  }
  // Taken out by hand is another thing.
  std::filesystem::remove(team.sandbox.Path(std::string("ann/") + Team::kList));
  CHECK(team.Revctl("ann", {"check"}).status == 1);
}

TEST_CASE("environment: only a terminal shows what a command waits for", "[environment]") {
  Team team;
  team.sandbox.Write("srv/game.git/hooks/pre-receive", "#!/bin/sh\nsleep 1.5\n");
  std::filesystem::permissions(team.sandbox.Path("srv/game.git/hooks/pre-receive"),
                               std::filesystem::perms::owner_all);
  auto on_terminal = [&](const std::string& command) {
    return team.sandbox.Run("ann",
                            {"script", "-qec", "'" + ProgramPath() + "' " + command, "/dev/null"});
  };
  auto told = on_terminal("reserve SR_BOSS");
  INFO(told.out);
  CHECK(told.status == 0);
  CHECK(told.out.find("origin is asked for a number (1 s)") != std::string::npos);
  CHECK(told.out.find("SR_BOSS = 3") != std::string::npos);
  // It is wiped before the result is said.
  CHECK(told.out.find(" \rSR_BOSS = 3") != std::string::npos);
  // So are commands that give one back, or ask for another.
  CHECK(on_terminal("abandon SR_BOSS").out.find("origin is asked to take a number back (1 s)") !=
        std::string::npos);
  team.sandbox.Write(std::string("ann/") + Team::kList,
                     std::string(Team::kListText)
                         .replace(std::string(Team::kListText).rfind("};"), 0, "    SR_HAND=9,\n"));
  auto renumbered = on_terminal("renumber");
  CHECK(renumbered.out.find("origin is asked for numbers (1 s)") != std::string::npos);
  CHECK(renumbered.out.find("SR_HAND = 9 confirmed") != std::string::npos);
  CHECK(on_terminal("-q reserve SR_QUIET").out.find("asked") == std::string::npos);
  auto piped = team.Revctl("ann", {"reserve", "SR_PIPED"});
  CHECK(piped.out == "SR_PIPED = 11\n");
  CHECK(piped.err.empty());
}

TEST_CASE("environment: only a terminal shows a long check's progress", "[environment]") {
  Team team;
  const auto file = [&](const std::string& name, const std::string& text) {
    team.sandbox.Write("ann/src/" + name, text);
  };
  team.sandbox.Write("ann/.revctl.yaml", std::string(Team::kConfig) + "releases: [release]\n");
  file("a.cpp", "bool a(int revision) { return revision < SR_FOULS; }\n");
  file("b.cpp", "bool b(int revision) { return revision < SR_FOULS; }\n");
  team.Land("ann");
  team.sandbox.Git("ann", {"push", "-q", "--no-verify", "origin", "HEAD:release"});
  team.sandbox.Git("ann", {"branch", "release"});
  std::string list = Team::kListText;
  team.sandbox.Write(std::string("ann/") + Team::kList,
                     list.replace(list.rfind("};"), 0, "    SR_WALLS=3,\n"));
  file("walls.cpp", "bool walls(int revision) { return revision < SR_WALLS; }\n");
  team.Land("ann");
  // The release takes the entry without its code: the sources here are searched first, then those
  // of the target.
  team.sandbox.Git("ann", {"fetch", "-q"});
  team.sandbox.Git("ann", {"checkout", "-q", "release"});
  team.sandbox.Write(std::string("ann/") + Team::kList, list);
  team.sandbox.CommitAll("ann", "walls");
  team.sandbox.Write("slow/git",
                     "#!/bin/sh\ncase \" $* \" in *' grep '*) sleep 1.5 ;; esac\n"
                     "PATH=${PATH#*:} exec git \"$@\"\n");
  std::filesystem::permissions(team.sandbox.Path("slow/git"), std::filesystem::perms::owner_all);
  const std::vector<std::string> slow{"PATH=" + team.sandbox.Path("slow") + ":" +
                                      std::string(std::getenv("PATH"))};
  const auto shown = team.sandbox.Run(
      "ann", {"script", "-qec", "'" + ProgramPath() + "' check --head HEAD", "/dev/null"}, slow);
  INFO(shown.out);
  CHECK(shown.out.find("judging (1 s)") != std::string::npos);
  CHECK(shown.out.find("judging: 2 of 3 sources, ") != std::string::npos);
  CHECK(shown.out.find(" a second, ") != std::string::npos);
  CHECK(shown.out.find(" s left") != std::string::npos);
  CHECK(shown.out.find(" \r\x1b[1m" + std::string(Team::kList)) != std::string::npos);  // wiped
  const auto piped = team.sandbox.Revctl("ann", {"check", "--head", "HEAD"}, slow);
  CHECK(piped.out.find("RV021") != std::string::npos);
  CHECK((piped.out + piped.err).find("judging") == std::string::npos);
}
