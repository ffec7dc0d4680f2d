// Tests the problems that `doctor` reports, and the fix for each.
#include <catch2/catch.hpp>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "revctl/session/session.h"
#include "tests/scenarios/team.h"

using namespace revctl::testing;

TEST_CASE("doctor: reports a remote that is a mirror, with the fix", "[doctor]") {
  Team team({"ann"});
  team.sandbox.Git("ann", {"config", "remote.origin.mirror", "true"});
  const auto reserved = team.Revctl("ann", {"reserve", "SR_BOSS"});
  CHECK(reserved.status == 3);
  CHECK(Has(reserved.err, "fix: git config --unset remote.origin.mirror"));
  CHECK(Has(team.Revctl("ann", {"doctor"}).out, "fix: git config --unset remote.origin.mirror"));
  team.sandbox.Git("ann", {"config", "--unset", "remote.origin.mirror"});
  CHECK(team.Revctl("ann", {"reserve", "SR_BOSS"}).out == "SR_BOSS = 3\n");
}

TEST_CASE("doctor: uses the same identity as git", "[doctor]") {
  Team team({"ann"});
  CHECK(Has(team.Revctl("ann", {"doctor"}).out, "ok       identity: ann <ann@studio.example>"));
  team.sandbox.Git("ann", {"config", "--unset", "user.name"});
  team.sandbox.Git("ann", {"config", "--unset", "user.email"});
  const auto nobody = team.Revctl("ann", {"doctor"});
  INFO(nobody.out);
  CHECK(Has(nobody.out, "missing  identity: user.name and user.email are not set"));
  CHECK(Has(nobody.out, "fix: git config user.name \"Your Name\" && git config user.email"));
  CHECK(team.Revctl("ann", {"reserve", "SR_BOSS"}).status == 3);
  team.sandbox.Write("global", "[user]\nname = Ann Other\nemail = other@studio.example\n");
  const std::vector<std::string> global{"GIT_CONFIG_GLOBAL=" + team.sandbox.Path("global")};
  CHECK(Has(team.Revctl("ann", {"doctor"}, global).out,
            "ok       identity: Ann Other <other@studio.example>"));
  CHECK(team.Revctl("ann", {"reserve", "SR_BOSS"}, global).status == 0);
}

TEST_CASE("doctor: reports every missing part, with the fix", "[doctor]") {
  Team team;
  REQUIRE(team.Revctl("ann", {"reserve", "SR_BOSS"}).status == 0);
  auto sick = team.Revctl("ann", {"doctor"});
  CHECK(sick.status == 1);
  CHECK(sick.out.find("missing  merge driver") != std::string::npos);
  CHECK(sick.out.find("fix: revctl install") != std::string::npos);
  REQUIRE(team.Revctl("ann", {"install"}).status == 0);
  auto well = team.Revctl("ann", {"doctor"});
  INFO(well.out);
  CHECK(well.status == 0);
  CHECK(nlohmann::json::parse(team.Revctl("ann", {"doctor", "--json"}).out).at("ok") == true);
}

