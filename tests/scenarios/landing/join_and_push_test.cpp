// Tests that `land` brings a finished branch onto the target with one command, using a real server.
#include <catch2/catch.hpp>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <regex>
#include <sstream>

#include "tests/scenarios/landers.h"

using namespace revctl::testing;

TEST_CASE("land: a rebase keeps the branch's order, after other revisions", "[land]") {
  Landers team("by: rebase, verify: \"echo verified >> ../verified\"");
  team.Branch("ann", "boss", {"SR_BOSS", "SR_BOSS_TWO"});
  team.Branch("bob", "stamina", {"SR_STAMINA"});
  // Other branches stay unchanged, locally and on the server.
  team.sandbox.Git("ann", {"branch", "-q", "on-top", "boss"});
  team.sandbox.Git("ann", {"push", "-q", "--no-verify", "origin", "boss~1:refs/heads/below"});
  const auto others = [&] {
    return team.Main("below") + team.sandbox.Git("ann", {"rev-parse", "on-top", "main"});
  };
  const std::string left_alone = others();
  auto first = team.Revctl("bob", {"land"});
  INFO(first.err);
  CHECK(first.status == 0);
  CHECK(first.out ==
        "OK: landed SR_STAMINA = 5 on origin/main at " + team.Main().substr(0, 10) + "\n");
  CHECK(Has(first.err, "verify: echo verified >> ../verified\n"));
  CHECK(team.sandbox.Read("verified") == "verified\n");

  const std::string before = team.Main();
  auto second = team.Revctl("ann", {"land", "--json"});
  INFO(second.err);
  CHECK(second.status == 0);
  const auto answer = nlohmann::json::parse(second.out);
  CHECK(answer.at("landed") == true);
  CHECK(answer.at("branch") == "boss");
  CHECK(answer.at("commit") == team.Main());
  CHECK(answer.at("revisions").at(1).at("name") == "SR_BOSS_TWO");
  CHECK(answer.at("revisions").at(1).at("number") == 7);
  CHECK(team.Numbers("ann") == "SR_INITIAL=1 SR_FOULS=2 SR_STAMINA=5 SR_BOSS=6 SR_BOSS_TWO=7");
  CHECK(others() == left_alone);
  CHECK(team.HeadOf("ann") == team.Main());
  CHECK(team.Subjects(before + "..main") == "SR_BOSS\nSR_BOSS_TWO");
  CHECK(team.Clean("ann"));
  CHECK_FALSE(team.sandbox.Exists("ann/.git/revctl-land"));
  // Nothing is left to land. A branch without revisions can also land.
  CHECK(Has(team.Revctl("ann", {"land"}).out,
            "OK: nothing to land: origin/main already contains boss"));
  team.sandbox.Write("ann/README", "words\n");
  team.sandbox.CommitAll("ann", "words");
  CHECK(Has(team.Revctl("ann", {"land", "-q"}).out, "landed boss on origin/main at "));
}

TEST_CASE("land: a merge is one commit in the target's first-parent history", "[land]") {
  Landers team("by: merge");
  team.Branch("ann", "boss", {"SR_BOSS", "SR_BOSS_TWO"});
  team.Branch("bob", "stamina", {"SR_STAMINA"});
  const std::string before = team.Main();
  REQUIRE(team.Revctl("bob", {"land"}).status == 0);
  auto landed = team.Revctl("ann", {"land"});
  INFO(landed.err);
  CHECK(landed.status == 0);
  CHECK(landed.out == "OK: landed SR_BOSS = 6, SR_BOSS_TWO = 7 on origin/main at " +
                          team.Main().substr(0, 10) + "\n");
  CHECK(team.Subjects(before + "..main", true) == "Merge branch 'stamina'\nMerge branch 'boss'");
  CHECK(team.HeadOf("ann") == team.Main());
  CHECK(team.Clean("ann"));
  CHECK(team.Main("main^{tree}") == team.sandbox.Git("ann", {"write-tree"}));
}

