// Tests `reserve` and `abandon` as users run them: real repositories, a real server, exit codes and
// output.
#include <algorithm>
#include <catch2/catch.hpp>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "tests/scenarios/team.h"

using namespace revctl::testing;

TEST_CASE("reserve: assigns a number, adds an entry, and can be repeated", "[reserve]") {
  Team team;
  auto first = team.Revctl("ann", {"reserve", "SR_BOSS", "-m", "the boss"});
  CHECK(first.status == 0);
  CHECK(first.out == "SR_BOSS = 3\n");
  CHECK(team.List("ann").find("    SR_BOSS=3,// a: the boss\n") != std::string::npos);
  const std::string list = team.List("ann");
  CHECK(team.Revctl("ann", {"reserve", "SR_BOSS"}).out == "SR_BOSS = 3\n");
  CHECK(team.List("ann") == list);

  // If `reserve` was killed between the push and the edit of the list, the next run prints the same
  // number and adds the entry.
  team.sandbox.Git("ann", {"checkout", "-q", "--", team.kList});
  CHECK(team.Revctl("ann", {"reserve", "SR_BOSS"}).out == "SR_BOSS = 3\n");
  CHECK(team.List("ann").find("SR_BOSS=3") != std::string::npos);

  // Bob has not fetched but gets the next number. Ann keeps her name unless Bob takes it over.
  CHECK(team.Revctl("bob", {"reserve", "SR_STAMINA"}).out == "SR_STAMINA = 4\n");
  auto taken = team.Revctl("bob", {"reserve", "SR_BOSS"});
  CHECK(taken.status == 1);
  CHECK(taken.err.find("reserved by ann <ann@studio.example> as 3") != std::string::npos);
  CHECK(team.Revctl("bob", {"reserve", "SR_BOSS", "--take-over"}).out == "SR_BOSS = 3\n");
  CHECK(team.Revctl("ann", {"reserve", "SR_BOSS"}).status == 1);
}

TEST_CASE("reserve: names that cannot be revisions", "[reserve]") {
  Team team;
  const std::string before = team.sandbox.Snapshot("ann");
  for (const char* name :
       {"BOSS", "SR_", "SR-BOSS", "SR_A B", "", "SR_X=9", "SR_X;rm", "--upload-pack=x"}) {
    auto refused = team.Revctl("ann", {"reserve", "--", name});
    INFO(name << ": " << refused.err);
    CHECK(refused.status == 2);
  }
  CHECK(team.Revctl("ann", {"reserve", "SR_FOULS"}).status == 1);  // already landed
  CHECK(team.Revctl("ann", {"reserve"}).status == 2);
  CHECK(team.sandbox.Snapshot("ann") == before);
  CHECK(team.sandbox.TryGit("srv/game.git", {"rev-parse", "--verify", "-q", "refs/revctl/ledger"})
            .status != 0);
}

TEST_CASE("reserve: --dry-run changes nothing", "[reserve]") {
  Team team;
  const std::string before = team.sandbox.Snapshot("ann");
  CHECK(team.Revctl("ann", {"reserve", "--dry-run"}).out == "3\n");
  CHECK(nlohmann::json::parse(team.Revctl("ann", {"reserve", "--dry-run", "--json"}).out)
            .at("number") == 3);
  CHECK(team.Revctl("ann", {"reserve", "SR_BOSS", "--dry-run"}).out == "SR_BOSS = 3\n");
  CHECK(team.Revctl("ann", {"reserve", "--dry-run"}).out == "3\n");
  CHECK(team.sandbox.Snapshot("ann") == before);
}

TEST_CASE("reserve: an offline number is provisional until fix confirms it", "[reserve]") {
  Team team;
  CHECK(team.Revctl("bob", {"reserve", "SR_STAMINA"}).status == 0);
  auto offline = team.Revctl("ann", {"reserve", "SR_BOSS", "--offline"});
  CHECK(offline.status == 5);
  CHECK(offline.out == "SR_BOSS = 3\n");
  CHECK(team.Revctl("ann", {"list"}).out.find("SR_BOSS  (provisional)") != std::string::npos);
  CHECK(team.Revctl("ann", {"fix"}).out == "SR_BOSS 3 -> 4\n");
  CHECK(team.List("ann").find("SR_BOSS=4,") != std::string::npos);
  const std::string list = team.List("ann");
  auto again = team.Revctl("ann", {"fix"});
  CHECK(again.status == 0);
  CHECK(again.out.empty());
  CHECK(team.List("ann") == list);
}

