// What is said fits the case at hand: an old commit, an old copy, a merge going on, a commit.
#include <signal.h>

#include <catch2/catch.hpp>

#include "tests/scenarios/team.h"

using revctl::testing::Has;
using revctl::testing::Sandbox;
using revctl::testing::Team;

TEST_CASE("words: an old commit is compared with today's target", "[words]") {
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
    CHECK(Has(said.err, "behind origin/main at "));
  }
  team.sandbox.Git("ann", {"checkout", "-q", "main"});  // a branch that is behind is the usual case
  CHECK_FALSE(Has(team.Revctl("ann", {"status"}).err, "behind origin/main"));
}

TEST_CASE("words: what an old copy of the ledger does not know", "[words]") {
  Team team;
  REQUIRE(team.Revctl("ann", {"reserve", "SR_BOSS"}).status == 0);
  REQUIRE(team.Revctl("bob", {"status", "--fetch"}).status == 0);
  REQUIRE(team.Revctl("ann", {"reserve", "SR_STAMINA"}).status == 0);
  team.sandbox.CommitAll("ann", "two");
  team.sandbox.Git("ann", {"push", "-q", "origin", "HEAD:refs/heads/two"});
  team.sandbox.Git("bob", {"fetch", "-q", "origin", "two"});
  team.sandbox.Git("bob", {"checkout", "-q", "FETCH_HEAD"});
  const auto check = team.Revctl("bob", {"check"});
  INFO(check.out);
  CHECK(Has(check.out, "as far as this clone's copy of the ledger goes, which is of 20"));
  CHECK(Has(check.out, "revctl check --fetch"));
  const auto status = team.Revctl("bob", {"status"});
  INFO(status.out);
  CHECK(Has(status.out, "SR_STAMINA = 4  provisional: not in this clone's copy of the ledger"));
  CHECK(Has(status.out, "revctl status --fetch"));
  // Either command asks, and then it is there.
  CHECK(team.Revctl("bob", {"check", "--fetch"}).status == 0);
  CHECK(Has(team.Revctl("bob", {"status"}).out, "SR_STAMINA = 4  pending: can land"));
}

TEST_CASE("words: in the middle of a merge, its commit is judged", "[words]") {
  Team team;
  REQUIRE(team.Revctl("ann", {"reserve", "SR_BOSS"}).status == 0);
  team.Land("ann");
  REQUIRE(team.Revctl("bob", {"reserve", "SR_STAMINA"}).status == 0);
  team.sandbox.CommitAll("bob", "stamina");
  team.sandbox.Git("bob", {"fetch", "-q"});
  REQUIRE(team.sandbox.TryGit("bob", {"merge", "--no-edit", "origin/main"}).status == 1);
  REQUIRE(team.Revctl("bob", {"resolve"}).status == 0);
  const auto before = team.Revctl("bob", {"check"});
  INFO(before.out << before.err);
  CHECK(before.status == 0);
  CHECK(Has(before.err, "git commit"));
  CHECK_FALSE(Has(before.out, "git merge"));
  team.sandbox.Git("bob", {"commit", "-qam", "merged"});
  const auto after = team.Revctl("bob", {"check"});
  CHECK(after.status == 0);
  CHECK_FALSE(Has(after.err, "git commit"));
}

TEST_CASE("words: a commit hears of what the push will refuse", "[words]") {
  Team team({"ann"});
  team.InstallDriver("ann");
  REQUIRE(team.Revctl("ann", {"reserve", "SR_BOSS"}).status == 0);
  const auto fine = team.sandbox.TryGit("ann", {"commit", "-qam", "reserved"});
  CHECK(fine.status == 0);
  CHECK_FALSE(Has(fine.out + fine.err, "RV011"));
  AddByHand(team, "ann", "SR_HAND=9,");
  const auto said = team.sandbox.TryGit("ann", {"commit", "-qam", "by hand"});
  INFO(said.out << said.err);
  CHECK(said.status == 0);
  CHECK(Has(said.out + said.err, "warning[RV011]: SR_HAND (9) is not reserved"));
  CHECK(Has(said.out + said.err, "a push to origin/main is refused until that is mended"));
  CHECK(team.sandbox.TryGit("ann", {"push", "-q", "origin", "HEAD:main"}).status != 0);
  REQUIRE(team.Revctl("ann", {"renumber"}).status == 0);
  team.sandbox.CommitAll("ann", "confirmed");
  CHECK(team.sandbox.TryGit("ann", {"push", "-q", "origin", "HEAD:main"}).status == 0);
}

