// Clients without revctl try to disable the server's gate through a real git daemon.
#include <catch2/catch.hpp>

#include "tests/scenarios/attacked.h"

using namespace revctl::testing;

TEST_CASE("protection: many events in one push achieve no more than one event", "[server]") {
  Attacked team;
  REQUIRE(team.Revctl("ann", {"reserve", "SR_BOSS"}).status == 0);
  std::string tip = Attacked::kCopy;
  std::int64_t number = 3;
  std::vector<std::string> tips;
  for (int i = 0; i < 5; ++i) {
    number += 1 << 26;
    const std::string text = std::to_string(number);
    tip = team.Event(tip, "high-water " + text + "\n3 SR_BOSS ann <ann@studio.example>\n",
                     "confirm main SR_X 1\n\nRevision: SR_X " + text + "\n");
    tips.push_back(tip);
  }
  CHECK(Has(team.Push({tips.back() + ":refs/revctl/ledger"}),
            "this push of the ledger raises the high-water mark of list main to 335544323, far "
            "above all numbers assigned so far"));
  CHECK(team.Push({tips[0] + ":refs/revctl/ledger"}).empty());
  CHECK(team.Revctl("bob", {"reserve", "SR_NEXT"}).out == "SR_NEXT = 67108868\n");
}

TEST_CASE("protection: a push with endless events is rejected in time", "[server]") {
  Attacked team;
  REQUIRE(team.Revctl("ann", {"reserve", "SR_BOSS"}).status == 0);
  std::string list = "high-water 50003\n3 SR_BOSS ann <ann@studio.example>\n";
  for (int i = 4; i <= 50003; ++i)
    list += std::to_string(i) + " SR_N" + std::to_string(i) + " eve <e@x>\n";
  // These commits are cheap for git, because they share one tree.
  std::string tip = team.Event(Attacked::kCopy, list, "create main\n");
  for (int i = 0; i < 30; ++i)
    tip =
        team.sandbox.Git("ann", {"commit-tree", tip + "^{tree}", "-p", tip, "-m", "confirm main"});
  CHECK(Has(team.Push({tip + ":refs/revctl/ledger"}),
            "this push has too many events and reservations to check"));
}

TEST_CASE("protection: a handwritten number cannot use up all numbers", "[server]") {
  const Team team;
  team.sandbox.Write(std::string("ann/") + Team::kList,
                     "enum R {\n  SR_INITIAL=1,\n  SR_FOULS=2,\n  SR_X=2147483000,\n};\n");
  const auto run = team.Revctl("ann", {"fix"});
  CHECK(run.status == 2);
  CHECK(Has(run.err, "raises the high-water mark of list main to 2147483000, far above all"));
  CHECK(Has(run.err, "fix: choose a lower number"));
}

TEST_CASE("protection: only a take-over can move a reservation", "[server]") {
  Attacked team;
  REQUIRE(team.Revctl("ann", {"reserve", "SR_BOSS"}).status == 0);
  const std::string list = "high-water 3\n3 SR_BOSS eve <e@x>\n";
  for (const char* kind : {"reserve", "confirm", "renumber", "create", "release"}) {
    INFO(kind);
    const std::string event = team.Event(
        Attacked::kCopy, list, std::string(kind) + " main SR_BOSS 3\n\nRevision: SR_BOSS 3\n");
    CHECK(Has(team.Push({event + ":refs/revctl/ledger"}), "SR_BOSS = 3"));
  }
  const std::string moved = team.Event(Attacked::kCopy, "high-water 4\n4 SR_BOSS eve <e@x>\n",
                                       "take-over main SR_BOSS 4\n\nRevision: SR_BOSS 4\n");
  CHECK(Has(team.Push({moved + ":refs/revctl/ledger"}), "but a take-over cannot"));
  const std::string said =
      team.Event(Attacked::kCopy, list, "take-over main SR_BOSS 3\n\nRevision: SR_BOSS 3\n");
  CHECK(team.Push({said + ":refs/revctl/ledger"}).empty());
  CHECK(Has(team.Revctl("bob", {"reserve", "SR_BOSS"}).err, "is reserved by eve <e@x>"));
}

