// Tests `land` when it cannot start: its errors, the plan that it prints, and the state after a
// kill.
#include <catch2/catch.hpp>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "tests/scenarios/landers.h"

using namespace revctl::testing;

TEST_CASE("land: --dry-run prints the plan and changes nothing", "[land]") {
  Landers team("by: rebase, verify: make test");
  team.Branch("ann", "boss", {"SR_BOSS"});
  team.Branch("bob", "stamina", {"SR_STAMINA"});
  for (const std::string person : {"ann", "bob"}) {
    team.sandbox.Write(person + "/src/shared.cpp", "int of_" + person + ";\n");
    team.sandbox.CommitAll(person, "shared");
  }
  team.sandbox.Git("bob", {"push", "-q", "--no-verify", "origin", "HEAD:main"});
  const std::string files = team.sandbox.Snapshot("ann"), head = team.HeadOf("ann"),
                    server = team.sandbox.Git("srv/game.git", {"for-each-ref"});
  auto planned = team.Revctl("ann", {"land", "--dry-run"});
  INFO(planned.err);
  CHECK(planned.status == 0);
  CHECK(planned.out == "would rebase boss onto origin/main at " + team.Main().substr(0, 10) +
                           "; expect conflicts in src/shared.cpp\nwould number SR_BOSS 3 -> 5\n"
                           "would check\nwould run verify: make test\n"
                           "would push to origin/main\n");
  CHECK(nlohmann::json::parse(team.Revctl("ann", {"land", "--dry-run", "--json"}).out)
            .at("steps")
            .size() == 5);
  CHECK(team.sandbox.Snapshot("ann") == files);
  CHECK(team.HeadOf("ann") == head);
  CHECK(team.Clean("ann"));
  CHECK(team.sandbox.Git("srv/game.git", {"for-each-ref"}) == server);
  CHECK_FALSE(team.sandbox.Exists("ann/.git/revctl-land"));
}

TEST_CASE("land: what it rejects, and how to continue", "[land]") {
  Landers team("by: merge");
  team.Branch("ann", "boss", {"SR_BOSS"});
  auto refused = [&](const std::string& why, const std::string& how,
                     std::vector<std::string> options = {}) {
    options.insert(options.begin(), "land");
    const std::string before = team.sandbox.Snapshot("ann");
    auto run = team.Revctl("ann", options);
    INFO(run.out << run.err);
    CHECK(run.status == 2);
    CHECK(Has(run.err, why));
    CHECK(Has(run.err, "fix: " + how));
    CHECK(team.sandbox.Snapshot("ann") == before);
  };
  const std::string server = team.sandbox.Git("srv/game.git", {"for-each-ref"});
  team.sandbox.Write("ann/src/SR_BOSS.cpp", "changed\n");
  refused("uncommitted changes would not land: src/SR_BOSS.cpp", "git commit or git stash");
  team.sandbox.Git("ann", {"add", "-A"});
  refused("uncommitted changes would not land: src/SR_BOSS.cpp", "git commit or git stash");
  team.sandbox.Git("ann", {"reset", "-q", "--hard"});
  team.sandbox.Git("ann", {"checkout", "-q", "--detach"});
  refused("HEAD is detached", "git switch -c NAME, then run revctl land");
  team.sandbox.Git("ann", {"checkout", "-q", "boss"});
  team.sandbox.Write("ann/.git/MERGE_HEAD", team.HeadOf("ann") + "\n");
  refused("a merge is in progress in this work tree", "git merge --continue");
  std::filesystem::remove(team.sandbox.Path("ann/.git/MERGE_HEAD"));
  refused("--by takes `rebase` or `merge`", "revctl land --help", {"--by", "squash"});
  refused("--continue and --abort cannot be combined", "remove one of them",
          {"--continue", "--abort"});
  refused("land does not accept --list, because a branch lands with all its lists", "revctl land",
          {"--list", "main"});
  team.sandbox.Write("ann/.git/revctl-land", "revctl-land 1\nstart ../../etc\n");
  CHECK(team.Revctl("ann", {"land"}).status == 3);
  std::filesystem::remove(team.sandbox.Path("ann/.git/revctl-land"));
  CHECK(team.sandbox.Git("srv/game.git", {"for-each-ref"}) == server);

  // Untracked files do not matter unless the target contains files at the same paths.
  team.sandbox.Write("bob/src/new.cpp", "int there;\n");
  team.sandbox.CommitAll("bob", "new");
  team.sandbox.Git("bob", {"push", "-q", "--no-verify", "origin", "HEAD:main"});
  team.sandbox.Write("ann/src/new.cpp", "int here;\n");
  team.sandbox.Write("ann/notes", "mine\n");
  auto in_the_way = team.Revctl("ann", {"land"});
  CHECK(in_the_way.status == 3);
  CHECK(Has(in_the_way.err, "src/new.cpp"));
  CHECK(team.sandbox.Read("ann/src/new.cpp") == "int here;\n");
  std::filesystem::remove(team.sandbox.Path("ann/src/new.cpp"));
  // The target branch itself may be checked out.
  team.sandbox.Git("ann", {"branch", "-q", "-f", "main"});
  team.sandbox.Git("ann", {"checkout", "-q", "main"});
  auto landed = team.Revctl("ann", {"land"});
  INFO(landed.err);
  CHECK(landed.status == 0);
  CHECK(team.HeadOf("ann") == team.Main());
  CHECK(team.sandbox.Read("ann/notes") == "mine\n");
}

TEST_CASE("land: names a lock that a killed git left behind, and the fix", "[land]") {
  Landers team("by: merge");
  team.Branch("ann", "boss", {"SR_BOSS"});
  team.sandbox.Write("ann/.git/index.lock", "");
  const auto refused = team.Revctl("ann", {"land"});
  CHECK(refused.status == 3);
  const std::string lock = "'" + team.sandbox.Path("ann/.git/index.lock") + "'";
  INFO(refused.err);
  CHECK(Has(refused.err,
            "another git process is running in this work tree, or was killed and left " + lock));
  const std::size_t fix = refused.err.find("rm '");
  REQUIRE(fix != std::string::npos);
  const std::string command = refused.err.substr(fix, refused.err.find(", then") - fix);
  CHECK(team.sandbox.Run(".", {"sh", "-c", command}).status == 0);
  CHECK(team.Revctl("ann", {"land"}).status == 0);
}