TEST_CASE("abandon: the number is never reused, and the entry is removed", "[release]") {
  Team team;
  const std::string before = team.List("ann");
  REQUIRE(team.Revctl("ann", {"reserve", "SR_BOSS"}).status == 0);
  CHECK(team.Revctl("bob", {"abandon", "SR_BOSS"}).status == 1);
  CHECK(team.Revctl("ann", {"abandon", "SR_BOSS"}).status == 0);
  CHECK(team.List("ann") == before);
  CHECK(team.Revctl("ann", {"abandon", "SR_BOSS"}).status == 0);  // running abandon again succeeds
  CHECK(team.Revctl("ann", {"reserve", "--dry-run"}).out == "4\n");
  CHECK(team.Revctl("ann", {"abandon", "SR_FOULS"}).status == 1);
}

TEST_CASE("abandon: by number; a number that nobody has is an error", "[release]") {
  Team team;
  const std::string before = team.List("ann");
  REQUIRE(team.Revctl("ann", {"reserve", "SR_BOSS"}).status == 0);
  // Ann has reserved the revision, and Bob knows it only from the ledger.
  CHECK(team.Revctl("bob", {"abandon", "3"}).status == 1);
  const auto abandoned = team.Revctl("ann", {"abandon", "3"});
  CHECK(abandoned.status == 0);
  CHECK(abandoned.out == "SR_BOSS is abandoned; 3 will never be reused\n");
  CHECK(team.List("ann") == before);
  CHECK(team.Revctl("ann", {"abandon", "SR_BOSS"}).err == "SR_BOSS is already abandoned\n");
  for (const auto& [what, why] : std::vector<std::pair<std::string, std::string>>{
           {"3",
            "neither src/master_version_list.h nor the ledger has a revision with the number 3"},
           {"99999999999999999999", "is not reserved; nothing to abandon"},
           {"2", "SR_FOULS has landed on origin/main"},
           {"SR_BOS", "SR_BOS is not reserved; nothing to abandon"},
           {"src/master_version_list.h", "is not reserved; nothing to abandon"}}) {
    const auto refused = team.Revctl("ann", {"abandon", what});
    INFO(what << refused.out << refused.err);
    CHECK(refused.status == 1);
    CHECK(refused.err.find(why) != std::string::npos);
    CHECK(refused.err.find("\nfix: ") != std::string::npos);
  }
  // Number 4 has two names: SR_HAND was added by hand, and SR_OF_BOB is in the ledger.
  REQUIRE(team.Revctl("bob", {"reserve", "SR_OF_BOB"}).out == "SR_OF_BOB = 4\n");
  AddByHand(team, "ann", "SR_HAND=4,");
  const auto both = team.Revctl("ann", {"abandon", "4"});
  CHECK(both.status == 1);
  CHECK(both.err.find("4 is the number of both SR_HAND and SR_OF_BOB") != std::string::npos);
}

TEST_CASE("without a remote, the same commands work locally") {
  Sandbox sandbox;
  sandbox.NewRepository("r", "ann");
  sandbox.Write("r/src/master_version_list.h", Team::kListText);
  sandbox.Write("r/.revctl.yaml", "version: 1\nlists: [{path: src/master_version_list.h}]\n");
  sandbox.CommitAll("r", "first");
  CHECK(sandbox.Revctl("r", {"reserve", "SR_BOSS"}).out == "SR_BOSS = 3\n");
  CHECK(sandbox.Revctl("r/src", {"reserve", "SR_TWO"}).out == "SR_TWO = 4\n");
  sandbox.CommitAll("r", "second");
  CHECK(sandbox.Revctl("r", {"list", "--json"}).out.find("\"state\":\"pending\"") ==
        std::string::npos);
  CHECK(sandbox.Revctl("r", {"reserve", "--dry-run"}).out == "5\n");
}