TEST_CASE("protection: the ledger's tree must not contain folders", "[server]") {
  Attacked team;
  REQUIRE(team.Revctl("ann", {"reserve", "SR_BOSS"}).status == 0);
  const std::string copy = Attacked::kCopy;
  const std::string head = team.sandbox.Git("ann", {"rev-parse", copy + ":ledger"}),
                    list = team.sandbox.Git("ann", {"rev-parse", copy + ":list.main"});
  const auto tree = [&](const std::string& entries) {
    return team.sandbox.Run("ann", {"git", "mktree"}, {}, entries).out.substr(0, 40);
  };
  const std::string folder = tree("100644 blob " + list + "\tb\n");
  const std::string forged =
      team.sandbox.Git("ann", {"commit-tree",
                               tree("100644 blob " + head + "\tledger\n040000 tree " + folder +
                                    "\tlist.a\n" + "100644 blob " + list + "\tlist.main\n"),
                               "-p", copy, "-m", "create"});
  CHECK(Has(team.Push({forged + ":refs/revctl/ledger"}), "contains an unexpected file 'list.a/b'"));
  // On a server whose ledger already contains the forged event, users can continue to work, and
  // `doctor` repairs the ledger.
  team.sandbox.Git("ann", {"push", "-q", "--no-verify", team.sandbox.Path("srv/game.git"),
                           forged + ":refs/revctl/aside"});
  team.sandbox.Git("srv/game.git", {"update-ref", "refs/revctl/ledger", forged});
  const auto reserved = team.Revctl("bob", {"reserve", "SR_STAMINA", "--dry-run"});
  CHECK(reserved.out == "SR_STAMINA = 4\n");
  CHECK(Has(reserved.err, "fix: revctl doctor --repair-ledger"));
  const auto doctor = team.Revctl("bob", {"doctor"});
  CHECK(Has(doctor.out, "missing  ledger: the ledger at " + forged.substr(0, 10)));
  const auto repaired = team.Revctl("bob", {"doctor", "--repair-ledger"});
  INFO(repaired.err);
  CHECK(repaired.status == 0);
  CHECK(team.Revctl("bob", {"reserve", "SR_STAMINA"}).out == "SR_STAMINA = 4\n");
  CHECK(Has(team.Revctl("bob", {"doctor"}).out, "ok       ledger"));
}

TEST_CASE("protection: replace refs cannot hide what lands", "[server]") {
  Attacked team;
  const std::string pong = "ann/games/pong/";
  team.sandbox.Write(pong + ".revctl.yaml",
                     "version: 1\nlists: [{path: list.h, name: pong, prefix: PR_}]\n");
  team.sandbox.Write(pong + "list.h", "enum Pong {\n    PR_INITIAL=1,\n    PR_BALL=2,\n};\n");
  REQUIRE(team.PushCommit("pong").empty());
  const std::string sound = team.sandbox.Git("ann", {"rev-parse", "HEAD"});
  team.sandbox.Write(pong + "list.h", "enum Pong {\n    PR_INITIAL=1,\n    PR_BALL=7,\n};\n");
  team.sandbox.CommitAll("ann", "landed numbers");
  const std::string bad = team.sandbox.Git("ann", {"rev-parse", "HEAD"});
  const std::string empty_tree = team.sandbox.Run("ann", {"git", "mktree"}, {}, "").out;
  const std::string empty = team.sandbox.Git(
      "ann", {"commit-tree", empty_tree.substr(0, 40), "-p", sound, "-m", "nothing here"});
  for (const std::string& replaced : {bad, sound}) {
    team.sandbox.Git("ann", {"update-ref", "refs/replace/" + replaced, empty});
    CHECK(Has(team.Push({"refs/replace/" + replaced}), "would replace landed objects"));
    team.sandbox.Git("ann", {"push", "-q", "--no-verify", team.sandbox.Path("srv/game.git"),
                             empty + ":refs/heads/aside"});
    team.sandbox.Git("srv/game.git", {"update-ref", "refs/replace/" + replaced, empty});
  }
  team.sandbox.Git("srv/game.git", {"branch", "-D", "-q", "aside"});
  CHECK(Has(team.Push({bad + ":main"}), "PR_BALL (2, line 3 on main"));
  team.sandbox.Git("srv/game.git", {"update-ref", "-d", "refs/replace/" + bad});
  CHECK(Has(team.Push({bad + ":main"}), "PR_BALL (2, line 3 on main"));
}

