// Tests projects that start without a remote and get one later.
#include <catch2/catch.hpp>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <set>

#include "tests/scenarios/team.h"

using namespace revctl::testing;

namespace {

/// A repository without a remote, which has a list and a local ledger in which SR_X = 2 is
/// reserved.
struct Alone {
  Sandbox sandbox;
  Alone() {
    sandbox.NewRepository("alone", "ann");
    Run("alone", {"init", "--new"});
    Run("alone", {"reserve", "SR_X"});
    sandbox.CommitAll("alone", "first");
    sandbox.Git("alone", {"branch", "-q", "-M", "main"});
    sandbox.Git(".", {"init", "-q", "--bare", "-b", "main", "game.git"});
  }
  std::string Run(const std::string& who, const std::vector<std::string>& arguments) const {
    const auto run = sandbox.Revctl(who, arguments);
    INFO(run.out << run.err);
    REQUIRE(run.status == 0);
    return run.out;
  }
  void AddRemote(const std::string& who) const {
    sandbox.Git(who, {"remote", "add", "origin", sandbox.Path("game.git")});
  }
  /// Makes the server reject the ledger's ref, as some hosts do.
  void AcceptOnlyBranchesAndTags() const {
    sandbox.WriteExecutable(
        "game.git/hooks/update",
        "#!/bin/sh\ncase $1 in refs/heads/*|refs/tags/*) exit 0;; esac\nexit 1\n");
  }
  std::string LedgerOnServer() const {
    return sandbox.Git("game.git", {"show", "refs/revctl/ledger:list.main"});
  }
  bool HasOwnLedger(const std::string& who) const {
    return sandbox.TryGit(who, {"rev-parse", "-q", "--verify", "refs/revctl/ledger"}).status == 0;
  }
};

}  // namespace

TEST_CASE("later remote: the next reserve moves the ledger there", "[init][ledger]") {
  const Alone team;
  const auto& sandbox = team.sandbox;
  CHECK(team.Run("alone", {"check"}) == "");
  team.AddRemote("alone");
  sandbox.Git("alone", {"push", "-q", "--no-verify", "origin", "main"});
  // Until the next `reserve`, read-only commands use the ledger in the clone.
  for (const char* command : {"check", "status", "list"}) {
    INFO(command);
    team.Run("alone", {command});
  }
  CHECK(team.Run("alone", {"reserve", "--dry-run"}) == "3\n");
  CHECK(team.HasOwnLedger("alone"));
  const auto moved = sandbox.Revctl("alone", {"reserve", "SR_Y"});
  INFO(moved.err);
  CHECK(moved.out == "SR_Y = 3\n");
  CHECK(Has(moved.err, "this clone's ledger is now on origin, with 2 reserved numbers\n"));
  CHECK_FALSE(team.HasOwnLedger("alone"));
  CHECK(Has(team.LedgerOnServer(), "3 SR_Y "));
  CHECK(sandbox.Git("game.git", {"rev-list", "--count", "refs/revctl/ledger"}) == "3");
  // The ledger moves only once, so later reservations do not mention it.
  const auto next = sandbox.Revctl("alone", {"reserve", "SR_Z"});
  CHECK(next.out == "SR_Z = 4\n");
  CHECK(next.err == "");
  // A new clone uses the moved ledger as usual.
  sandbox.Clone(sandbox.Path("game.git"), "bob", "bob");
  CHECK(team.Run("bob", {"reserve", "SR_OF_BOB"}) == "SR_OF_BOB = 5\n");
  // After the remote is removed, revctl does not assign the same numbers again.
  sandbox.Git("alone", {"remote", "remove", "origin"});
  const auto gone = sandbox.Revctl("alone", {"reserve", "SR_AGAIN"});
  CHECK(gone.status == 3);
  CHECK(Has(gone.err, "would assign the same numbers again"));
}