TEST_CASE("land: a pull request's branch is force-pushed only with a lease", "[land]") {
  Landers team("by: rebase, push: branch");
  team.Branch("ann", "boss", {"SR_BOSS"});
  const std::string before = team.Main();
  // git's own trace shows all pushes, and which of them are forced.
  std::size_t pushes = 0;
  const auto land = [&](const std::string& lease) {
    const std::string trace = team.sandbox.Path("trace");
    std::filesystem::remove(trace);
    auto run = team.Revctl("ann", {"land"}, {"GIT_TRACE=" + trace});
    std::istringstream lines(team.sandbox.Read("trace"));
    std::string forced;
    for (std::string line; std::getline(lines, line);) {
      if (!Has(line, "built-in: git push ") || Has(line, "refs/revctl/ledger")) continue;
      ++pushes;
      INFO(line);
      CHECK_FALSE(std::regex_search(line, std::regex(" (--force|-f|--mirror|--all|[^ ]*\\+refs.*)"
                                                     "( |$)| '?\\+")));
      std::smatch found;
      if (std::regex_search(line, found, std::regex("--force-with-lease=[^ ]*")))
        forced += found[0];
    }
    CHECK(forced == (lease.empty() ? "" : "--force-with-lease=refs/heads/boss:" + lease));
    return run;
  };
  auto first = land("");
  INFO(first.err);
  CHECK(first.status == 0);
  CHECK(first.out == "OK: pushed SR_BOSS = 3 on origin/boss at " + team.Main("boss").substr(0, 10) +
                         ": ready to be merged into origin/main\n");
  CHECK(team.Main() == before);
  // After another branch has landed, the rebased branch replaces its old version on the remote.
  team.Branch("bob", "stamina", {"SR_STAMINA"});
  team.sandbox.Git("bob", {"push", "-q", "--no-verify", "origin", "HEAD:main"});
  auto second = land(team.Main("boss"));
  INFO(second.err);
  CHECK(second.status == 0);
  CHECK(Has(second.err, "pushing origin/boss (--force-with-lease)"));
  CHECK(team.Main("boss") == team.HeadOf("ann"));
  CHECK(team.Numbers("ann") == "SR_INITIAL=1 SR_FOULS=2 SR_STAMINA=4 SR_BOSS=5");
  CHECK(team.Main() == team.HeadOf("bob"));
  // A colleague's commit on that branch must never be overwritten.
  team.sandbox.Git("bob", {"fetch", "-q"});
  team.sandbox.Git("bob", {"checkout", "-q", "-b", "boss", "origin/boss"});
  team.sandbox.Write("bob/src/help.cpp", "int help;\n");
  team.sandbox.CommitAll("bob", "help");
  team.sandbox.Git("bob", {"push", "-q", "--no-verify", "origin", "boss"});
  const std::string theirs = team.Main("boss");
  team.sandbox.Write("ann/src/own.cpp", "int own;\n");
  team.sandbox.CommitAll("ann", "own");
  auto refused = land("");
  CHECK(refused.status == 1);
  CHECK(Has(refused.err,
            "origin/boss has commits that boss does not have, and a push would discard them"));
  team.sandbox.Git("ann", {"fetch", "-q"});  // also rejected after a fetch
  CHECK(team.Revctl("ann", {"land"}).status == 1);
  CHECK(team.Main("boss") == theirs);
  // The lease also protects a commit that arrives between the check and the push.
  team.sandbox.Git("ann", {"push", "-q", "--no-verify", "-f", "origin", "HEAD~1:boss"});
  const std::string seen = team.Main("boss");
  team.sandbox.Git("bob", {"fetch", "-q"});
  team.sandbox.Git("bob", {"checkout", "-q", "-B", "boss", "origin/boss"});
  team.sandbox.Write("bob/src/between.cpp", "int between;\n");
  team.sandbox.CommitAll("bob", "between");
  team.sandbox.Git("ann", {"commit", "-q", "--no-verify", "--amend", "-m", "own, in other words"});
  team.sandbox.WriteExecutable(
      "ann/.git/hooks/pre-push",
      "#!/bin/sh\nunset GIT_TRACE\ncase $(cat) in *heads/boss*) git -C ../bob push -q --no-verify "
      "origin boss ;; esac\n");
  team.sandbox.Git("ann", {"reset", "-q", "--hard", "HEAD~1"});
  team.sandbox.Git("ann", {"commit", "-q", "--no-verify", "--amend", "-m", "in other words"});
  const auto raced = land(seen);
  INFO(raced.err);
  CHECK(raced.status == 3);
  CHECK(Has(raced.err, "origin rejects the push to boss"));
  CHECK(Has(raced.err, "fix: revctl land"));
  CHECK(team.Main("boss") == team.HeadOf("bob"));
  CHECK(pushes == 3);
  team.sandbox.Git("ann", {"checkout", "-q", "main"});
  team.sandbox.Write("ann/src/own.cpp", "int own;\n");
  team.sandbox.CommitAll("ann", "own");
  auto on_main = team.Revctl("ann", {"land"});
  CHECK(on_main.status == 2);
  CHECK(Has(on_main.err, "fix: git switch -c NAME"));
}

