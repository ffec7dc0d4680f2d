// Tests `land` when others land first: the steps that it repeats, and when it gives up.
#include <catch2/catch.hpp>
#include <chrono>
#include <filesystem>
#include <thread>

#include "tests/scenarios/landers.h"

using namespace revctl::testing;

TEST_CASE("land: after a lost race, verifies again only if sources have changed", "[land]") {
  // During the first `verify`, Bob pushes and wins the race.
  Landers team("by: rebase, verify: \"echo run >> ../runs; sh ../race\"");
  team.sandbox.Write("race",
                     "[ -e ../now ] || exit 0\nrm ../now\n"
                     "cd ../bob && git push -q --no-verify origin HEAD:main\n");
  team.sandbox.Write("bob/docs/page.md", "a page\n");
  team.sandbox.Write("bob/.gitattributes",
                     team.sandbox.Read("bob/.gitattributes") + "docs/** linguist-documentation\n");
  team.sandbox.CommitAll("bob", "what is documentation");
  team.sandbox.Git("bob", {"push", "-q", "origin", "HEAD:main"});

  team.Branch("ann", "boss", {"SR_BOSS"});
  team.Branch("bob", "stamina", {"SR_STAMINA"});
  team.sandbox.Write("now", "");
  auto code = team.Revctl("ann", {"land"});
  INFO(code.err);
  CHECK(code.status == 0);
  CHECK(Has(code.err, "origin/main has moved; trying again\n"));
  CHECK(team.sandbox.Read("runs") == "run\nrun\n");
  CHECK(team.Subjects("main~2..main") == "SR_STAMINA\nSR_BOSS");
  CHECK(team.Numbers("ann") == "SR_INITIAL=1 SR_FOULS=2 SR_STAMINA=4 SR_BOSS=5");

  // According to the target's attributes, only documentation has changed, so `verify` does not have
  // to run again.
  team.sandbox.Git("bob", {"fetch", "-q"});
  team.sandbox.Git("bob", {"checkout", "-q", "-B", "page", "origin/main"});
  team.sandbox.Write("bob/docs/page.md", "a better page\n");
  team.sandbox.CommitAll("bob", "page");
  team.sandbox.Write("ann/src/more.cpp", "int more;\n");
  team.sandbox.CommitAll("ann", "more");
  team.sandbox.Write("now", "");
  auto page = team.Revctl("ann", {"land"});
  INFO(page.err);
  CHECK(page.status == 0);
  CHECK(Has(page.err,
            "not verified again, because only documentation has changed since the last "
            "verification (docs/page.md)"));
  CHECK(team.sandbox.Read("runs") == "run\nrun\nrun\n");

  // The branch's own attributes do not exempt files from verification.
  team.sandbox.Git("bob", {"fetch", "-q"});
  team.sandbox.Git("bob", {"checkout", "-q", "-B", "code", "origin/main"});
  team.sandbox.Write("bob/src/code.cpp", "int code;\n");
  team.sandbox.CommitAll("bob", "code");
  team.sandbox.Write("ann/.gitattributes",
                     "/src/master_version_list.h merge=revctl\n"
                     "*.cpp linguist-documentation\n");
  team.sandbox.CommitAll("ann", "all is documentation");
  team.sandbox.Write("now", "");
  auto hidden = team.Revctl("ann", {"land"});
  INFO(hidden.err);
  CHECK(hidden.status == 0);
  CHECK(team.sandbox.Read("runs") == "run\nrun\nrun\nrun\nrun\n");
}

