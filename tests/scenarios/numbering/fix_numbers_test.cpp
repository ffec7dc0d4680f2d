// Tests that `fix` keeps the order of a branch's own revisions, unless the user names a revision to
// move.
#include <catch2/catch.hpp>
#include <filesystem>

#include "revctl/numbering/renumber_list.h"
#include "revctl/numbering/reserve_name.h"
#include "tests/scenarios/findings.h"
#include "tests/scenarios/team.h"
#include "tests/support/must.h"

using revctl::testing::Has;
using revctl::testing::Must;
using revctl::testing::Team;

namespace {

/// A team in which Ann has reserved SR_ONE = 3, SR_TWO = 4 and SR_THREE = 5. LandBobs() then lands
/// SR_STAMINA = 6.
struct Late : Team {
  Late() {
    InstallDriver("ann");
    for (const char* name : {"SR_ONE", "SR_TWO", "SR_THREE"}) {
      if (Revctl("ann", {"reserve", name}).status != 0) throw std::runtime_error(name);
    }
    sandbox.CommitAll("ann", "three");
  }
  void LandBobs() const {
    Revctl("bob", {"reserve", "SR_STAMINA"});
    Land("bob");
    sandbox.Git("ann", {"pull", "-q", "--no-edit"});
  }
};

}  // namespace

TEST_CASE("fix: moves a named revision after the branch's others", "[fix]") {
  Late team;
  const auto dry = team.Revctl("ann", {"fix", "--last", "SR_ONE", "--dry-run"});
  CHECK(Has(dry.err, "SR_ONE 3 -> 6\n"));
  CHECK(Has(dry.out, "-    SR_ONE=3,\n"));
  CHECK(team.Revctl("ann", {"fix", "--last", "SR_ONE"}).out == "SR_ONE 3 -> 6\n");
  const std::string order = "SR_INITIAL=1 SR_FOULS=2 SR_TWO=4 SR_THREE=5 SR_ONE=6";
  CHECK(team.Numbers("ann") == order);
  const std::string text = team.List("ann");
  CHECK(text.find("SR_THREE") < text.find("SR_ONE"));
  for (const std::vector<std::string>& again :
       {std::vector<std::string>{"fix", "--last", "SR_ONE"}, {"fix"}}) {
    const auto said = team.Revctl("ann", again);
    CHECK(said.out.empty());
    CHECK(team.Numbers("ann") == order);
  }
  CHECK(team.Revctl("ann", {"check"}).out.find("error") == std::string::npos);
  // A plain `fix` moves all of Ann's revisions, in the new order, after the revisions that have
  // landed since.
  team.sandbox.CommitAll("ann", "one is last");
  team.LandBobs();
  const auto plain = team.Revctl("ann", {"fix"});
  INFO(plain.out << plain.err);
  CHECK(team.Numbers("ann") ==
        "SR_INITIAL=1 SR_FOULS=2 SR_STAMINA=7 SR_TWO=8 SR_THREE=9 SR_ONE=10");
}

TEST_CASE("fix: moves several late revisions to the end, in the given order", "[fix]") {
  Late team;
  team.LandBobs();
  CHECK(team.Revctl("ann", {"fix", "--last", "SR_THREE", "SR_ONE"}).status == 0);
  CHECK(team.Numbers("ann") ==
        "SR_INITIAL=1 SR_FOULS=2 SR_STAMINA=6 SR_TWO=8 SR_THREE=9 SR_ONE=10");
  const auto ledger = team.Revctl("ann", {"show", "SR_ONE"});
  CHECK(ledger.out.find("10") != std::string::npos);
}

TEST_CASE("fix: reports stale goldens of revisions that now follow another one", "[fix]") {
  Late team;
  team.sandbox.Write("ann/.revctl.yaml",
                     "version: 1\nlists: [{path: src/master_version_list.h, golden: golden}]\n");
  std::string previous = "SR_FOULS";
  for (const std::string name : {"SR_ONE", "SR_TWO", "SR_THREE"}) {
    team.sandbox.Write("ann/golden/" + name + ".yaml",
                       "version: 1\nrevision: " + name + "\nnumber: 1\n" +
                           "lineage: \"0123456789abcdef\"\nprevious: " + previous +
                           "\nrecorded: {by: record, code: SR_ONE, compiler: g++, revctl: 0.1.0, "
                           "seed: 1}\ntypes: [{type: Match, compared: [], fields: []}]\n" +
                           "enums: []\ncases: []\nupgrades: []\n");
    previous = name;
  }
  const auto said = team.Revctl("ann", {"fix", "--last", "SR_TWO"});
  INFO(said.out << said.err);
  CHECK(said.out.starts_with("SR_TWO 4 -> 6\n"));
  CHECK(Has(said.out, "golden/SR_THREE.yaml: error[RV028]"));
  CHECK(Has(said.out, "golden/SR_TWO.yaml: error[RV028]"));
  CHECK_FALSE(Has(said.out, "golden/SR_ONE.yaml: error[RV028]"));
}

