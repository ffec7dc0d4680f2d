// Tests the gate as a server hook, with a real git daemon, against clients without revctl.
#include <catch2/catch.hpp>

#include "tests/scenarios/team.h"

using namespace revctl::testing;

namespace {

struct Guarded : Team {
  Guarded() { GuardServer(); }
  std::string Push(const std::string& person, const std::vector<std::string>& what) {
    std::vector<std::string> arguments = {"push", "--no-verify", "origin"};
    arguments.insert(arguments.end(), what.begin(), what.end());
    auto result = sandbox.TryGit(person, arguments);
    return result.status == 0 ? "" : result.err;
  }
};

}  // namespace

TEST_CASE("pre-receive: reserved revisions can land, others cannot", "[server]") {
  Guarded team;
  REQUIRE(team.Revctl("ann", {"reserve", "SR_BOSS"}).status == 0);
  team.sandbox.CommitAll("ann", "boss");
  CHECK(team.Push("ann", {"HEAD:main"}).empty());
  AddByHand(team, "bob", "SR_STAMINA=3,");
  team.sandbox.CommitAll("bob", "stamina");
  CHECK(team.Push("bob", {"HEAD:refs/heads/feature"}).empty());
  CHECK(team.Push("bob", {"-f", "HEAD:main"}).find("SR_BOSS") != std::string::npos);
  team.sandbox.TryGit("bob", {"pull", "-q", "--rebase", "-X", "theirs"});
  team.sandbox.Write(std::string("bob/") + Team::kList, team.List("ann"));
  AddByHand(team, "bob", "SR_STAMINA=4,");
  team.sandbox.CommitAll("bob", "stamina, again");
  CHECK(team.Push("bob", {"HEAD:main"}).find("RV011") != std::string::npos);
  REQUIRE(team.Revctl("bob", {"fix"}).status == 0);
  // The commit that removed Ann's line would stay in main's history, so it must be squashed.
  CHECK(SquashAsTold(team, "bob", team.Push("bob", {"HEAD:main"})));
  CHECK(team.Push("bob", {"HEAD:main"}).empty());
}

TEST_CASE("pre-receive: the ledger cannot be deleted, rewritten or forged", "[server]") {
  Guarded team;
  REQUIRE(team.Revctl("ann", {"reserve", "SR_BOSS"}).status == 0);
  REQUIRE(team.Revctl("ann", {"reserve", "SR_TWO"}).status == 0);
  CHECK(team.Push("ann", {":refs/revctl/ledger"}).find("must not be deleted") != std::string::npos);
  CHECK(team.Push("ann", {"-f", "refs/revctl/remotes/origin/ledger~1:refs/revctl/ledger"})
            .find("must not be rewritten") != std::string::npos);
  CHECK(team.Push("ann", {"-f", "HEAD:refs/revctl/ledger"}).find("RV011") != std::string::npos);

  // Forge an event that assigns a number a second time.
  const std::string tip = "refs/revctl/remotes/origin/ledger";
  auto forge = [&](const std::string& list,
                   const std::string& event = "reserve main SR_EVIL 3\n\nRevision: SR_EVIL 3\n") {
    team.sandbox.Write("forged", list);
    const std::string blob = team.sandbox.Git("ann", {"hash-object", "-w", "../forged"});
    const std::string head = team.sandbox.Git("ann", {"rev-parse", tip + ":ledger"});
    auto tree =
        team.sandbox.Run("ann", {"git", "mktree"}, {},
                         "100644 blob " + head + "\tledger\n100644 blob " + blob + "\tlist.main\n");
    const std::string commit =
        team.sandbox.Git("ann", {"commit-tree", tree.out.substr(0, 40), "-p", tip, "-m", event});
    return team.Push("ann", {commit + ":refs/revctl/ledger"});
  };
  CHECK(forge("revctl-ledger-list 1\nhigh-water 4\n3 SR_EVIL Eve <e@x>\n4 SR_TWO ann "
              "<ann@studio.example>\n")
            .find("have already been assigned") != std::string::npos);
  CHECK(forge("revctl-ledger-list 1\nhigh-water 3\n3 SR_BOSS ann <ann@studio.example>\n")
            .find("list main from 4") != std::string::npos);
  CHECK(forge("nonsense\n").find("cannot be read") != std::string::npos);
  // Events that contradict the tree of their commit.
  const std::string both =
      "3 SR_BOSS ann <ann@studio.example>\n4 SR_TWO ann <ann@studio.example>\n";
  const std::string five = "reserve main SR_OK 5\n\nRevision: SR_OK 5\n", all = "2147483647";
  CHECK(forge("revctl-ledger-list 1\nhigh-water " + all + "\n", five).find("far above") !=
        std::string::npos);
  CHECK(forge("revctl-ledger-list 1\nhigh-water " + all + "0\n", five).find("cannot be read") !=
        std::string::npos);
  CHECK(forge("revctl-ledger-list 1\nhigh-water 6\n" + both + "6 SR_OK ann <ann@studio.example>\n",
              five)
            .find("assigns SR_OK = 6 to ann") != std::string::npos);
  CHECK(forge("revctl-ledger-list 1\nhigh-water 5\n3 SR_BOSS eve <e@x>\n4 SR_TWO ann "
              "<ann@studio.example>\n5 SR_OK ann <ann@studio.example>\n",
              five)
            .find("assigns SR_BOSS = 3 to eve") != std::string::npos);
  CHECK(forge("revctl-ledger-list 1\nhigh-water 5\n" + both + "5 SR_OK ann <ann@studio.example>\n",
              five)
            .empty());
}