TEST_CASE("reserve: comments follow the majority of the list", "[reserve]") {
  Team team;
  auto reserved = [&](const std::string& name, const std::string& entries) {
    team.sandbox.Write("ann/" + std::string(Team::kList), "enum Revision {\n" + entries + "};\n");
    auto run = team.Revctl("ann", {"reserve", name, "-m", "has phases"});
    INFO(run.out << run.err);
    CHECK(run.status == 0);
    const std::string text = team.sandbox.Read("ann/" + std::string(Team::kList));
    return text.substr(text.find("    " + name));
  };
  // The new comment begins with initials only if most other comments do, and is in the same column
  // as most other comments.
  CHECK(reserved("SR_BOSS", "    SR_INITIAL = 1,  // first\n    SR_FOULS = 2,    // fouls\n") ==
        "    SR_BOSS = 3,     // has phases\n};\n");
  CHECK(reserved("SR_NEW", "    SR_INITIAL = 1,\n    SR_FOULS = 2,\n") ==
        "    SR_NEW = 4, // has phases\n};\n");
  CHECK(reserved("SR_TWO",
                 "    SR_INITIAL = 1,         // first\n    SR_FOULS = 2,           // ae: fouls\n"
                 "    SR_A = 3,               // ae: a\n    SR_B = 4,  // ae: b\n") ==
        "    SR_TWO = 5,             // a: has phases\n};\n");
}

TEST_CASE("abandon: says how to remove the revision's goldens", "[release]") {
  const Team team;
  std::string config = Team::kConfig;
  config.insert(config.find("path: "), "golden: golden, ");
  team.sandbox.Write("ann/.revctl.yaml", config);
  REQUIRE(team.Revctl("ann", {"reserve", "SR_ANT"}).status == 0);
  team.sandbox.Write("ann/golden/SR_ANT.yaml", "version: 1\n");
  const auto abandoned = team.Revctl("ann", {"abandon", "SR_ANT"});
  CHECK(abandoned.status == 0);
  CHECK(abandoned.err ==
        "revctl: note: the goldens of SR_ANT are still there\nfix: git rm -f 'golden/SR_ANT.*'\n");
}

TEST_CASE("abandon: is not repeated after a lost answer", "[seldom]") {
  // A second attempt would find nothing to abandon. Only the event in the ledger's history shows
  // that the first attempt succeeded.
  Team team;
  REQUIRE(team.Revctl("bob", {"reserve", "SR_BOSS"}).out == "SR_BOSS = 3\n");
  team.sandbox.WriteExecutable("srv/game.git/hooks/post-receive",
                               "#!/bin/sh\nrm \"$0\"\nkill -9 $PPID\n");
  auto released = team.Revctl("bob", {"abandon", "SR_BOSS"});
  INFO(released.out << released.err);
  CHECK(released.out == "SR_BOSS is abandoned; 3 will never be reused\n");
  CHECK_FALSE(team.sandbox.Exists("srv/game.git/hooks/post-receive"));  // the hook ran and removed
                                                                        // itself
  CHECK(team.sandbox.Git("srv/game.git", {"log", "--format=%s", "refs/revctl/ledger"})
            .starts_with("release main SR_BOSS 3\nreserve main SR_BOSS 3"));
  CHECK(team.Revctl("bob", {"reserve", "--dry-run"}).out == "4\n");
}

TEST_CASE("abandon: --take-over, and the owner in the ledger", "[abandon]") {
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
  CHECK(team.Revctl("ann", {"reserve", "--dry-run"}).out == "4\n");  // 3 is not assigned again
}

TEST_CASE("hooks: the user's hook and revctl's both read git's input", "[seldom]") {
  Team team;
  team.sandbox.WriteExecutable("ann/.git/hooks/pre-push", "#!/bin/sh\ncat >> ../pushed\n");
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

TEST_CASE("reserve: the last comma is on a line of its own", "[reserve]") {
  Team team({"ann"});
  const std::pair<std::string, std::string> lists[] = {
      {"enum R {\n  SR_A = 1,\n  SR_B = 2\n  ,\n};\n",
       "enum R {\n  SR_A = 1,\n  SR_B = 2\n  ,\n  SR_C = 3,\n};\n"},
      {"enum R {\n  SR_A,\n  SR_B // b\n  // end\n  , // comma\n};\n",
       "enum R {\n  SR_A,\n  SR_B // b\n  // end\n  , // comma\n  SR_C,\n};\n"},
      {"enum R {\n  SR_A,\n  SR_B\n, };\n", ""}};
  for (const auto& [before, after] : lists) {
    INFO(before);
    team.sandbox.Write(std::string("ann/") + Team::kList, before);
    const auto reserved = team.Revctl("ann", {"reserve", "SR_C"});
    INFO(reserved.err);
    CHECK(reserved.status == 0);
    CHECK(Has(team.Numbers("ann"), "SR_C=" + reserved.out.substr(7, reserved.out.size() - 8)));
    if (!after.empty() && Has(reserved.out, "= 3")) CHECK(team.List("ann") == after);
    REQUIRE(team.Revctl("ann", {"abandon", "SR_C"}).status == 0);
  }
}
