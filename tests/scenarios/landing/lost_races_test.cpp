// Tests `land` when others land first: the steps that are repeated, and the limit after which it
// gives up.
#include <catch2/catch.hpp>

#include "tests/scenarios/landers.h"

using namespace revctl::testing;

TEST_CASE("land: a lost race runs again, with checks if sources change", "[land]") {
  // `verify` lets bob win the race once.
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

  // Only documentation changed (by the target's attributes), so the verification holds.
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
            "not verified again, because only documentation has changed since (docs/page.md)"));
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

TEST_CASE("land: a hopeless race ends, and merges do not pile up", "[land]") {
  Landers team("by: merge, verify: sh ../faster");
  // Another change lands during verification: each time, or as often as the file says.
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
  // At most three merges: of the target, from the landing that gave up, and the landed one.
  CHECK(team.sandbox.Git("ann", {"rev-list", "--count", "--merges", head + "..HEAD"}) <= "3");
}