TEST_CASE("land: gives up a hopeless race, and merges do not accumulate", "[land]") {
  Landers team("by: merge, verify: sh ../faster");
  // Another change lands during each verification, as long as the file `left` has lines.
  team.sandbox.Write("faster",
                     "[ -s ../left ] || exit 0\nsed -i 1d ../left\ncd ../bob && echo >> src/b.cpp "
                     "&& git add -A && git commit -q -m faster && git push -q --no-verify origin "
                     "HEAD:main\n");
  team.sandbox.Write("left", std::string(200, '\n'));
  team.sandbox.Git("ann", {"checkout", "-q", "-b", "boss"});
  std::string text = team.List("ann");
  text.insert(text.rfind("};"), "    SR_BOSS=3,\n");
  team.sandbox.Write("ann/" + std::string(Team::kList), text);
  team.sandbox.CommitAll("ann", "boss");
  const std::string head = team.HeadOf("ann");
  const auto lost = team.Revctl("ann", {"land"}, {"REVCTL_PATIENCE=1"});
  INFO(lost.err);
  CHECK(lost.status == 4);
  CHECK(Has(lost.err, "lost the push race on origin/main "));
  CHECK(Has(lost.err, "nothing was pushed\nfix: revctl land"));
  CHECK(team.sandbox.Git("ann", {"rev-list", "--count", "--merges", head + "..HEAD"}) <= "1");
  CHECK(team.Clean("ann"));
  team.sandbox.Write("left", "\n\n");
  const auto landed = team.Revctl("ann", {"land"});
  INFO(landed.err);
  CHECK(landed.status == 0);
  // There are at most three merges: the landed merge and two merges of the target, one of them from
  // the landing that gave up.
  CHECK(team.sandbox.Git("ann", {"rev-list", "--count", "--merges", head + "..HEAD"}) <= "3");
}

TEST_CASE("land: a lock left on the server is not a lost race", "[land]") {
  Landers team("by: rebase");
  team.Branch("ann", "boss", {"SR_BOSS"});
  const std::string lock = "srv/game.git/refs/heads/main.lock", before = team.Main();
  team.sandbox.Write(lock, "");
  const auto locked = team.Revctl("ann", {"land"});
  INFO(locked.err);
  CHECK(locked.status == 3);
  CHECK(Has(locked.err, "origin cannot update main, although no other push has updated it ("));
  CHECK(Has(locked.err, "Unable to create '"));
  CHECK(Has(locked.err, "main.lock': File exists"));
  CHECK(Has(locked.err,
            "fix: if no git process is running on the server, ask its administrator to remove "));
  CHECK_FALSE(Has(locked.err, "has moved: again"));
  CHECK(team.Main() == before);
  // `land` waits for a lock that disappears.
  std::thread other([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(1500));
    std::filesystem::remove(team.sandbox.Path(lock));
  });
  const auto landed = team.Revctl("ann", {"land"});
  other.join();
  INFO(landed.err);
  CHECK(landed.status == 0);
  CHECK(Has(landed.out, "OK: landed SR_BOSS = 3"));
}

TEST_CASE("land: a lock on a pull request's branch", "[land]") {
  Landers team("by: rebase, push: branch");
  team.Branch("ann", "boss", {"SR_BOSS"});
  team.sandbox.Write("srv/game.git/refs/heads/boss.lock", "");
  const auto locked = team.Revctl("ann", {"land"});
  INFO(locked.err);
  CHECK(locked.status == 3);
  CHECK(Has(locked.err, "origin cannot update boss, although no other push has updated it ("));
  CHECK(Has(locked.err, "boss.lock': File exists"));
}

TEST_CASE("land: a lock on the target in a repository without a remote", "[land]") {
  Sandbox sandbox;
  sandbox.NewRepository("r", "ann");
  sandbox.Write("r/" + std::string(Team::kList), Team::kListText);
  sandbox.Write("r/.revctl.yaml", Team::kConfig);
  sandbox.CommitAll("r", "first");
  sandbox.Git("r", {"checkout", "-q", "-b", "boss"});
  REQUIRE(sandbox.Revctl("r", {"reserve", "SR_BOSS"}).status == 0);
  sandbox.CommitAll("r", "boss");
  sandbox.Write("r/.git/refs/heads/main.lock", "");
  const auto locked = sandbox.Revctl("r", {"land"});
  INFO(locked.err);
  CHECK(locked.status == 3);
  CHECK(Has(locked.err,
            "refs/heads/main is locked, although no other process has updated it\nfix: if no git "
            "process is running in this repository: rm "));
  std::filesystem::remove(sandbox.Path("r/.git/refs/heads/main.lock"));
  sandbox.Write("r/.git/refs/revctl/ledger.lock", "");
  const auto reserved = sandbox.Revctl("r", {"reserve", "SR_TWO"});
  INFO(reserved.err);
  CHECK(reserved.status == 3);
  CHECK(Has(reserved.err,
            "refs/revctl/ledger is locked, although no other process has updated it\nfix: "));
}