TEST_CASE("doctor: a shallow clone, and a git that is too old", "[doctor]") {
  Team team;
  team.sandbox.Write("ann/more", "a second commit\n");
  team.Land("ann");
  REQUIRE(team.Revctl("ann", {"reserve", "SR_BOSS"}).status == 0);
  const auto says = [&](const std::string& person, const std::vector<std::string>& environment,
                        const std::string& line) {
    const auto run = team.Revctl(person, {"doctor"}, environment);
    INFO(run.out << run.err);
    CHECK(run.out.find(line) != std::string::npos);
    return run.status;
  };
  team.sandbox.Git(".", {"clone", "-q", "--depth=1", team.Url(), "shallow"});
  team.sandbox.Git("shallow", {"config", "user.name", "ci"});
  team.sandbox.Git("shallow", {"config", "user.email", "ci@studio.example"});
  REQUIRE(team.Revctl("shallow", {"install"}).status == 0);
  CHECK(says("shallow", {},
             "missing  history: shallow clone: merge bases may be missing\n         fix: git fetch "
             "--unshallow\n") == 1);
  team.sandbox.Git("shallow", {"fetch", "-q", "--unshallow"});
  CHECK(says("shallow", {}, "ok       history: complete\n") == 0);

  // A git that only claims to be old is sufficient, because `doctor` checks only the version.
  REQUIRE(team.Revctl("ann", {"install"}).status == 0);
  const auto git_that_says = [&](const std::string& version) {
    const char* path = std::getenv("PATH");
    team.sandbox.WriteExecutable("old/git", "#!/bin/sh\n[ \"$*\" = --version ] && { echo '" +
                                                version +
                                                "'; exit; }\nPATH=${PATH#*:} exec git \"$@\"\n");
    return std::vector<std::string>{"PATH=" + team.sandbox.Path("old") + ":" +
                                    (path == nullptr ? "" : path)};
  };
  CHECK(says("ann", git_that_says("git version 2.20.1"),
             "missing  git: 2.20\n         fix: install git 2.30 or newer\n") == 1);
  CHECK(says("ann", git_that_says("git version 2.29.3 (Vendor 7)"), "missing  git: 2.29\n") == 1);
  CHECK(says("ann", git_that_says("git version 1.9"), "missing  git: 1.9\n") == 1);
  CHECK(says("ann", git_that_says("version two"),
             "missing  git: does not print a version: version two") == 1);
  CHECK(says("ann", git_that_says("git version 2.30.0"), "ok       git: 2.30\n") == 0);
  CHECK(says("ann", git_that_says("git version 3.0.0.windows.1"), "ok       git: 3.0\n") == 0);
}

TEST_CASE("doctor: a server that accepts no ref next to the ledger", "[doctor]") {
  Team team;
  const std::string hook = "srv/game.git/hooks/update",
                    none =
                        team.sandbox.Git("srv/game.git", {"for-each-ref", "--format=%(refname)"});
  REQUIRE(team.Revctl("ann", {"install"}).status == 0);
  CHECK(team.Revctl("ann", {"doctor"}).out.find("ok       push access to the ledger: allowed") !=
        std::string::npos);
  CHECK(team.sandbox.Git("srv/game.git", {"for-each-ref", "--format=%(refname)"}) ==
        none);  // the access check left no ref behind
  CHECK(team.sandbox.Git("ann", {"status", "--porcelain"}).empty());
  team.sandbox.WriteExecutable(
      hook,
      "#!/bin/sh\ncase $1 in refs/heads/*|refs/tags/*) exit 0;; esac\necho 'only "
      "branches and tags here' >&2\nexit 1\n");
  auto sick = team.Revctl("ann", {"doctor"});
  INFO(sick.out);
  CHECK(sick.status == 1);
  CHECK(sick.out.find("missing  push access to the ledger: remote origin rejects the push to "
                      "refs/revctl/probe (hook declined):\n") != std::string::npos);
  CHECK(sick.out.find("only branches and tags here") != std::string::npos);
  CHECK(sick.out.find("fix: if the host accepts only branches, set `ledger: "
                      "refs/heads/revctl-ledger` in .revctl.yaml\n") != std::string::npos);
  team.sandbox.Write("ann/.revctl.yaml",
                     std::string(Team::kConfig) + "ledger: refs/heads/revctl-ledger\n");
  REQUIRE(team.Revctl("ann", {"reserve", "SR_BOSS"}).status == 0);
  CHECK(team.Revctl("ann", {"doctor"}).status == 0);
  // If reservations are optional, write access to the ledger is not needed.
  team.sandbox.Write("ann/.revctl.yaml", std::string(Team::kConfig) + "reservation: optional\n");
  CHECK(team.Revctl("ann", {"doctor"}).out.find("pushing") == std::string::npos);
}