TEST_CASE("fix: the printed command keeps the branch's order", "[fix]") {
  Late team;
  team.LandBobs();
  // All of Ann's revisions are late, as after a rebase without the driver.
  team.sandbox.Write(
      std::string("ann/") + Team::kList,
      "#pragma once\nenum Revision {\n    SR_INITIAL=1,// ae: the beginning\n    SR_FOULS=2,// ae: "
      "fouls\n    SR_ONE=3,\n    SR_TWO=4,\n    SR_THREE=5,\n    SR_STAMINA=6,\n};\n");
  for (const char* command : {"check", "status"}) {
    const auto said = team.Revctl("ann", {command});
    INFO(said.out);
    CHECK(said.out.find("revctl fix") != std::string::npos);
    CHECK(said.out.find("revctl fix SR_") == std::string::npos);
  }
  CHECK(team.Revctl("ann", {"fix"}).status == 0);
  CHECK(team.Numbers("ann") == "SR_INITIAL=1 SR_FOULS=2 SR_STAMINA=6 SR_ONE=7 SR_TWO=8 SR_THREE=9");
}

TEST_CASE("fix: summarizes many moves by the same distance in three lines and a count",
          "[fix][fold]") {
  Team team;
  team.InstallDriver("ann");
  for (const char* name : {"SR_A", "SR_B", "SR_C", "SR_D", "SR_E", "SR_F"})
    REQUIRE(team.Revctl("ann", {"reserve", name}).status == 0);
  REQUIRE(team.Revctl("bob", {"reserve", "SR_STAMINA"}).out == "SR_STAMINA = 9\n");
  team.Land("bob");
  team.sandbox.CommitAll("ann", "six");
  const auto dry = team.Revctl("ann", {"fix", "--dry-run"});
  CHECK(
      Has(dry.err,
          "SR_A 3 -> 10\nSR_B 4 -> 11\nSR_C 5 -> 12\nand 3 more shifted by +7, up to SR_F = 15\n"));
  const auto json = nlohmann::json::parse(team.Revctl("ann", {"fix", "--dry-run", "--json"}).out);
  CHECK(json["renumbered"].size() == 6);
}

TEST_CASE("fix: the revision that was reserved first lands second", "[fix]") {
  Team team;
  team.InstallDriver("ann");
  REQUIRE(team.Revctl("ann", {"reserve", "SR_BOSS", "-m", "since 3"}).out == "SR_BOSS = 3\n");
  REQUIRE(team.Revctl("ann", {"reserve", "SR_BOSS_TWO"}).out == "SR_BOSS_TWO = 4\n");
  REQUIRE(team.Revctl("bob", {"reserve", "SR_STAMINA"}).out == "SR_STAMINA = 5\n");
  team.Land("bob");
  team.sandbox.CommitAll("ann", "boss");
  auto behind = team.Revctl("ann", {"fix", "--dry-run"});
  CHECK(Has(behind.err, "SR_BOSS 3 -> 6\nSR_BOSS_TWO 4 -> 7\n"));
  // The merge driver assigns the same numbers, provisionally.
  team.sandbox.Git("ann", {"pull", "-q", "--rebase"});
  auto dry = team.Revctl("ann", {"fix", "--dry-run"});
  CHECK(dry.out.empty());
  CHECK(Has(dry.err, "SR_BOSS = 6 confirmed\nSR_BOSS_TWO = 7 confirmed\n"));
  CHECK(team.Revctl("ann", {"fix"}).out == "SR_BOSS = 6 confirmed\nSR_BOSS_TWO = 7 confirmed\n");
  CHECK(team.Numbers("ann") == "SR_INITIAL=1 SR_FOULS=2 SR_STAMINA=5 SR_BOSS=6 SR_BOSS_TWO=7");
  CHECK(team.Revctl("ann", {"fix", "--last", "SR_STAMINA"}).status == 1);
  CHECK(team.Revctl("ann", {"fix", "--last", "SR_NONE"}).status == 2);
  team.Land("ann");
  CHECK(team.Revctl("bob", {"reserve", "--dry-run"}).out == "8\n");
}

