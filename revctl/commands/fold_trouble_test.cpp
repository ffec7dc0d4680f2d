// Folds under trouble: killed in a refresh, two jobs at once, a target that was force-pushed, and
// several lists in one folder.
#include <array>
#include <catch2/catch.hpp>

#include "revctl/commands/at_landing_test.h"
#include "revctl/commands/storm_test.h"

using namespace revctl;
using namespace revctl::testing;
using Catch::Contains;

TEST_CASE("fold: killed in the refresh of goldens, it is run again", "[landing][fold]") {
  const LandingTeam team;
  std::string config = team.sandbox.Read("ann/.revctl.yaml");
  config.insert(config.find("path: "), "golden: golden, ");
  team.sandbox.Write("ann/.revctl.yaml", config + "land: {goldens: \"sh ../refresh\"}\n");
  team.sandbox.Write("ann/golden/SR_FOULS.yaml", Record("SR_FOULS", 2, {}, "Match"));
  // The first run is killed between two writes; its parent may be a shell.
  team.sandbox.Write(
      "refresh",
      "sed -i 's/^previous: .*/previous: SR_AAA/' golden/SR_ONE.yaml\n"
      "echo added > golden/SR_ONE.golden\n"
      "[ -e ../killed ] || { echo > ../killed; kill -9 $(cat ../revctl.pid); sleep 5; }\n");
  team.Land("ann");
  for (const char* name : {"SR_ONE", "SR_AAA"}) {
    team.sandbox.Git("ann", {"fetch", "-q"});
    team.sandbox.Git("ann", {"checkout", "-q", "-b", name, "origin/main"});
    team.Reserve("ann", name);
    team.sandbox.Write("ann/golden/" + std::string(name) + ".yaml",
                       Record(name, 3, {"SR_FOULS"}, "Match"));
    team.sandbox.CommitAll("ann", name);
    team.sandbox.Git("ann", {"push", "-q", "--no-verify", "origin", name});
    REQUIRE(team.HostMerges(name).status == 0);
  }
  team.sandbox.Git("bob", {"checkout", "-q", "-b", "mine"});
  team.sandbox.Git("bob", {"commit", "-q", "--allow-empty", "-m", "mine"});
  const std::string mine = team.sandbox.Git("bob", {"rev-parse", "HEAD"});
  const std::string before = team.sandbox.Git("srv/game.git", {"rev-parse", "main"});
  const auto killed = team.sandbox.Run(
      "bob", {"sh", "-c", "echo $$ > ../revctl.pid; exec '" + ProgramPath() + "' fold --push"});
  CHECK(killed.status != 0);
  REQUIRE(team.sandbox.Exists("killed"));
  CHECK(team.sandbox.Git("srv/game.git", {"rev-parse", "main"}) == before);
  CHECK_FALSE(team.sandbox.Git("bob", {"status", "--porcelain"}).empty());
  const auto again = team.Revctl("bob", {"fold", "--push"});
  INFO(again.err);
  CHECK(again.status == 0);
  CHECK(again.out == "SR_AAA = 3\nSR_ONE = 4\n");
  CHECK_THAT(again.err, Contains("puts back what a fold that was ended had checked out"));
  CHECK(team.sandbox.Git("bob", {"rev-parse", "HEAD"}) == mine);
  CHECK(team.sandbox.Git("bob", {"symbolic-ref", "--short", "HEAD"}) == "mine");
  CHECK(team.sandbox.Git("bob", {"status", "--porcelain"}).empty());
  CHECK(team.sandbox.Git("srv/game.git", {"show", "main:golden/SR_ONE.golden"}) == "added");
}

