// The gate as a server's hook, behind a real git daemon, against clients that have no revctl at all.
#include <catch2/catch.hpp>

#include "revctl/commands/team_test.h"

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

void AddByHand(const Team& team, const std::string& person, const std::string& line) {
  std::string text = team.List(person);
  text.insert(text.rfind("};"), "    " + line + "\n");
  team.sandbox.Write(person + "/" + Team::kList, text);
}

}  // namespace

TEST_CASE("pre-receive: what is reserved lands, what is not does not", "[server]") {
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
  REQUIRE(team.Revctl("bob", {"renumber"}).status == 0);
  CHECK(team.Push("bob", {"HEAD:main"}).empty());
}

TEST_CASE("pre-receive: the ledger is not deleted, rewritten or forged", "[server]") {
  Guarded team;
  REQUIRE(team.Revctl("ann", {"reserve", "SR_BOSS"}).status == 0);
  REQUIRE(team.Revctl("ann", {"reserve", "SR_TWO"}).status == 0);
  CHECK(team.Push("ann", {":refs/revctl/ledger"}).find("must not be deleted") != std::string::npos);
  CHECK(team.Push("ann", {"-f", "refs/revctl/remotes/origin/ledger~1:refs/revctl/ledger"}).find("must not be rewritten") != std::string::npos);
  CHECK(team.Push("ann", {"-f", "HEAD:refs/revctl/ledger"}).find("RV011") != std::string::npos);

  // A forged event on top that gives a number again.
  const std::string tip = "refs/revctl/remotes/origin/ledger";
  auto forge = [&](const std::string& list) {
    team.sandbox.Write("forged", list);
    const std::string blob = team.sandbox.Git("ann", {"hash-object", "-w", "../forged"});
    const std::string head = team.sandbox.Git("ann", {"rev-parse", tip + ":ledger"});
    auto tree = team.sandbox.Run("ann", {"git", "mktree"}, {}, "100644 blob " + head + "\tledger\n100644 blob " + blob + "\tlist.main\n");
    const std::string commit = team.sandbox.Git("ann", {"commit-tree", tree.out.substr(0, 40), "-p", tip, "-m", "reserve main SR_EVIL 3"});
    return team.Push("ann", {commit + ":refs/revctl/ledger"});
  };
  CHECK(forge("revctl-ledger-list 1\nhigh-water 4\n3 SR_EVIL Eve <e@x>\n4 SR_TWO ann <ann@studio.example>\n").find("given before") != std::string::npos);
  CHECK(forge("revctl-ledger-list 1\nhigh-water 3\n3 SR_BOSS ann <ann@studio.example>\n").find("go back") != std::string::npos);
  CHECK(forge("nonsense\n").find("cannot be read") != std::string::npos);
  CHECK(forge("revctl-ledger-list 1\nhigh-water 5\n3 SR_BOSS ann <ann@studio.example>\n4 SR_TWO ann <ann@studio.example>\n5 SR_OK ann <ann@studio.example>\n").empty());
}