TEST_CASE("fix: another person's earlier reservation moves first", "[fix][order]") {
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
  CHECK(check().out.find("fix: revctl fix\n") != std::string::npos);
  team.sandbox.Git("ann", {"fetch", "-q"});
  team.sandbox.Git("ann", {"merge", "-q", "--no-edit", "origin/main"});
  const auto run = team.Revctl("ann", {"fix"});
  CHECK(run.out == "SR_BASE = 6 confirmed\nSR_TOP = 7 confirmed\n");
  CHECK(run.err.find("SR_BASE stays reserved by bob <bob@studio.example>") != std::string::npos);
  CHECK(team.Numbers("ann") == "SR_INITIAL=1 SR_FOULS=2 SR_CAVE=5 SR_BASE=6 SR_TOP=7");
  team.sandbox.Git("ann", {"commit", "-q", "--allow-empty", "-am", "renumbered"});
  CHECK(check().status == 0);
  CHECK(revctl("ann", {"fix"}).empty());
  // A revision that the user names moves after the others.
  CHECK(revctl("ann", {"fix", "--last", "SR_TOP", "--dry-run"}).empty());
  CHECK(Has(revctl("ann", {"fix", "--last", "SR_BASE", "--dry-run"}), "+    SR_BASE=8,\n"));
}

TEST_CASE("fix: returning to a reserved number keeps the order", "[fix]") {
  // A rebase has given SR_BOSS a provisional number far above its reserved number.
  const revctl::testing::Team team;
  REQUIRE(team.Revctl("ann", {"reserve", "SR_BOSS"}).out == "SR_BOSS = 3\n");
  team.sandbox.Write(std::string("ann/") + revctl::testing::Team::kList,
                     "enum Revision {\n    SR_INITIAL=1,\n    SR_FOULS=2,\n    SR_BOSS=10,\n    "
                     "SR_PHASE=11,\n    SR_LAST,\n};\n");
  CHECK(team.Revctl("ann", {"fix"}).out ==
        "SR_BOSS 10 -> 3\nSR_PHASE = 11 confirmed\nSR_LAST = 12 confirmed\n");
  CHECK(team.List("ann") ==
        "enum Revision {\n    SR_INITIAL=1,\n    SR_FOULS=2,\n    SR_BOSS=3,\n    SR_PHASE=11,\n  "
        "  SR_LAST,\n};\n");
}

TEST_CASE("fix: in a fork, if reservations are optional", "[check]") {
  Team team;
  team.sandbox.Write("ann/.revctl.yaml", std::string(Team::kConfig) + "reservation: optional\n");
  team.Land("ann");
  team.sandbox.WriteExecutable("srv/game.git/hooks/update",
                               "#!/bin/sh\ncase $1 in refs/revctl/*) exit 1;; esac\n");
  team.sandbox.Git("bob", {"pull", "-q"});
  AddByHand(team, "bob", "SR_BOSS=2,");
  CHECK(Check(team, "bob").find("RV001") != std::string::npos);
  auto renumbered = team.Revctl("bob", {"fix"});
  INFO(renumbered.out << renumbered.err);
  CHECK(renumbered.status == 0);
  CHECK(team.Numbers("bob") == "SR_INITIAL=1 SR_FOULS=2 SR_BOSS=3");
  CHECK(Check(team, "bob").empty());
}

TEST_CASE("renumber and reserve: the engines return values and report to a listener",
          "[renumber]") {
  const revctl::git::Library library;
  Late team;
  team.LandBobs();
  std::vector<std::string> heard;
  const revctl::base::Listener listener{
      .waiting = [&](const std::string& what) { heard.push_back("waits: " + what); },
      .note = [&](const std::string& line) { heard.push_back("note: " + line); }};
  const auto workspace = Must(revctl::commands::Workspace::Open(team.sandbox.Path("ann")));
  const auto& list = *Must(workspace.OneList(""));
  const auto lock = Must(workspace.LockLists(listener));
  const auto planned =
      Must(revctl::commands::RenumberList(workspace, list, {.dry_run = true}, listener));
  CHECK(MoveLines(planned) == std::vector<std::string>{"SR_ONE = 7 confirmed",
                                                       "SR_TWO = 8 confirmed",
                                                       "SR_THREE = 9 confirmed"});
  CHECK(heard == std::vector<std::string>{"waits: asking origin for numbers", "waits: "});
  heard.clear();
  Must(revctl::commands::RenumberList(workspace, list, {}, listener));
  CHECK(Must(revctl::commands::RenumberList(workspace, list, {}, listener)).moves.empty());
  CHECK(heard == std::vector<std::string>{"waits: asking origin for numbers", "waits: ",
                                          "waits: asking origin for numbers", "waits: "});
  const auto next = Must(revctl::commands::ReserveName(
      workspace, list, {.name = "SR_FOUR", .message = "", .dry_run = true}, {}));
  CHECK(next.number == 10);
  CHECK_FALSE(next.provisional);
}