TEST_CASE("protection: a project's ledger if HEAD lacks the project", "[server]") {
  Attacked team;
  team.sandbox.Git("ann", {"rm", "-q", ".revctl.yaml"});
  team.sandbox.Git("ann", {"commit", "-qm", "none at the root", "--no-verify"});
  team.sandbox.Git("srv/game.git", {"config", "revctl.allowPolicyChange", "true"});
  REQUIRE(team.Push({"HEAD:main"}).empty());
  team.sandbox.Git("srv/game.git", {"config", "--unset", "revctl.allowPolicyChange"});
  team.sandbox.Write("ann/games/pong/.revctl.yaml",
                     "version: 1\nlists: [{path: list.h, name: pong, prefix: PR_}]\ntarget: dev\n");
  team.sandbox.Write("ann/games/pong/list.h", "enum Pong {\n    PR_INITIAL=1,\n};\n");
  REQUIRE(team.PushCommit("pong", "refs/heads/dev").empty());
  REQUIRE(team.Revctl("ann/games/pong", {"reserve", "PR_BALL"}).out == "PR_BALL = 2\n");
  REQUIRE(team.Revctl("ann/games/pong", {"reserve", "PR_WALL"}).out == "PR_WALL = 3\n");
  CHECK(Has(team.Push({":refs/revctl/ledger"}), "must not be deleted"));
  CHECK(Has(team.Push({"-f", std::string(Attacked::kCopy) + "~:refs/revctl/ledger"}),
            "must not be rewritten"));
  // The next ledger event closes the reservations of revisions that have landed on dev.
  team.sandbox.CommitAll("ann", "ball, wall");
  REQUIRE(team.Push({"HEAD:refs/heads/dev"}).empty());
  const auto next = team.Revctl("ann/games/pong", {"reserve", "PR_GAME"});
  INFO(next.err);
  CHECK(next.out == "PR_GAME = 4\n");
  // The server protects the ledger even after the last branch with a config is gone.
  team.sandbox.Git("srv/game.git", {"update-ref", "-d", "refs/heads/dev"});
  CHECK(Has(team.Push({":refs/revctl/ledger"}), "must not be deleted"));
}

TEST_CASE("protection: a policy that ends protection cannot land", "[server]") {
  Attacked team;
  team.Policy("releases: [\"release/*\"]\nledger_id: " + std::string(16, 'a') + "\n");
  REQUIRE(team.PushCommit("a policy").empty());
  const std::string sound = team.sandbox.Git("ann", {"rev-parse", "HEAD"});
  REQUIRE(team.Push({"HEAD:refs/heads/other"}).empty());
  const std::string kept = "releases: [\"release/*\"]\nledger_id: " + std::string(16, 'a') + "\n";
  const std::pair<std::string, std::string> ends[] = {
      {std::string(Team::kConfig) + kept + "target: other\n", "the lists on main"},
      {std::string(Team::kConfig) + "ledger_id: " + std::string(16, 'a') + "\n",
       "branches like release/*"},
      {std::string(Team::kConfig) + kept + "allow: [{rule: RV004, reason: none}]\n",
       "RV004 would let the next change"},
      {"version: 1\nlists: [{path: src/master_version_list.h, aliases: [\"SR_*\"]}]\n" + kept,
       "SR_INITIAL has landed, but would no longer be a revision"},
      {"version: 1\nlists: [{path: src/master_version_list.h, prefix: XX_}]\n" + kept,
       "could no longer be read"},
      {"version: 1\nlists: [{path: src/master_version_list.h, sentinel: SR_FOULS}]\n" + kept,
       "SR_FOULS has landed, but would no longer be a revision"},
      {"version: 1\nlists: [{path: src/master_version_list.h, current: SR_FOULS}]\n" + kept,
       "SR_FOULS has landed, but would no longer be a revision"},
      {"version: 1\nlists: [{path: src/master_version_list.h, name: other}]\n" + kept,
       "was removed from .revctl.yaml"}};
  for (const auto& [policy, why] : ends) {
    INFO(policy);
    team.sandbox.Write("ann/.revctl.yaml", policy);
    team.sandbox.CommitAll("ann", "ends protection");
    const auto checked = team.Revctl("ann", {"check"});
    CHECK(checked.status == 1);
    CHECK(Has(checked.out, why));
    CHECK(Has(team.Push({"HEAD:main"}), why));
    team.sandbox.Git("ann", {"reset", "-q", "--hard", sound});
  }
  // The administrator can allow a push that removes a protection, but the server still reports it.
  team.sandbox.Write("ann/.revctl.yaml", ends[0].first);
  team.sandbox.CommitAll("ann", "another target");
  team.sandbox.Git("srv/game.git", {"config", "revctl.allowPolicyChange", "true"});
  const auto pushed = team.sandbox.TryGit("ann", {"push", "--no-verify", "origin", "HEAD:main"});
  CHECK(pushed.status == 0);
  CHECK(Has(pushed.err, "warning[RV024]"));
}

