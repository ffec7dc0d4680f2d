// What happens seldom and must come out right all the same: answers that are lost, lists that both
// sides begin, merges that shift.
#include <algorithm>
#include <catch2/catch.hpp>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "tests/scenarios/findings.h"
#include "tests/scenarios/team.h"

using namespace revctl::testing;

namespace {

void Hook(const Team& team, const std::string& path, const std::string& text) {
  team.sandbox.Write(path, text);
  std::filesystem::permissions(team.sandbox.Path(path), std::filesystem::perms::owner_all);
}

}  // namespace

TEST_CASE("seldom: a push with a lost answer is known by its nonce", "[seldom]") {
  Team team;
  REQUIRE(team.Revctl("ann", {"reserve", "SR_FIRST"}).out == "SR_FIRST = 3\n");
  // The server's process dies once it has moved the ref, before it can say so.
  Hook(team, "srv/game.git/hooks/post-receive", "#!/bin/sh\nrm \"$0\"\nkill -9 $PPID\n");
  auto reserved = team.Revctl("bob", {"reserve", "SR_BOSS"});
  INFO(reserved.err);
  CHECK(reserved.out == "SR_BOSS = 4\n");
  CHECK_FALSE(team.sandbox.Exists("srv/game.git/hooks/post-receive"));  // it has run
  const std::string events =
      team.sandbox.Git("srv/game.git", {"log", "--format=%s", "refs/revctl/ledger"});
  CHECK(events.find("reserve main SR_BOSS 4") == 0);
  CHECK(events.find("SR_BOSS", 20) == std::string::npos);  // once
  CHECK(team.Revctl("ann", {"next"}).out == "5\n");
}

TEST_CASE("seldom: abandon with a lost answer is made once", "[seldom]") {
  // Asked anew, it would find nothing to abandon: only that its event is in the chain tells that it
  // is done.
  Team team;
  REQUIRE(team.Revctl("bob", {"reserve", "SR_BOSS"}).out == "SR_BOSS = 3\n");
  Hook(team, "srv/game.git/hooks/post-receive", "#!/bin/sh\nrm \"$0\"\nkill -9 $PPID\n");
  auto released = team.Revctl("bob", {"abandon", "SR_BOSS"});
  INFO(released.out << released.err);
  CHECK(released.out == "SR_BOSS is abandoned; 3 is burned and never given again\n");
  CHECK_FALSE(team.sandbox.Exists("srv/game.git/hooks/post-receive"));  // it has run
  CHECK(team.sandbox.Git("srv/game.git", {"log", "--format=%s", "refs/revctl/ledger"})
            .starts_with("release main SR_BOSS 3\nreserve main SR_BOSS 3"));
  CHECK(team.Revctl("bob", {"next"}).out == "4\n");
}

TEST_CASE("seldom: abandon --take-over, and the owner in the ledger", "[seldom]") {
  Team team;
  REQUIRE(team.Revctl("ann", {"reserve", "SR_BOSS"}).status == 0);
  CHECK(team.Revctl("bob", {"abandon", "SR_BOSS"}).status == 1);
  REQUIRE(team.Revctl("bob", {"reserve", "SR_BOSS", "--take-over"}).out == "SR_BOSS = 3\n");
  const std::string tree =
      team.sandbox.Git("srv/game.git", {"show", "refs/revctl/ledger:list.main"});
  CHECK(tree.find("3 SR_BOSS bob <bob@studio.example>") != std::string::npos);
  CHECK(tree.find("ann@") == std::string::npos);
  CHECK(team.Revctl("ann", {"abandon", "SR_BOSS"}).status == 1);
  CHECK(team.Revctl("ann", {"abandon", "SR_BOSS", "--take-over"}).status == 0);
  CHECK(team.Revctl("ann", {"next"}).out == "4\n");  // burned
}

TEST_CASE("seldom: both sides begin the list", "[seldom]") {
  Sandbox sandbox;
  sandbox.NewRepository("r", "ann");
  sandbox.Write("r/.revctl.yaml", Team::kConfig);
  sandbox.Write("r/.gitattributes", std::string("/") + Team::kList + " merge=revctl\n");
  sandbox.CommitAll("r", "no list yet");
  REQUIRE(sandbox.Revctl("r", {"install"}).status == 0);
  for (const std::string name : {"one", "two"}) {
    sandbox.Git("r", {"checkout", "-q", "-b", name, "main"});
    sandbox.Write(std::string("r/") + Team::kList,
                  "enum Revision {\n    SR_INITIAL=1,\n    SR_" + name + "=2,\n};\n");
    sandbox.Git("r", {"add", "-A"});
    sandbox.Git("r", {"commit", "-q", "--no-verify", "-m", name});
  }
  auto merged = sandbox.TryGit("r", {"merge", "-q", "--no-edit", "one"});
  INFO(merged.out << merged.err << sandbox.Read(std::string("r/") + Team::kList));
  CHECK(merged.status == 0);
  CHECK(sandbox.Read(std::string("r/") + Team::kList) ==
        "enum Revision {\n    SR_INITIAL=1,\n    SR_one=2,\n    SR_two=3,\n};\n");
}