TEST_CASE("fix: a revision keeps its reserved number if an entry is inserted above it", "[fix]") {
  const Team team;
  const std::string list = std::string("ann/") + Team::kList;
  const auto text = [](const std::string& pending) {
    return "#pragma once\nenum Revision {\n    SR_INITIAL = 1,\n    SR_FOULS,\n" + pending + "};\n";
  };
  team.sandbox.Write(list, text(""));
  team.Land("ann");
  REQUIRE(team.Revctl("ann", {"reserve", "SR_ONE"}).out == "SR_ONE = 3\n");
  REQUIRE(team.Revctl("ann", {"reserve", "SR_TWO"}).out == "SR_TWO = 4\n");
  team.sandbox.CommitAll("ann", "one and two");
  std::string wanted = "SR_INITIAL=1 SR_FOULS=2 SR_ONE=3 SR_TWO=4 SR_NEW=5";
  SECTION("an implicit number, which shifts the others") {
    team.sandbox.Write(list, text("    SR_NEW,\n    SR_ONE,\n    SR_TWO,\n"));
  }
  SECTION("between the reserved revisions") {
    team.sandbox.Write(list, text("    SR_ONE,\n    SR_NEW,\n    SR_TWO,\n"));
  }
  SECTION("with the number of a reserved revision") {
    team.sandbox.Write(list, text("    SR_NEW = 3,\n    SR_ONE = 3,\n    SR_TWO = 4,\n"));
  }
  SECTION("with a number that another person has reserved") {
    REQUIRE(team.Revctl("bob", {"reserve", "SR_BOBS"}).out == "SR_BOBS = 5\n");
    REQUIRE(team.Revctl("ann", {"reserve", "SR_LAST"}).out == "SR_LAST = 6\n");
    team.sandbox.Write(list, text("    SR_ONE,\n    SR_TWO,\n    SR_NEW = 5,\n    SR_LAST = 6,\n"));
    wanted = "SR_INITIAL=1 SR_FOULS=2 SR_ONE=3 SR_TWO=4 SR_LAST=6 SR_NEW=7";
  }
  SECTION("two inserted entries") {
    team.sandbox.Write(list, text("    SR_NEW,\n    SR_NEXT,\n    SR_ONE,\n    SR_TWO,\n"));
    wanted += " SR_NEXT=6";
  }
  const auto fixed = team.Revctl("ann", {"fix"});
  INFO(fixed.out << fixed.err << team.List("ann"));
  CHECK(fixed.status == 0);
  CHECK(team.Numbers("ann") == wanted);
  CHECK(revctl::testing::Check(team, "ann").empty());
  CHECK(Has(team.Revctl("ann", {"fix"}).err, "OK: nothing to fix"));
}

TEST_CASE("fix: an entry in a gap of the numbers moves after the entries at HEAD", "[fix]") {
  const Team team;
  const std::string list = std::string("ann/") + Team::kList;
  REQUIRE(team.Revctl("ann", {"reserve", "SR_GONE"}).status == 0);
  REQUIRE(team.Revctl("ann", {"abandon", "SR_GONE"}).status == 0);
  REQUIRE(team.Revctl("ann", {"reserve", "SR_ONE"}).out == "SR_ONE = 4\n");
  team.sandbox.CommitAll("ann", "one");
  std::string text = team.List("ann");
  team.sandbox.Write(list, text.insert(text.find("    SR_ONE"), "    SR_NEW=3,\n"));
  const auto fixed = team.Revctl("ann", {"fix"});
  INFO(fixed.out << fixed.err << team.List("ann"));
  CHECK(fixed.status == 0);
  CHECK(team.Numbers("ann") == "SR_INITIAL=1 SR_FOULS=2 SR_ONE=4 SR_NEW=5");
}

TEST_CASE("fix: a revision reserved offline stays before later ones", "[fix]") {
  const Team team;
  REQUIRE(team.Revctl("ann", {"reserve", "SR_EARLY", "--offline"}).out == "SR_EARLY = 3\n");
  REQUIRE(team.Revctl("ann", {"reserve", "SR_LATER"}).out == "SR_LATER = 4\n");
  const auto fixed = team.Revctl("ann", {"fix"});
  INFO(fixed.out << fixed.err);
  CHECK(fixed.status == 0);
  CHECK(team.Numbers("ann") == "SR_INITIAL=1 SR_FOULS=2 SR_EARLY=5 SR_LATER=6");
}