TEST_CASE("later remote: two clones had separate ledgers", "[init][ledger]") {
  const Alone team;
  const auto& sandbox = team.sandbox;
  REQUIRE(sandbox.Run(".", {"cp", "-r", "alone", "bob"}).status == 0);
  CHECK(team.Run("alone", {"reserve", "SR_A"}) == "SR_A = 3\n");
  CHECK(team.Run("bob", {"reserve", "SR_B"}) == "SR_B = 3\n");
  CHECK(team.Run("bob", {"reserve", "SR_C"}) == "SR_C = 4\n");
  CHECK(team.Run("bob", {"reserve", "SR_D"}) == "SR_D = 5\n");
  for (const std::string who : {"alone", "bob"}) {
    sandbox.CommitAll(who, "work");
    team.AddRemote(who);
  }
  CHECK(team.Run("alone", {"reserve", "SR_E"}) == "SR_E = 4\n");
  const auto second = sandbox.Revctl("bob", {"reserve", "SR_F"});
  INFO(second.out << second.err);
  // No number is assigned twice: 3 and 4 are Ann's, Bob keeps 5, and the next number is 6.
  CHECK(second.out == "SR_F = 6\n");
  CHECK(Has(second.err,
            "merged this clone's ledger into the ledger on origin, where the numbers of SR_B (3), "
            "SR_C (4) are "
            "already taken; run revctl fix to get new numbers\n"));
  CHECK_FALSE(team.HasOwnLedger("bob"));
  const std::string ledger = team.LedgerOnServer();
  for (const char* line : {"3 SR_A ", "4 SR_E ", "5 SR_D ", "6 SR_F "}) CHECK(Has(ledger, line));
  CHECK_FALSE(Has(ledger, "SR_B"));
  // After the revisions of both clones have landed, each number has one name.
  sandbox.CommitAll("alone", "more");
  sandbox.Git("alone", {"push", "-q", "--no-verify", "origin", "main"});
  sandbox.CommitAll("bob", "more");
  sandbox.Git("bob", {"checkout", "-q", "-b", "work"});
  const auto landed = sandbox.Revctl("bob", {"land"});
  INFO(landed.out << landed.err);
  CHECK(landed.status == 0);
  const auto listed = nlohmann::json::parse(team.Run("bob", {"list", "--json"}));
  std::set<std::int64_t> numbers;
  std::set<std::string> names;
  for (const auto& one : listed.at("lists").at(0).at("revisions")) {
    numbers.insert(one.at("number").get<std::int64_t>());
    names.insert(one.at("name").get<std::string>());
  }
  CHECK(names.size() == 8);
  CHECK(numbers.size() == 8);
}

TEST_CASE("later remote: a kill after the push, or another clone was faster", "[init][ledger]") {
  const Alone team;
  const auto& sandbox = team.sandbox;
  team.AddRemote("alone");
  // The ledger was pushed with plain git, so the clone does not know that the ledger has moved.
  sandbox.Git("alone", {"push", "-q", "--no-verify", "origin", "refs/revctl/ledger", "main"});
  sandbox.Clone(sandbox.Path("game.git"), "bob", "bob");
  CHECK(team.Run("bob", {"reserve", "SR_B"}) == "SR_B = 3\n");
  CHECK(team.Run("alone", {"reserve", "SR_Y"}) == "SR_Y = 4\n");
  CHECK_FALSE(team.HasOwnLedger("alone"));
}

TEST_CASE("later remote: a host that accepts only branches", "[init][ledger]") {
  const Alone team;
  const auto& sandbox = team.sandbox;
  team.AcceptOnlyBranchesAndTags();
  team.AddRemote("alone");
  const auto refused = sandbox.Revctl("alone", {"reserve", "SR_Y"});
  INFO(refused.err);
  CHECK(refused.status == 3);
  CHECK(Has(refused.err, "`ledger: refs/heads/revctl-ledger` in .revctl.yaml"));
  CHECK(team.HasOwnLedger("alone"));
  std::string config = sandbox.Read("alone/.revctl.yaml");
  sandbox.Write("alone/.revctl.yaml", config + "ledger: refs/heads/revctl-ledger\n");
  CHECK(team.Run("alone", {"reserve", "SR_Y"}) == "SR_Y = 3\n");
  CHECK_FALSE(team.HasOwnLedger("alone"));
  CHECK(Has(sandbox.Git("game.git", {"show", "refs/heads/revctl-ledger:list.main"}), "2 SR_X "));
}