TEST_CASE("pre-receive: accepts every event that revctl writes", "[server]") {
  Guarded team;
  REQUIRE(team.Revctl("ann", {"reserve", "SR_BOSS"}).status == 0);
  team.sandbox.CommitAll("ann", "boss");
  REQUIRE(team.Revctl("bob", {"reserve", "SR_STAMINA"}).status == 0);
  CHECK(team.Push("bob", {"HEAD:refs/heads/other"}).empty());
  REQUIRE(team.Revctl("bob", {"reserve", "SR_DOOR"}).status == 0);
  team.sandbox.CommitAll("bob", "stamina, doors");
  CHECK(team.Push("bob", {"HEAD:main"}).empty());
  team.InstallDriver("ann");
  team.sandbox.Git("ann", {"pull", "-q", "--rebase"});
  CHECK(team.Revctl("ann", {"fix"}).out ==
        "SR_BOSS = 6 confirmed\n");  // `fix` also closes reservations that have landed
  CHECK(team.Revctl("bob", {"reserve", "SR_BOSS", "--take-over"}).out == "SR_BOSS = 6\n");
  CHECK(team.Revctl("bob", {"abandon", "SR_BOSS"}).status == 0);
  AddByHand(team, "bob", "SR_HAND=900,");
  CHECK(team.Revctl("bob", {"fix"}).out == "SR_HAND = 900 confirmed\n");
  // `doctor` restores a lost ledger.
  team.sandbox.Git("srv/game.git", {"update-ref", "-d", "refs/revctl/ledger"});
  CHECK(team.Revctl("bob", {"doctor", "--repair-ledger"}).status == 0);
  CHECK(team.Revctl("ann", {"reserve", "--dry-run"}).out == "901\n");
}

TEST_CASE("pre-receive: the target's policy applies if HEAD's policy is bad", "[server]") {
  Guarded team;
  team.sandbox.Write("ann/.revctl.yaml",
                     std::string(Team::kConfig) + "target: main\nreleases: [\"release/*\"]\n");
  team.sandbox.CommitAll("ann", "target");
  REQUIRE(team.Push("ann", {"HEAD:main"}).empty());
  team.sandbox.Git("srv/game.git", {"symbolic-ref", "HEAD", "refs/heads/master"});
  std::string list = team.List("ann");
  list.replace(list.find("SR_FOULS=2"), 10, "SR_FOULS=7");
  team.sandbox.Write(std::string("ann/") + Team::kList, list);
  team.sandbox.Write("ann/.revctl.yaml", std::string(Team::kConfig) + "target: nowhere\n");
  team.sandbox.CommitAll("ann", "another target, and a landed number");
  CHECK(team.Push("ann", {"HEAD:refs/heads/aside"}).empty());  // accepted, because the branch does
                                                               // not affect main
  CHECK(team.Push("ann", {"HEAD:main"}).find("RV004") != std::string::npos);
  CHECK(team.Push("ann", {":refs/heads/main"}).find("must not be deleted") != std::string::npos);
  // A new release branch is checked against the target's list, even if it has no config of its own.
  team.sandbox.Git("ann", {"rm", "-q", ".revctl.yaml"});
  team.sandbox.Git("ann", {"commit", "-qm", "no policy at all", "--no-verify"});
  CHECK(team.Push("ann", {"HEAD:refs/heads/release/2"}).find("RV018") != std::string::npos);
  CHECK(team.Push("ann", {"origin/main:refs/heads/release/1"}).empty());
}

