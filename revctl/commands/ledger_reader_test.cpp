// A server without the hook takes whatever is pushed: what a clone reads of it, and what it does
// not believe.
#include <catch2/catch.hpp>

#include "revctl/commands/attacked_test.h"

using namespace revctl::testing;

TEST_CASE("ledger reader: only a take-over moves a reservation to another person", "[server]") {
  Attacked team(false);
  REQUIRE(team.Revctl("ann", {"reserve", "SR_BOSS"}).status == 0);
  const std::string list = "high-water 3\n3 SR_BOSS eve <e@x>\n";
  for (const char* kind : {"reserve", "confirm", "renumber", "release"}) {
    INFO(kind);
    const std::string event = team.Event(
        Attacked::kCopy, list, std::string(kind) + " main SR_BOSS 3\n\nRevision: SR_BOSS 3\n");
    REQUIRE(team.Push({"+" + event + ":refs/revctl/ledger"}).empty());
    const auto reserved = team.Revctl("bob", {"reserve", "SR_BOSS", "--dry-run"});
    CHECK(Has(reserved.err, "is reserved by ann <ann@studio.example>"));
    CHECK(Has(team.Revctl("bob", {"doctor"}).out, "SR_BOSS = 3"));
    // The next client pushes from the sound state again.
    team.sandbox.Git("bob", {"update-ref", "-d", Attacked::kCopy});
  }
  const std::string said =
      team.Event(Attacked::kCopy, list, "take-over main SR_BOSS 3\n\nRevision: SR_BOSS 3\n");
  REQUIRE(team.Push({"+" + said + ":refs/revctl/ledger"}).empty());
  CHECK(Has(team.Revctl("bob", {"reserve", "SR_BOSS"}).err, "is reserved by eve <e@x>"));
}

TEST_CASE("ledger reader: what was written on top of a bad commit counts", "[server]") {
  Attacked team(false);
  REQUIRE(team.Revctl("ann", {"reserve", "SR_BOSS"}).status == 0);
  const std::string event = team.Event(Attacked::kCopy, "high-water 3\n3 SR_BOSS eve <e@x>\n",
                                       "confirm main SR_X 3\n\nRevision: SR_X 3\n");
  REQUIRE(team.Push({event + ":refs/revctl/ledger"}).empty());
  REQUIRE(team.Revctl("bob", {"reserve", "SR_STAMINA"}).out == "SR_STAMINA = 4\n");
  const auto next = team.Revctl("ann", {"reserve", "SR_DOOR"});
  CHECK(next.out == "SR_DOOR = 5\n");
  CHECK_FALSE(Has(next.err, "last sound commit"));
  CHECK(Has(team.Revctl("bob", {"reserve", "SR_BOSS"}).err,
            "is reserved by ann <ann@studio.example>"));
}

TEST_CASE("ledger reader: a clone does not forget numbers that it has seen", "[server]") {
  Attacked team(false);
  REQUIRE(team.Revctl("ann", {"reserve", "SR_BOSS"}).status == 0);
  REQUIRE(team.Revctl("bob", {"reserve", "SR_STAMINA"}).out == "SR_STAMINA = 4\n");
  team.sandbox.Git(
      "ann", {"fetch", "-q", "origin", "+refs/revctl/ledger:" + std::string(Attacked::kCopy)});
  // Of two commits that do not say it, the second one follows from the first.
  const std::string list = "high-water 3\n3 SR_BOSS ann <ann@studio.example>\n";
  const std::string one = team.Event(Attacked::kCopy, list, "confirm main SR_X 1\n"),
                    two = team.Event(one, list, "confirm main SR_Y 1\n");
  REQUIRE(team.Push({two + ":refs/revctl/ledger"}).empty());
  for (int i = 0; i < 2; ++i) {
    const auto stopped = team.Revctl("bob", {"reserve", "SR_DOOR"});
    CHECK(stopped.status == 3);
    CHECK(Has(stopped.err, "would go back from 4"));
  }
  CHECK(team.Revctl("bob", {"doctor", "--repair-ledger"}).status == 0);
  CHECK(team.Revctl("bob", {"reserve", "SR_DOOR"}).out == "SR_DOOR = 5\n");
}

TEST_CASE("ledger reader: a repair keeps what stands on a commit of another hand", "[server]") {
  Attacked team(false);
  REQUIRE(team.Revctl("ann", {"reserve", "SR_BOSS"}).status == 0);
  const std::string other =
      team.Event(Attacked::kCopy, "high-water 3\n3 SR_BOSS ann <ann@studio.example>\n", "nonsense");
  REQUIRE(team.Push({other + ":refs/revctl/ledger"}).empty());
  REQUIRE(team.Revctl("bob", {"reserve", "SR_STAMINA"}).out == "SR_STAMINA = 4\n");
  team.sandbox.Git("srv/game.git", {"update-ref", "-d", "refs/revctl/ledger"});
  team.sandbox.Write(
      "bob/.revctl.yaml",
      Team::kConfig +
          ("ledger_id: " +
           team.sandbox.Git("bob", {"cat-file", "blob", std::string(Attacked::kCopy) + ":ledger"})
               .substr(19) +
           "\n"));
  CHECK(team.Revctl("bob", {"doctor", "--repair-ledger"}).status == 0);
  CHECK(team.Revctl("bob", {"reserve", "SR_DOOR"}).out == "SR_DOOR = 5\n");
}