namespace {

/// A project without a remote that has reserved and abandoned number 3, and then gets a remote on a
/// real server.
struct FirstPush : Alone {
  GitDaemon daemon{sandbox, "srv"};
  FirstPush() {
    std::filesystem::rename(sandbox.Path("game.git"), sandbox.Path("srv/game.git"));
    std::filesystem::create_directory_symlink("srv/game.git", sandbox.Path("game.git"));
    Run("alone", {"reserve", "SR_BURNED"});
    Run("alone", {"abandon", "SR_BURNED"});
    sandbox.CommitAll("alone", "second");
    sandbox.Git("alone", {"remote", "add", "origin", daemon.Url("game.git")});
  }
  revctl::base::ProcessResult Push(std::vector<std::string> arguments) const {
    arguments.insert(arguments.begin(), "push");
    return sandbox.TryGit("alone", arguments);
  }
  void CloneFor(const std::string& who) const {
    sandbox.Clone(daemon.Url("game.git"), who, who);
    Run(who, {"install"});
  }
  bool ServerHasLedger() const {
    return sandbox.TryGit("game.git", {"rev-parse", "-q", "--verify", "refs/revctl/ledger"})
               .status == 0;
  }
};

}  // namespace

TEST_CASE("later remote: the first git push moves the ledger, too", "[init][ledger]") {
  const FirstPush team;
  const auto pushed = team.Push({"-u", "origin", "main"});
  INFO(pushed.out << pushed.err);
  REQUIRE(pushed.status == 0);
  CHECK(Has(pushed.out + pushed.err,
            "this clone's ledger is now on origin, with 0 reserved numbers\n"));
  CHECK(Has(team.LedgerOnServer(), "high-water 3"));
  CHECK_FALSE(team.HasOwnLedger("alone"));
  CHECK(Has(team.Run("alone", {"doctor"}), "ok       ledger: remote origin"));
  // The ledger moves only once, so the second push does not mention it.
  team.sandbox.Git("alone", {"commit", "-q", "--allow-empty", "-m", "third"});
  CHECK_FALSE(Has(team.Push({}).err, "ledger"));
  team.CloneFor("bob");
  CHECK(Has(team.Run("bob", {"doctor"}), "ok       ledger: remote origin"));
  CHECK(team.Run("bob", {"reserve", "SR_OF_BOB"}) == "SR_OF_BOB = 4\n");
  CHECK(team.Run("alone", {"reserve", "SR_Y"}) == "SR_Y = 5\n");
}

TEST_CASE("later remote: both clones report a ledger that was left behind", "[init][ledger]") {
  const FirstPush team;
  const auto& sandbox = team.sandbox;
  REQUIRE(team.Push({"-q", "--no-verify", "-u", "origin", "main"}).status == 0);
  const auto mine = sandbox.Revctl("alone", {"doctor"});
  INFO(mine.out);
  CHECK(mine.status == 1);
  CHECK(Has(mine.out, "missing  ledger: its numbers are only in this clone, not on origin"));
  CHECK(Has(mine.out, "fix: revctl doctor --repair-ledger\n"));
  team.CloneFor("bob");
  const auto theirs = sandbox.Revctl("bob", {"doctor"});
  INFO(theirs.out);
  CHECK(theirs.status == 1);
  CHECK(Has(theirs.out, "it is still in the clone that created it"));
  // Neither a repair nor a reservation assigns a number in Bob's clone.
  for (const std::vector<std::string>& words :
       std::vector<std::vector<std::string>>{{"doctor", "--repair-ledger"}, {"reserve", "SR_B"}}) {
    const auto refused = sandbox.Revctl("bob", words);
    INFO(refused.out << refused.err);
    CHECK(refused.status != 0);
    CHECK(Has(refused.err, "in the clone that has reserved numbers"));
    CHECK_FALSE(team.ServerHasLedger());
  }
  CHECK(Has(team.Run("alone", {"doctor", "--repair-ledger"}),
            "this clone's ledger is now on origin, with 0 reserved numbers\n"));
  CHECK(Has(team.Run("alone", {"doctor"}), "ok       ledger: remote origin"));
  CHECK(team.Run("bob", {"reserve", "SR_OF_BOB"}) == "SR_OF_BOB = 4\n");
  CHECK(Has(team.Run("bob", {"doctor"}), "ok       ledger: remote origin"));
}