TEST_CASE("fold: two jobs at once give each number once", "[landing][fold]") {
  const LandingTeam team;
  for (int round = 0; round < 3; ++round) {
    const std::string name = "SR_R" + std::to_string(round);
    team.Branch("ann", name, {name, name + "_B"});
    REQUIRE(team.HostMerges(name).status == 0);
    std::array<base::ProcessResult, 2> runs;
    const char* people[] = {"ann", "bob"};
    std::vector<std::thread> jobs;
    for (std::size_t i = 0; i < 2; ++i)
      jobs.emplace_back([&, i] { runs[i] = team.Revctl(people[i], {"fold", "--push"}); });
    for (auto& job : jobs) job.join();
    const std::string both = name + " = " + std::to_string(3 + 2 * round) + "\n" + name +
                             "_B = " + std::to_string(4 + 2 * round) + "\n";
    for (const auto& run : runs) {
      INFO(run.out << run.err);
      CHECK(run.status == 0);
      CHECK((run.out == both || run.out.empty()));
    }
    CHECK((runs[0].out == both || runs[1].out == both));
  }
  const std::string log =
      team.sandbox.Git("srv/game.git", {"log", "--format=%s", "--first-parent", "main"});
  CHECK(std::count(log.begin(), log.end(), 'N') >= 3);
  std::size_t folds = 0;
  for (std::size_t at = 0; (at = log.find("Numbers for what has landed", at)) != log.npos; ++at)
    ++folds;
  CHECK(folds == 3);
}

TEST_CASE("fold: a target that was force-pushed", "[landing][fold]") {
  const LandingTeam team;
  team.Branch("ann", "one", {"SR_ONE"});
  REQUIRE(team.HostMerges("one").status == 0);
  const std::string before = team.sandbox.Git("srv/game.git", {"rev-parse", "main"});
  REQUIRE(team.Revctl("bob", {"fold", "--push"}).out == "SR_ONE = 3\n");
  // With the gate on the server, no force takes the fold away.
  const auto refused =
      team.sandbox.TryGit("host", {"push", "-q", "-f", "origin", before + ":main"});
  CHECK(refused.status != 0);
  CHECK_THAT(refused.err, Contains("error[RV003]: SR_ONE (3"));
  // An unguarded one is folded anew, from what is there now: the job's clone holds nothing back.
  std::filesystem::remove(team.sandbox.Path("srv/game.git/hooks/pre-receive"));
  team.sandbox.Git("host", {"push", "-q", "-f", "origin", before + ":main"});
  const auto again = team.Revctl("bob", {"fold", "--push"});
  INFO(again.err);
  CHECK(again.out == "SR_ONE = 3\n");
  CHECK(team.sandbox.Git("srv/game.git", {"rev-parse", "main~1"}) == before);
}

TEST_CASE("fold: several lists in one folder", "[landing][fold]") {
  const LandingTeam team;
  team.sandbox.Write("ann/src/net.h", "#pragma once\nenum Net {\n    NET_FIRST=1,\n};\n");
  std::string config = team.sandbox.Read("ann/.revctl.yaml");
  const std::size_t lists = config.find("lists: [");
  REQUIRE(lists != config.npos);
  team.sandbox.Write("ann/.revctl.yaml",
                     config.insert(lists + 8, "{path: src/net.h, name: net, prefix: NET_}, "));
  team.Land("ann");
  REQUIRE(
      team.Revctl("ann", {"convert-numbers", "at-landing", "--list", "net", "--offline"}).status ==
      0);
  team.Land("ann");
  team.sandbox.Git("ann", {"checkout", "-q", "-b", "both"});
  REQUIRE(team.Revctl("ann", {"reserve", "NET_PING", "--list", "net", "-m", "ping"}).status == 0);
  REQUIRE(team.Revctl("ann", {"reserve", "SR_PING", "--list", "main", "-m", "ping"}).status == 0);
  team.sandbox.Write("ann/src/use.cpp", "int a = NET_PING, b = SR_PING;\n");
  CHECK(Rules(team, "ann") == "");
  team.sandbox.CommitAll("ann", "both");
  team.sandbox.Git("ann", {"push", "-q", "--no-verify", "origin", "both"});
  REQUIRE(team.HostMerges("both").status == 0);
  CHECK(team.sandbox.Exists("ann/src/net.pending.inc"));
  team.sandbox.Git("bob", {"pull", "-q"});  // which lists there are is said by the clone's own file
  const auto first = team.Revctl("bob", {"fold", "--push", "--list", "net"});
  INFO(first.err);
  REQUIRE(first.out == "NET_PING = 2\n");
  REQUIRE(team.Revctl("bob", {"fold", "--push"}).out == "SR_PING = 3\n");
  // A fold of one list is undone: the other's stands.
  team.sandbox.Git("bob", {"pull", "-q"});
  team.sandbox.Git("bob", {"revert", "--no-edit", "HEAD~1"});
  CHECK(Rules(team, "bob") == "RV003 error");
}
