// Tests which ledger commits a clone accepts if the server accepts every push.
#include <catch2/catch.hpp>

#include "tests/scenarios/attacked.h"

using namespace revctl::testing;

TEST_CASE("ledger reader: only a take-over can move a reservation", "[server]") {
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
    // The next event is pushed on top of the valid state.
    team.sandbox.Git("bob", {"update-ref", "-d", Attacked::kCopy});
  }
  const std::string said =
      team.Event(Attacked::kCopy, list, "take-over main SR_BOSS 3\n\nRevision: SR_BOSS 3\n");
  REQUIRE(team.Push({"+" + said + ":refs/revctl/ledger"}).empty());
  CHECK(Has(team.Revctl("bob", {"reserve", "SR_BOSS"}).err, "is reserved by eve <e@x>"));
}

TEST_CASE("ledger reader: valid events after a bad commit count", "[server]") {
  Attacked team(false);
  REQUIRE(team.Revctl("ann", {"reserve", "SR_BOSS"}).status == 0);
  const std::string event = team.Event(Attacked::kCopy, "high-water 3\n3 SR_BOSS eve <e@x>\n",
                                       "confirm main SR_X 3\n\nRevision: SR_X 3\n");
  REQUIRE(team.Push({event + ":refs/revctl/ledger"}).empty());
  REQUIRE(team.Revctl("bob", {"reserve", "SR_STAMINA"}).out == "SR_STAMINA = 4\n");
  const auto next = team.Revctl("ann", {"reserve", "SR_DOOR"});
  CHECK(next.out == "SR_DOOR = 5\n");
  CHECK_FALSE(Has(next.err, "last valid commit"));
  CHECK(Has(team.Revctl("bob", {"reserve", "SR_BOSS"}).err,
            "is reserved by ann <ann@studio.example>"));
}

TEST_CASE("ledger reader: several bad commits in a row do not mislead clones", "[server]") {
  Attacked team(false);
  REQUIRE(team.Revctl("ann", {"reserve", "SR_BOSS"}).status == 0);
  REQUIRE(team.Revctl("bob", {"reserve", "SR_STAMINA"}).out == "SR_STAMINA = 4\n");
  team.sandbox.Git(
      "ann", {"fetch", "-q", "origin", "+refs/revctl/ledger:" + std::string(Attacked::kCopy)});
  // The first commit takes another user's number, and the later commits are consistent with it.
  std::string tip = Attacked::kCopy;
  for (int i = 0; i < 10; ++i)
    tip = team.Event(tip, "high-water 3\n3 SR_BOSS eve <e@x>\n", "confirm main SR_X 1\n");
  REQUIRE(team.Push({tip + ":refs/revctl/ledger"}).empty());
  for (const char* clone : {"bob", "fresh"}) {
    if (clone == std::string("fresh")) team.sandbox.Clone(team.Url(), "fresh", "fresh");
    const auto held = team.Revctl(clone, {"reserve", "SR_BOSS", "--dry-run"});
    CHECK(Has(held.err, "is reserved by ann <ann@studio.example>"));
    CHECK(Has(team.Revctl(clone, {"reserve", "--dry-run"}).out, "5"));
  }
  const auto next = team.Revctl("bob", {"reserve", "SR_DOOR"});
  CHECK(next.out == "SR_DOOR = 5\n");
  CHECK(Has(next.err, "the last valid commit"));
  // Every clone accepts the event that Bob has pushed.
  team.sandbox.Clone(team.Url(), "later", "later");
  const auto after = team.Revctl("later", {"reserve", "SR_LAST"});
  CHECK(after.out == "SR_LAST = 6\n");
  CHECK_FALSE(Has(after.err, "the last valid commit"));
}

TEST_CASE("ledger reader: a repair moves no reservation or number", "[server]") {
  Attacked team(false);
  REQUIRE(team.Revctl("ann", {"reserve", "SR_BOSS"}).status == 0);
  for (const char* list :
       {"high-water 3\n3 SR_BOSS eve <e@x>\n", "high-water 2\n2 SR_BOSS ann <ann@studio.example>\n",
        "high-water 1\n"}) {
    INFO(list);
    const std::string event = team.Event(Attacked::kCopy, list, "create\n");
    REQUIRE(team.Push({"+" + event + ":refs/revctl/ledger"}).empty());
    const auto reserved = team.Revctl("bob", {"reserve", "SR_BOSS", "--dry-run"});
    CHECK(Has(reserved.err, "SR_BOSS is reserved by ann <ann@studio.example>"));
    CHECK(Has(team.Revctl("bob", {"reserve", "--dry-run"}).out, "4"));
    team.sandbox.Git("bob", {"update-ref", "-d", Attacked::kCopy});
  }
}

TEST_CASE("ledger reader: numbers assigned by bad commits are never reused", "[server]") {
  Attacked team(false);
  REQUIRE(team.Revctl("ann", {"reserve", "SR_BOSS"}).status == 0);
  const std::string first = team.Event(Attacked::kCopy, "high-water 3\n3 SR_BOSS eve <e@x>\n",
                                       "confirm main SR_X 3\n"),
                    second =
                        team.Event(first, "high-water 4\n3 SR_BOSS eve <e@x>\n4 SR_Y dan <d@x>\n",
                                   "reserve main SR_Y 4\n\nRevision: SR_Y 4\n");
  REQUIRE(team.Push({second + ":refs/revctl/ledger"}).empty());
  CHECK(team.Revctl("bob", {"reserve", "SR_DOOR"}).out == "SR_DOOR = 5\n");
}

// revctl does not compare the author of an event with the holder of the number, because clients
// choose the author freely, and bots reserve numbers for other users. The ledger's history records
// a take-over under the author's name.
TEST_CASE("ledger reader: a bot's event can assign a number to a person", "[server]") {
  for (const bool guarded : {true, false}) {
    Attacked team(guarded);
    REQUIRE(team.Revctl("ann", {"reserve", "SR_BOSS"}).status == 0);
    team.sandbox.Git("ann", {"config", "user.name", "ci"});
    team.sandbox.Git("ann", {"config", "user.email", "ci@studio.example"});
    const std::string event = team.Event(
        Attacked::kCopy,
        "high-water 4\n3 SR_BOSS ann <ann@studio.example>\n4 SR_Y bob <bob@studio.example>\n",
        "reserve main SR_Y 4\n\nRevision: SR_Y 4\n");
    CHECK(team.Push({event + ":refs/revctl/ledger"}).empty());
    CHECK(team.Revctl("bob", {"reserve", "SR_Y"}).out == "SR_Y = 4\n");
    CHECK(team.Revctl("bob", {"reserve", "SR_DOOR"}).out == "SR_DOOR = 5\n");
  }
}

TEST_CASE("ledger reader: a repair keeps valid events on top of foreign commits", "[server]") {
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