TEST_CASE("protection: a policy cannot name a different ledger", "[server]") {
  Attacked team;
  REQUIRE(team.Revctl("ann", {"reserve", "SR_BOSS"}).status == 0);
  team.sandbox.Git("ann", {"checkout", "-q", "."});
  const std::string head =
      team.sandbox.Git("ann", {"cat-file", "blob", std::string(Attacked::kCopy) + ":ledger"});
  team.Policy("ledger_id: " + std::string(32, 'a') + "\n");
  CHECK(Has(team.PushCommit("a strange id"), "no revision could be reserved"));
  const auto checked = team.Revctl("ann", {"check"});
  CHECK(checked.status == 3);
  CHECK(Has(checked.err, "belongs to another project"));
  team.Policy("ledger_id: " + head.substr(head.rfind(' ') + 1) + "\n");
  CHECK(team.PushCommit("its own id").empty());
  CHECK(team.Revctl("bob", {"reserve", "SR_STAMINA"}).out == "SR_STAMINA = 4\n");
}

TEST_CASE("protection: HEAD's branch determines the target", "[server]") {
  Attacked team;
  team.sandbox.Git("srv/game.git", {"branch", "front", "main"});
  team.sandbox.Git("srv/game.git", {"symbolic-ref", "HEAD", "refs/heads/front"});
  team.Policy("target: front\n");
  CHECK(Has(team.PushCommit("another target", "refs/heads/front"), "the lists on main"));
  team.sandbox.Git("ann", {"rm", "-q", ".revctl.yaml"});
  team.sandbox.Git("ann", {"commit", "-qm", "no policy", "--no-verify"});
  CHECK(Has(team.Push({"HEAD:refs/heads/front"}), "so nothing would protect main"));
  team.sandbox.Write("ann/.revctl.yaml", "nonsense: [\n");
  CHECK(Has(team.PushCommit("broken", "refs/heads/front"), "breaks .revctl.yaml on front"));
  team.Policy("");
  team.sandbox.Write("ann/README", "text\n");
  CHECK(team.PushCommit("something else", "refs/heads/front").empty());
}

TEST_CASE("protection: a file name cannot inject a command into a CI system", "[server]") {
  Attacked team;
  const std::string name = "ann/src/a\n::add-mask::b\x1b[2J##[add-mask]c.cpp";
  team.sandbox.Write(name, "ADD(SR_FOULS, fouls);\nif (r.revision < 2) x();\n");
  team.sandbox.Git("ann", {"add", "-A"});
  for (const char* format : {"text", "github", "json", "gitlab", "sarif", "junit"}) {
    INFO(format);
    const auto run = team.Revctl("ann", {"--format", format, "check"});
    const std::string all = run.out + run.err;
    CHECK(Has(all, "RV022"));
    CHECK_FALSE(Has(all, "\n::add-mask"));
    CHECK_FALSE(Has(all, "\x1b"));
    CHECK_FALSE(Has(all, "##[add"));
  }
}