TEST_CASE("land: `push: branch` replaces the branch's own commits", "[land]") {
  for (const std::string by : {"rebase", "merge"}) {
    INFO(by);
    Landers team("by: " + by + ", push: branch");
    const Sandbox& sandbox = team.sandbox;
    team.Branch("ann", "boss", {"SR_BOSS"});
    REQUIRE(team.Revctl("ann", {"land"}).status == 0);
    // Amend a commit, as after a review.
    sandbox.Write("ann/src/SR_BOSS.cpp", "ADD(SR_BOSS, y);\n");
    sandbox.Git("ann", {"commit", "-q", "-a", "--amend", "--no-edit"});
    const auto amended = team.Revctl("ann", {"land"});
    INFO(amended.err);
    CHECK(amended.status == 0);
    CHECK(Has(amended.err, "pushing origin/boss (--force-with-lease)"));
    CHECK(team.Main("boss") == team.HeadOf("ann"));
    // A colleague's commit that the branch has merged may be squashed.
    sandbox.Git("bob", {"fetch", "-q"});
    sandbox.Git("bob", {"checkout", "-q", "-b", "boss", "origin/boss"});
    sandbox.Write("bob/src/help.cpp", "int help;\n");
    sandbox.CommitAll("bob", "help");
    sandbox.Git("bob", {"push", "-q", "--no-verify", "origin", "boss"});
    sandbox.Write("ann/src/own.cpp", "int own;\n");
    sandbox.CommitAll("ann", "own");
    sandbox.Git("ann", {"pull", "-q", "--no-rebase", "--no-edit", "origin", "boss"});
    sandbox.Git("ann", {"reset", "-q", "--soft", "origin/main"});
    sandbox.Git("ann", {"commit", "-q", "--no-verify", "-m", "squashed"});
    const auto squashed = team.Revctl("ann", {"land"});
    INFO(squashed.err);
    CHECK(squashed.status == 0);
    CHECK(team.Main("boss") == team.HeadOf("ann"));
    CHECK(Has(sandbox.Git("srv/game.git", {"show", "boss:src/help.cpp"}), "int help"));
    // A commit that the branch has never contained must not be discarded.
    sandbox.Git("bob", {"fetch", "-q"});
    sandbox.Git("bob", {"reset", "-q", "--hard", "origin/boss"});
    sandbox.Write("bob/src/more.cpp", "int more;\n");
    sandbox.CommitAll("bob", "more");
    sandbox.Git("bob", {"push", "-q", "--no-verify", "origin", "boss"});
    const std::string theirs = team.Main("boss");
    sandbox.Git("ann", {"fetch", "-q"});
    sandbox.Git("ann", {"commit", "-q", "--no-verify", "--amend", "-m", "in other words"});
    const auto refused = team.Revctl("ann", {"land"});
    CHECK(refused.status == 1);
    CHECK(Has(refused.err, "origin/boss has commits that boss does not have"));
    CHECK(team.Main("boss") == theirs);
  }
}

TEST_CASE("land: without a remote, in a folder, and in a second work tree", "[land]") {
  Sandbox sandbox;
  sandbox.NewRepository("r", "ann");
  const std::string list = "games/pong/src/master_version_list.h";
  sandbox.Write("r/" + list, Team::kListText);
  sandbox.Write("r/games/pong/.revctl.yaml",
                std::string(Team::kConfig) + "land: {by: merge, verify: \"test -d src\"}\n");
  sandbox.CommitAll("r", "first");
  sandbox.Git("r", {"worktree", "add", "-q", "-b", "boss", "../boss"});
  REQUIRE(sandbox.Revctl("boss/games/pong", {"reserve", "SR_BOSS"}).status == 0);
  sandbox.Write("boss/games/pong/src/a.cpp", "ADD(SR_BOSS, x);\n");
  sandbox.CommitAll("boss", "boss");
  // Moving a branch that is checked out in another work tree would leave old files there.
  auto refused = sandbox.Revctl("boss/games/pong", {"land"});
  CHECK(refused.status == 2);
  CHECK(Has(refused.err, "main is checked out in " + sandbox.Path("r")));
  sandbox.Git("r", {"checkout", "-q", "--detach"});
  auto landed = sandbox.Revctl("boss/games/pong", {"land"});
  INFO(landed.err);
  CHECK(landed.status == 0);
  CHECK(landed.out == "OK: landed SR_BOSS = 3 on main at " +
                          sandbox.Git("r", {"rev-parse", "main"}).substr(0, 10) + "\n");
  CHECK(sandbox.Git("r", {"show", "main:" + list}).find("SR_BOSS=3") != std::string::npos);
  CHECK(sandbox.Git("boss", {"status", "--porcelain"}).empty());
  CHECK(Has(sandbox.Revctl("boss/games/pong", {"land"}).out, "nothing to land"));
}

