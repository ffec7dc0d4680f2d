// The order of a branch's own revisions: kept without a name, changed by one.
#include <catch2/catch.hpp>

#include "tests/scenarios/team.h"

using revctl::testing::Team;

namespace {

/// Bob lands SR_STAMINA = 6 behind Ann's reserved SR_ONE = 3, SR_TWO = 4, SR_THREE = 5.
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

TEST_CASE("renumber: by name, one goes behind the branch's others", "[renumber]") {
  Late team;
  CHECK(team.Revctl("ann", {"renumber", "SR_ONE", "--dry-run"}).out == "SR_ONE 3 -> 6\n");
  CHECK(team.Revctl("ann", {"renumber", "SR_ONE"}).out == "SR_ONE 3 -> 6\n");
  const std::string order = "SR_INITIAL=1 SR_FOULS=2 SR_TWO=4 SR_THREE=5 SR_ONE=6";
  CHECK(team.Numbers("ann") == order);
  const std::string text = team.List("ann");
  CHECK(text.find("SR_THREE") < text.find("SR_ONE"));
  for (const std::vector<std::string>& again :
       {std::vector<std::string>{"renumber", "SR_ONE"}, {"renumber"}}) {
    const auto said = team.Revctl("ann", again);
    CHECK(said.out.empty());
    CHECK(team.Numbers("ann") == order);
  }
  CHECK(team.Revctl("ann", {"check"}).out.find("error") == std::string::npos);
  // Behind what has landed since, in the new order, by the command that everything advises.
  team.sandbox.CommitAll("ann", "one is last");
  team.LandBobs();
  const auto plain = team.Revctl("ann", {"renumber"});
  INFO(plain.out << plain.err);
  CHECK(team.Numbers("ann") ==
        "SR_INITIAL=1 SR_FOULS=2 SR_STAMINA=7 SR_TWO=8 SR_THREE=9 SR_ONE=10");
}

TEST_CASE("renumber: several late names in the order given", "[renumber]") {
  Late team;
  team.LandBobs();
  CHECK(team.Revctl("ann", {"renumber", "SR_THREE", "SR_ONE"}).status == 0);
  CHECK(team.Numbers("ann") ==
        "SR_INITIAL=1 SR_FOULS=2 SR_STAMINA=6 SR_TWO=8 SR_THREE=9 SR_ONE=10");
  const auto ledger = team.Revctl("ann", {"whois", "SR_ONE"});
  CHECK(ledger.out.find("10") != std::string::npos);
}

TEST_CASE("renumber: goldens of all that stand behind another one now", "[renumber]") {
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
  const auto said = team.Revctl("ann", {"renumber", "SR_TWO"});
  CHECK(said.out == "SR_TWO 4 -> 6\n");
  INFO(said.err);
  CHECK(said.err.find("golden/SR_THREE.yaml, golden/SR_TWO.yaml") != std::string::npos);
  CHECK(said.err.find("SR_ONE") == std::string::npos);
}

TEST_CASE("renumber: what is printed as a mend keeps the branch's order", "[renumber]") {
  Late team;
  team.LandBobs();
  // As after a rebase without a driver: late, all of them.
  team.sandbox.Write(
      std::string("ann/") + Team::kList,
      "#pragma once\nenum Revision {\n    SR_INITIAL=1,// ae: the beginning\n    SR_FOULS=2,// ae: "
      "fouls\n    SR_ONE=3,\n    SR_TWO=4,\n    SR_THREE=5,\n    SR_STAMINA=6,\n};\n");
  for (const char* command : {"check", "status"}) {
    const auto said = team.Revctl("ann", {command});
    INFO(said.out);
    CHECK(said.out.find("revctl renumber") != std::string::npos);
    CHECK(said.out.find("revctl renumber SR_") == std::string::npos);
  }
  CHECK(team.Revctl("ann", {"renumber"}).status == 0);
  CHECK(team.Numbers("ann") == "SR_INITIAL=1 SR_FOULS=2 SR_STAMINA=6 SR_ONE=7 SR_TWO=8 SR_THREE=9");
}