TEST_CASE("pre-receive: a push can fix an unreadable policy", "[server]") {
  Guarded team;
  team.sandbox.Write("ann/.revctl.yaml", std::string(Team::kConfig) + "nonsense: 1\n");
  team.sandbox.CommitAll("ann", "nonsense");
  team.sandbox.Git("ann", {"push", "-q", "--no-verify", team.sandbox.Path("srv/game.git"),
                           "HEAD:refs/heads/aside"});
  team.sandbox.Git("srv/game.git", {"update-ref", "refs/heads/main", "refs/heads/aside"});
  CHECK(team.Push("bob", {"HEAD:refs/heads/feature"}).find("unknown key 'nonsense'") !=
        std::string::npos);
  team.sandbox.Write("ann/.revctl.yaml", Team::kConfig);
  team.sandbox.CommitAll("ann", "sense");
  CHECK(team.Push("ann", {"HEAD:main"}).empty());
}

TEST_CASE("pre-receive: projects in folders are protected like the root", "[server]") {
  Guarded team;
  const std::string pong = "ann/games/pong/";
  team.sandbox.Write(pong + ".revctl.yaml",
                     "version: 1\nlists: [{path: src/list.h, name: pong, prefix: PR_}]\n");
  team.sandbox.Write(pong + "src/list.h", "enum Pong {\n    PR_INITIAL=1,\n    PR_BALL=2,\n};\n");
  team.sandbox.Write("ann/tests/data/.revctl.yaml",
                     "nonsense: 1\n");  // accepted, because it may be another team's test data
  team.sandbox.CommitAll("ann", "pong");
  CHECK(team.Push("ann", {"HEAD:main"}).empty());
  REQUIRE(team.Revctl("ann/games/pong", {"reserve", "PR_PADDLE"}).out == "PR_PADDLE = 3\n");
  REQUIRE(team.Revctl("ann", {"reserve", "SR_BOSS"}).out ==
          "SR_BOSS = 3\n");  // both lists share one ledger
  team.sandbox.CommitAll("ann", "paddle, boss");
  CHECK(team.Push("ann", {"HEAD:main"}).empty());
  team.sandbox.Write(
      pong + "src/list.h",
      "enum Pong {\n    PR_INITIAL=1,\n    PR_BALL=7,\n    PR_PADDLE=8,\n    PR_HAND=9,\n};\n");
  team.sandbox.CommitAll("ann", "landed numbers, by hand");
  const std::string refused = team.Push("ann", {"HEAD:main"});
  CHECK(refused.find("games/pong/src/list.h") != std::string::npos);
  CHECK(refused.find("RV004") != std::string::npos);
  // Deleting or breaking the config does not bypass the gate.
  team.sandbox.Git("ann", {"rm", "-q", "games/pong/.revctl.yaml"});
  team.sandbox.Git("ann", {"commit", "-qm", "no policy", "--no-verify"});
  CHECK(team.Push("ann", {"HEAD:main"}).find("removes games/pong/.revctl.yaml") !=
        std::string::npos);
}

TEST_CASE("doctor: a single event cannot use up all numbers", "[server]") {
  Team team;
  REQUIRE(team.Revctl("ann", {"reserve", "SR_BOSS"}).status == 0);
  const std::string tip = "refs/revctl/remotes/origin/ledger";
  team.sandbox.Write(
      "ruined",
      "revctl-ledger-list 1\nhigh-water 2147483647\n3 SR_BOSS ann <ann@studio.example>\n");
  const std::string blob = team.sandbox.Git("ann", {"hash-object", "-w", "../ruined"}),
                    head = team.sandbox.Git("ann", {"rev-parse", tip + ":ledger"});
  auto tree =
      team.sandbox.Run("ann", {"git", "mktree"}, {},
                       "100644 blob " + head + "\tledger\n100644 blob " + blob + "\tlist.main\n");
  const std::string ruin =
      team.sandbox.Git("ann", {"commit-tree", tree.out.substr(0, 40), "-p", tip, "-m",
                               "reserve main SR_X 5\n\nRevision: SR_X 5\n"});
  team.sandbox.Git("ann", {"push", "-q", "--no-verify", "origin", ruin + ":refs/revctl/ledger"});
  const auto reserved = team.Revctl("bob", {"reserve", "SR_STAMINA"});
  CHECK(reserved.out == "SR_STAMINA = 4\n");
  CHECK(reserved.err.find("far above all numbers assigned so far") != std::string::npos);
  SECTION("the event is still on the server") {}
  SECTION("the administrator has reset the ledger") {
    team.sandbox.Git("srv/game.git", {"update-ref", "refs/revctl/ledger", ruin + "~1"});
  }
  auto repaired = team.Revctl("bob", {"doctor", "--repair-ledger"});
  INFO(repaired.out << repaired.err);
  CHECK(repaired.status == 0);
  CHECK(team.Revctl("bob", {"reserve", "SR_STAMINA"}).out == "SR_STAMINA = 4\n");
  CHECK(team.Revctl("ann", {"doctor", "--repair-ledger"}).status == 0);
  CHECK(team.Revctl("ann", {"reserve", "SR_DOOR"}).out == "SR_DOOR = 5\n");
}
