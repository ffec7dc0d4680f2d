// A project that begins without a remote, and gets one later.
#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>
#include <set>

#include "tests/scenarios/team.h"

using namespace revctl::testing;

namespace {

/// A repository without a remote, with a list and a local ledger that has reserved SR_X = 2.
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
  // Until then, everything that only reads uses the ledger of the clone.
  for (const char* command : {"check", "status", "list"}) {
    INFO(command);
    team.Run("alone", {command});
  }
  CHECK(team.Run("alone", {"reserve", "--dry-run"}) == "3\n");
  CHECK(team.HasOwnLedger("alone"));
  const auto moved = sandbox.Revctl("alone", {"reserve", "SR_Y"});
  INFO(moved.err);
  CHECK(moved.out == "SR_Y = 3\n");
  CHECK(Has(moved.err, "the ledger of this clone is now on origin, with 2 reserved numbers\n"));
  CHECK_FALSE(team.HasOwnLedger("alone"));
  CHECK(Has(team.LedgerOnServer(), "3 SR_Y "));
  CHECK(sandbox.Git("game.git", {"rev-list", "--count", "refs/revctl/ledger"}) == "3");
  // Once is enough.
  const auto next = sandbox.Revctl("alone", {"reserve", "SR_Z"});
  CHECK(next.out == "SR_Z = 4\n");
  CHECK(next.err == "");
  // A clone joins as usual.
  sandbox.Clone(sandbox.Path("game.git"), "bob", "bob");
  CHECK(team.Run("bob", {"reserve", "SR_OF_BOB"}) == "SR_OF_BOB = 5\n");
  // If the remote goes away again, the numbers are not given a second time.
  sandbox.Git("alone", {"remote", "remove", "origin"});
  const auto gone = sandbox.Revctl("alone", {"reserve", "SR_AGAIN"});
  CHECK(gone.status == 3);
  CHECK(Has(gone.err, "would give numbers twice"));
}

TEST_CASE("later remote: two clones had ledgers of their own", "[init][ledger]") {
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
  // No number is given twice: 3 and 4 are Ann's. Bob keeps 5, and 6 is the next one.
  CHECK(second.out == "SR_F = 6\n");
  CHECK(Has(second.err,
            "is now merged into the one on origin, where others have the numbers of SR_B (3), SR_C "
            "(4); run revctl fix for new numbers\n"));
  CHECK_FALSE(team.HasOwnLedger("bob"));
  const std::string ledger = team.LedgerOnServer();
  for (const char* line : {"3 SR_A ", "4 SR_E ", "5 SR_D ", "6 SR_F "}) CHECK(Has(ledger, line));
  CHECK_FALSE(Has(ledger, "SR_B"));
  // Both land; then each number has one name.
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

TEST_CASE("later remote: killed after the push, or faster in another clone", "[init][ledger]") {
  const Alone team;
  const auto& sandbox = team.sandbox;
  team.AddRemote("alone");
  // The ledger was pushed, and the clone does not know that.
  sandbox.Git("alone", {"push", "-q", "--no-verify", "origin", "refs/revctl/ledger", "main"});
  sandbox.Clone(sandbox.Path("game.git"), "bob", "bob");
  CHECK(team.Run("bob", {"reserve", "SR_B"}) == "SR_B = 3\n");
  CHECK(team.Run("alone", {"reserve", "SR_Y"}) == "SR_Y = 4\n");
  CHECK_FALSE(team.HasOwnLedger("alone"));
}

TEST_CASE("later remote: a host that takes branches only", "[init][ledger]") {
  const Alone team;
  const auto& sandbox = team.sandbox;
  sandbox.WriteExecutable(
      "game.git/hooks/update",
      "#!/bin/sh\ncase $1 in refs/heads/*|refs/tags/*) exit 0;; esac\nexit 1\n");
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