TEST_CASE("words: missing goldens come from HEAD, not from a recording", "[words]") {
  Team team({"ann"});
  team.sandbox.Write("ann/.revctl.yaml",
                     "version: 1\nlists: [{path: src/master_version_list.h, golden: golden}]\n");
  REQUIRE(team.Revctl("ann", {"reserve", "SR_BOSS"}).status == 0);
  CHECK(Has(team.Revctl("ann", {"check"}).out, "run your harness with `record`"));
  for (const char* file : {"SR_BOSS.yaml", "SR_BOSS.golden"})
    team.sandbox.Write("ann/golden/" + std::string(file), "x\n");
  team.sandbox.CommitAll("ann", "boss");
  const std::string before = team.sandbox.Snapshot("ann/golden");
  SECTION("the folder") { std::filesystem::remove_all(team.sandbox.Path("ann/golden")); }
  SECTION("by git") { team.sandbox.Git("ann", {"rm", "-q", "golden/SR_BOSS.yaml"}); }
  const auto said = team.Revctl("ann", {"check"});
  INFO(said.out);
  CHECK(Has(said.out, "error[RV020]: the goldens of SR_BOSS are gone, and HEAD has them"));
  CHECK_FALSE(Has(said.out, "`record`"));
  const std::size_t begin = said.out.find("git restore");
  REQUIRE(begin != std::string::npos);
  const std::string command = said.out.substr(begin, said.out.find('\n', begin) - begin);
  REQUIRE(team.sandbox.Run("ann", {"sh", "-c", command}).status == 0);
  CHECK(team.sandbox.Snapshot("ann/golden") == before);
  CHECK(team.sandbox.Git("ann", {"status", "--porcelain"}).empty());
}

TEST_CASE("words: a renamed revision's leftovers go before recording", "[words]") {
  Team team({"ann"});
  team.sandbox.Write("ann/.revctl.yaml",
                     "version: 1\nlists: [{path: src/master_version_list.h, golden: golden}]\n");
  REQUIRE(team.Revctl("ann", {"reserve", "SR_BOSS"}).status == 0);
  for (const char* file : {"SR_BOSS.yaml", "SR_BOSS.golden"})
    team.sandbox.Write("ann/golden/" + std::string(file), "x\n");
  if (GENERATE(false, true)) team.sandbox.CommitAll("ann", "boss");
  std::string list = team.List("ann");
  team.sandbox.Write(std::string("ann/") + Team::kList,
                     list.replace(list.find("SR_BOSS"), 7, "SR_CHIEF"));
  const std::string mend =
      "fix: rm -f golden/SR_BOSS.golden golden/SR_BOSS.yaml, run your harness with `record`, and "
      "commit golden\n";
  const auto has = [&](const std::vector<std::string>& arguments) {
    const auto said = team.Revctl("ann", arguments);
    INFO(said.out << said.err);
    CHECK(Has(said.out, mend));
  };
  has({"check"});
  team.sandbox.CommitAll("ann", "renamed");
  has({"check", "--head", "HEAD"});
}

TEST_CASE("words: a `goldens` command without folder names the policy", "[words]") {
  Team team;
  const std::string land = "land: {goldens: sh record}\n",
                    wrong = "`land` has a `goldens` command, and no list names its folder";
  team.sandbox.Write("ann/.revctl.yaml", Team::kConfig + land);
  CHECK(Has(team.Revctl("ann", {"doctor"}).out, "missing  goldens: " + wrong));
  CHECK(Has(team.Revctl("ann", {"check"}).err, wrong));
  team.sandbox.Write(
      "ann/.revctl.yaml",
      "version: 1\nlists: [{path: src/master_version_list.h, golden: golden}]\n" + land);
  CHECK_FALSE(Has(team.Revctl("ann", {"doctor"}).out, "goldens: "));
  CHECK_FALSE(Has(team.Revctl("ann", {"check"}).err, wrong));
}

TEST_CASE("words: doctor says who git takes one for, as git has it", "[words]") {
  Team team({"ann"});
  CHECK(Has(team.Revctl("ann", {"doctor"}).out, "ok       identity: ann <ann@studio.example>"));
  team.sandbox.Git("ann", {"config", "--unset", "user.name"});
  team.sandbox.Git("ann", {"config", "--unset", "user.email"});
  const auto nobody = team.Revctl("ann", {"doctor"});
  INFO(nobody.out);
  CHECK(Has(nobody.out, "missing  identity: git does not know who you are"));
  CHECK(Has(nobody.out, "fix: git config user.name \"Your Name\" && git config user.email"));
  CHECK(team.Revctl("ann", {"reserve", "SR_BOSS"}).status == 3);
  team.sandbox.Write("global", "[user]\nname = Ann Other\nemail = other@studio.example\n");
  const std::vector<std::string> global{"GIT_CONFIG_GLOBAL=" + team.sandbox.Path("global")};
  CHECK(Has(team.Revctl("ann", {"doctor"}, global).out,
            "ok       identity: Ann Other <other@studio.example>"));
  CHECK(team.Revctl("ann", {"reserve", "SR_BOSS"}, global).status == 0);
}

TEST_CASE("words: status says how to give up a lost reservation", "[words]") {
  Team team({"ann"});
  REQUIRE(team.Revctl("ann", {"reserve", "SR_OLD"}).status == 0);
  team.sandbox.Git("ann", {"checkout", "-q", "--", Team::kList});
  const std::string command = "revctl abandon SR_OLD";
  const auto said = team.Revctl("ann", {"status"});
  INFO(said.out);
  CHECK(Has(said.out, "yours, not in this list: on another branch, or given up: " + command));
  CHECK(team.sandbox.Run("ann", {"sh", "-c", command}).status == 0);
  CHECK_FALSE(Has(team.Revctl("ann", {"status"}).out, "SR_OLD"));
}