TEST_CASE("seldom: the user's hook and ours both read git's input", "[seldom]") {
  Team team;
  Hook(team, "ann/.git/hooks/pre-push", "#!/bin/sh\ncat >> ../pushed\n");
  REQUIRE(team.Revctl("ann", {"install"}).status == 0);
  team.sandbox.Write("ann/notes.txt", "x\n");
  team.sandbox.CommitAll("ann", "notes");
  team.sandbox.Git("ann", {"push", "-q", "origin", "HEAD:main"});
  const std::string head = team.sandbox.Git("ann", {"rev-parse", "HEAD"}),
                    before = team.sandbox.Git("ann", {"rev-parse", "HEAD~1"});
  CHECK(team.sandbox.Read("pushed") == "HEAD " + head + " refs/heads/main " + before + "\n");
  team.sandbox.Write(std::string("ann/") + Team::kList,
                     "enum Revision {\n    SR_INITIAL=1,\n    SR_FOULS=7,\n};\n");
  team.sandbox.Git("ann", {"commit", "-qam", "a landed number", "--no-verify"});
  auto refused = team.sandbox.TryGit("ann", {"push", "-q", "origin", "HEAD:main"});
  CHECK(refused.status != 0);
  CHECK((refused.out + refused.err).find("RV004") != std::string::npos);
  CHECK(std::ranges::count(team.sandbox.Read("pushed"), '\n') == 1);
}

TEST_CASE("seldom: a shallow clone that may not fetch names the mend", "[seldom]") {
  Team team;
  REQUIRE(team.Revctl("bob", {"reserve", "SR_STAMINA"}).status == 0);
  team.sandbox.CommitAll("bob", "stamina");
  team.sandbox.Git("bob", {"push", "-q", "--no-verify", "origin", "HEAD:refs/heads/feature"});
  team.sandbox.Write("ann/notes.txt", "x\n");
  team.Land("ann");
  team.sandbox.Git(".", {"clone", "-q", "--depth=1", "--no-single-branch", "--branch=feature",
                         team.Url(), "ci"});
  auto cannot = team.Revctl("ci", {"check", "--no-fetch"}, {"CI=true"});
  INFO(cannot.out << cannot.err);
  CHECK(cannot.status == 3);
  CHECK(cannot.err.find("this clone is shallow") != std::string::npos);
  CHECK(cannot.err.find("fix: git fetch --unshallow") != std::string::npos);
  auto can = team.Revctl("ci", {"check"}, {"CI=true"});
  INFO(can.out << can.err);
  CHECK(can.status == 0);
}

TEST_CASE("seldom: RV017, a merge that a host's button would get wrong", "[seldom]") {
  Team team;
  const std::string
      head = "enum Revision {\n    SR_INITIAL=1,\n    SR_FOULS,\n    SR_A,\n    SR_B,\n    SR_C,\n",
      end = "};\n";
  team.sandbox.Write(std::string("ann/") + Team::kList, head + end);
  team.Land("ann");
  team.sandbox.Git("bob", {"pull", "-q"});
  REQUIRE(team.Revctl("ann", {"reserve", "SR_BOSS"}).out == "SR_BOSS = 6\n");
  team.sandbox.CommitAll("ann", "boss");
  CHECK(Rules(team.Revctl("ann", {"check", "--json"}), true).find("RV017") == std::string::npos);
  std::string list = team.List("bob");
  SECTION("clean, and shifted by a line that went in above") {
    list.insert(list.find("    SR_FOULS"), "    SR_EARLY,\n");
  }
  SECTION("not clean") { list.insert(list.rfind(end), "    SR_STAMINA,\n"); }
  team.sandbox.Write(std::string("bob/") + Team::kList, list);
  team.Land("bob");
  team.sandbox.Git("ann", {"fetch", "-q"});
  CHECK(Rules(team.Revctl("ann", {"check", "--json"}), true).find("RV017") != std::string::npos);
}

TEST_CASE("seldom: RV023, the lineage changes though all lines stay", "[seldom]") {
  Team team;
  CHECK(Rules(team.Revctl("ann", {"check", "--json"}), true).empty());
  team.sandbox.Write("ann/.revctl.yaml",
                     "version: 1\nlists: [{path: src/master_version_list.h, lineage_root: "
                     "\"0123456789abcdef\"}]\n");
  CHECK(Rules(team.Revctl("ann", {"check", "--json"}), true).find("RV023") != std::string::npos);
}