TEST_CASE("later remote: a push that cannot move the ledger is stopped", "[init][ledger]") {
  const FirstPush team;
  const auto& sandbox = team.sandbox;
  team.AcceptOnlyBranchesAndTags();
  const auto refused = team.Push({"-u", "origin", "main"});
  INFO(refused.out << refused.err);
  CHECK(refused.status != 0);
  CHECK(Has(refused.err,
            "the ledger is only in this clone, but teammates will need it after this push"));
  CHECK(Has(refused.err, "`ledger: refs/heads/revctl-ledger` in .revctl.yaml"));
  CHECK(sandbox.TryGit("game.git", {"rev-parse", "-q", "--verify", "main"}).status != 0);
  sandbox.Write("alone/.revctl.yaml",
                sandbox.Read("alone/.revctl.yaml") + "ledger: refs/heads/revctl-ledger\n");
  sandbox.CommitAll("alone", "The ledger is on a branch");
  const auto pushed = team.Push({"-u", "origin", "main"});
  INFO(pushed.out << pushed.err);
  CHECK(pushed.status == 0);
  CHECK(
      Has(sandbox.Git("game.git", {"show", "refs/heads/revctl-ledger:list.main"}), "high-water 3"));
}

TEST_CASE("later remote: which pushes move the ledger", "[init][ledger]") {
  const FirstPush team;
  const auto& sandbox = team.sandbox;
  SECTION("a push to another remote does not") {
    sandbox.Git("srv", {"init", "-q", "--bare", "-b", "main", "backup.git"});
    sandbox.Git("alone", {"remote", "add", "backup", team.daemon.Url("backup.git")});
    REQUIRE(team.Push({"-q", "backup", "main"}).status == 0);
    CHECK(team.HasOwnLedger("alone"));
    CHECK_FALSE(team.ServerHasLedger());
  }
  SECTION("a push of another branch to the URL does") {
    REQUIRE(team.Push({"-q", team.daemon.Url("game.git"), "main:refs/heads/work"}).status == 0);
    CHECK(team.ServerHasLedger());
    CHECK_FALSE(team.HasOwnLedger("alone"));
  }
  SECTION("a mirror push contains the ledger") {
    REQUIRE(team.Push({"-q", "--mirror", "origin"}).status == 0);
    CHECK(team.ServerHasLedger());
    CHECK(team.Run("alone", {"reserve", "SR_Y"}) == "SR_Y = 4\n");
    CHECK_FALSE(team.HasOwnLedger("alone"));
  }
  SECTION("without numbers at reserve, a push succeeds even if the server rejects the ledger") {
    team.Run("alone", {"init", "--numbers", "at-landing", "--yes"});
    sandbox.CommitAll("alone", "at landing");
    sandbox.WriteExecutable("game.git/hooks/update",
                            "#!/bin/sh\ncase $1 in refs/heads/*) exit 0;; esac\nexit 1\n");
    const auto pushed = team.Push({"-q", "origin", "main"});
    INFO(pushed.err);
    CHECK(pushed.status == 0);
  }
  SECTION("not with REVCTL=0, which disables all hooks") {
    REQUIRE(sandbox.TryGit("alone", {"push", "-q", "origin", "main"}, {"REVCTL=0"}).status == 0);
    CHECK_FALSE(team.ServerHasLedger());
  }
}
