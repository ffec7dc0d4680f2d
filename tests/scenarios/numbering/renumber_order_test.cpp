// A stacked branch carries another person's reservations: renumber keeps the order of all that the
// branch has.
#include <catch2/catch.hpp>

#include "tests/scenarios/team.h"

using namespace revctl::testing;

TEST_CASE("renumber: another person's earlier reservation moves first", "[commands][order]") {
  Team team;
  team.InstallDriver("ann");
  const auto revctl = [&](const std::string& who, std::vector<std::string> arguments) {
    const auto run = team.Revctl(who, std::move(arguments));
    INFO(run.err);
    CHECK(run.status == 0);
    return run.out;
  };
  REQUIRE(revctl("bob", {"reserve", "SR_BASE"}) == "SR_BASE = 3\n");
  team.sandbox.Git("bob", {"commit", "-qam", "base"});
  team.sandbox.Git("bob", {"push", "-q", "origin", "HEAD:base"});
  team.sandbox.Git("ann", {"fetch", "-q"});
  team.sandbox.Git("ann", {"checkout", "-q", "-b", "top", "origin/base"});
  REQUIRE(revctl("ann", {"reserve", "SR_TOP"}) == "SR_TOP = 4\n");
  team.sandbox.Git("ann", {"commit", "-qam", "top"});
  team.sandbox.Git("bob", {"reset", "-q", "--hard", "origin/main"});
  REQUIRE(revctl("bob", {"reserve", "SR_CAVE"}) == "SR_CAVE = 5\n");
  team.Land("bob");

  const auto check = [&] { return team.Revctl("ann", {"check", "--fetch"}); };
  CHECK(check().out.find("fix: revctl renumber\n") != std::string::npos);
  team.sandbox.Git("ann", {"fetch", "-q"});
  team.sandbox.Git("ann", {"merge", "-q", "--no-edit", "origin/main"});
  const auto run = team.Revctl("ann", {"renumber"});
  CHECK(run.out == "SR_BASE = 6 confirmed\nSR_TOP = 7 confirmed\n");
  CHECK(run.err.find("SR_BASE stays reserved by bob <bob@studio.example>") != std::string::npos);
  CHECK(team.Numbers("ann") == "SR_INITIAL=1 SR_FOULS=2 SR_CAVE=5 SR_BASE=6 SR_TOP=7");
  team.sandbox.Git("ann", {"commit", "-q", "--allow-empty", "-am", "renumbered"});
  CHECK(check().status == 0);
  CHECK(revctl("ann", {"renumber"}).empty());
  // By name it goes behind the others, on purpose.
  CHECK(revctl("ann", {"renumber", "SR_TOP", "--dry-run"}).empty());
  CHECK(revctl("ann", {"renumber", "SR_BASE", "--dry-run"}) == "SR_BASE 6 -> 8\n");
}

TEST_CASE("renumber: going back to a reservation keeps the order", "[renumber]") {
  // A rebase gave SR_BOSS a provisional number, far behind what is reserved for it.
  const revctl::testing::Team team;
  REQUIRE(team.Revctl("ann", {"reserve", "SR_BOSS"}).out == "SR_BOSS = 3\n");
  team.sandbox.Write(std::string("ann/") + revctl::testing::Team::kList,
                     "enum Revision {\n    SR_INITIAL=1,\n    SR_FOULS=2,\n    SR_BOSS=10,\n    "
                     "SR_PHASE=11,\n    SR_LAST,\n};\n");
  CHECK(team.Revctl("ann", {"renumber"}).out ==
        "SR_BOSS 10 -> 3\nSR_PHASE = 11 confirmed\nSR_LAST = 12 confirmed\n");
  CHECK(team.List("ann") ==
        "enum Revision {\n    SR_INITIAL=1,\n    SR_FOULS=2,\n    SR_BOSS=3,\n    SR_PHASE=11,\n  "
        "  SR_LAST,\n};\n");
}