TEST_CASE("land: several lists, and a colleague's reservation", "[land]") {
  Landers team("by: rebase");
  team.sandbox.Write("ann/src/net.h", "enum Net {\n  NET_ONE=1,\n};\n");
  team.sandbox.Write("ann/.gitattributes",
                     team.sandbox.Read("ann/.gitattributes") + "/src/net.h merge=revctl\n");
  team.sandbox.Write("ann/.revctl.yaml",
                     "version: 1\nlists:\n  - {path: src/master_version_list.h, name: main}\n"
                     "  - {path: src/net.h, name: net, prefix: NET_}\nland: {by: rebase}\n");
  team.Land("ann");
  team.sandbox.Git("bob", {"pull", "-q"});
  const auto reserve = [&](const std::string& who, const std::string& list,
                           const std::string& name) {
    const auto run = team.Revctl(who, {"--list", list, "reserve", name});
    INFO(run.err);
    CHECK(run.status == 0);
  };
  // Ann's branch is on top of Bob's branch, which contains a revision that Bob has reserved.
  team.sandbox.Git("bob", {"checkout", "-q", "-b", "base"});
  reserve("bob", "main", "SR_BASE");
  team.sandbox.CommitAll("bob", "base");
  team.sandbox.Git("bob", {"push", "-q", "origin", "base"});
  team.sandbox.Git("ann", {"fetch", "-q"});
  team.sandbox.Git("ann", {"checkout", "-q", "--no-track", "-b", "top", "origin/base"});
  reserve("ann", "main", "SR_TOP");
  reserve("ann", "net", "NET_TWO");
  team.sandbox.CommitAll("ann", "top");
  team.sandbox.Git("bob", {"checkout", "-q", "-b", "first", "origin/main"});
  reserve("bob", "main", "SR_FIRST");
  reserve("bob", "net", "NET_FIRST");
  team.sandbox.CommitAll("bob", "first");
  REQUIRE(team.Revctl("bob", {"land"}).status == 0);
  const auto landed = team.Revctl("ann", {"land", "--json"});
  INFO(landed.out << landed.err);
  CHECK(landed.status == 0);
  std::string revisions;
  const auto answer = nlohmann::json::parse(landed.out);
  for (const auto& one : answer.at("revisions"))
    revisions += one.at("list").get<std::string>() + " " + one.at("name").get<std::string>() + "=" +
                 std::to_string(one.at("number").get<int>()) + " ";
  CHECK(revisions == "main SR_BASE=6 main SR_TOP=7 net NET_TWO=4 ");
  CHECK(Has(landed.err, "SR_BASE stays reserved by bob"));
}

TEST_CASE("land: in a SHA-256 repository", "[land]") {
  Sandbox sandbox;
  std::filesystem::create_directories(sandbox.Path("srv"));
  sandbox.Git("srv", {"init", "-q", "--bare", "--object-format=sha256", "-b", "main", "game.git"});
  std::filesystem::create_directories(sandbox.Path("ann"));
  sandbox.Git("ann", {"init", "-q", "--object-format=sha256", "-b", "main"});
  sandbox.Git("ann", {"config", "user.name", "ann"});
  sandbox.Git("ann", {"config", "user.email", "ann@studio.example"});
  sandbox.Git("ann", {"remote", "add", "origin", sandbox.Path("srv/game.git")});
  sandbox.Write("ann/" + std::string(Team::kList), Team::kListText);
  sandbox.Write("ann/.revctl.yaml", std::string(Team::kConfig) + "land: {by: merge}\n");
  sandbox.CommitAll("ann", "first");
  sandbox.Git("ann", {"push", "-q", "-u", "origin", "main"});
  sandbox.Git("ann", {"checkout", "-q", "-b", "boss"});
  REQUIRE(sandbox.Revctl("ann", {"reserve", "SR_BOSS"}).status == 0);
  sandbox.CommitAll("ann", "boss");
  const auto landed = sandbox.Revctl("ann", {"land"});
  INFO(landed.err);
  CHECK(landed.status == 0);
  CHECK(Has(landed.out, "landed SR_BOSS = 3 on origin/main at "));
  CHECK(sandbox.Git("srv/game.git", {"rev-parse", "main"}).size() == 64);
}
