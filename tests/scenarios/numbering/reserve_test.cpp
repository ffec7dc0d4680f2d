// The program as a user runs it: real repositories, a real server, its exit codes and its words.
#include <catch2/catch.hpp>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "tests/scenarios/team.h"

using namespace revctl::testing;

TEST_CASE("reserve: a number, an entry, and the same again", "[commands]") {
  Team team;
  auto first = team.Revctl("ann", {"reserve", "SR_BOSS", "-m", "the boss"});
  CHECK(first.status == 0);
  CHECK(first.out == "SR_BOSS = 3\n");
  CHECK(team.List("ann").find("    SR_BOSS=3,// a: the boss\n") != std::string::npos);
  const std::string list = team.List("ann");
  CHECK(team.Revctl("ann", {"reserve", "SR_BOSS"}).out == "SR_BOSS = 3\n");
  CHECK(team.List("ann") == list);

  // Killed between push and list: the entry is missing, the number is the same.
  team.sandbox.Git("ann", {"checkout", "-q", "--", team.kList});
  CHECK(team.Revctl("ann", {"reserve", "SR_BOSS"}).out == "SR_BOSS = 3\n");
  CHECK(team.List("ann").find("SR_BOSS=3") != std::string::npos);

  // Bob, who has fetched nothing since, gets the next one; and Ann's name is hers.
  CHECK(team.Revctl("bob", {"reserve", "SR_STAMINA"}).out == "SR_STAMINA = 4\n");
  auto taken = team.Revctl("bob", {"reserve", "SR_BOSS"});
  CHECK(taken.status == 1);
  CHECK(taken.err.find("reserved by ann <ann@studio.example> as 3") != std::string::npos);
  CHECK(team.Revctl("bob", {"reserve", "SR_BOSS", "--take-over"}).out == "SR_BOSS = 3\n");
  CHECK(team.Revctl("ann", {"reserve", "SR_BOSS"}).status == 1);
}

TEST_CASE("options may stand before what a command works on", "[commands]") {
  Team team;
  CHECK(team.Revctl("ann", {"reserve", "-m", "the boss", "SR_BOSS"}).out == "SR_BOSS = 3\n");
  CHECK(team.List("ann").find("SR_BOSS=3,// a: the boss") != std::string::npos);
  CHECK(team.Revctl("ann", {"whois", "--list", "main", "SR_BOSS"}).status == 0);
  CHECK(team.Revctl("ann", {"--format", "json", "whois", "SR_BOSS"}).status == 0);
}

TEST_CASE("reserve: names that cannot be revisions", "[commands]") {
  Team team;
  const std::string before = team.sandbox.Snapshot("ann");
  for (const char* name :
       {"BOSS", "SR_", "SR-BOSS", "SR_A B", "", "SR_X=9", "SR_X;rm", "--upload-pack=x"}) {
    auto refused = team.Revctl("ann", {"reserve", "--", name});
    INFO(name << ": " << refused.err);
    CHECK(refused.status == 2);
  }
  CHECK(team.Revctl("ann", {"reserve", "SR_FOULS"}).status == 1);  // has landed
  CHECK(team.Revctl("ann", {"reserve"}).status == 2);
  CHECK(team.sandbox.Snapshot("ann") == before);
  CHECK(team.sandbox.TryGit("srv/game.git", {"rev-parse", "--verify", "-q", "refs/revctl/ledger"})
            .status != 0);
}

TEST_CASE("reserve: --dry-run and next change nothing", "[commands]") {
  Team team;
  const std::string before = team.sandbox.Snapshot("ann");
  CHECK(team.Revctl("ann", {"next"}).out == "3\n");
  CHECK(nlohmann::json::parse(team.Revctl("ann", {"next", "--json"}).out).at("next") == 3);
  CHECK(team.Revctl("ann", {"reserve", "SR_BOSS", "--dry-run"}).out == "SR_BOSS = 3\n");
  CHECK(team.Revctl("ann", {"next"}).out == "3\n");
  CHECK(team.sandbox.Snapshot("ann") == before);
}

TEST_CASE("reserve: --offline is provisional, renumber confirms it", "[commands]") {
  Team team;
  CHECK(team.Revctl("bob", {"reserve", "SR_STAMINA"}).status == 0);
  auto offline = team.Revctl("ann", {"reserve", "SR_BOSS", "--offline"});
  CHECK(offline.status == 5);
  CHECK(offline.out == "SR_BOSS = 3\n");
  CHECK(team.Revctl("ann", {"list"}).out.find("SR_BOSS  (provisional)") != std::string::npos);
  CHECK(team.Revctl("ann", {"renumber"}).out == "SR_BOSS 3 -> 4\n");
  CHECK(team.List("ann").find("SR_BOSS=4,") != std::string::npos);
  const std::string list = team.List("ann");
  auto again = team.Revctl("ann", {"renumber"});
  CHECK(again.status == 0);
  CHECK(again.out.empty());
  CHECK(team.List("ann") == list);
}

TEST_CASE("list: shows an entry whose number is taken, JSON too", "[commands]") {
  Team team;
  std::string text = Team::kListText;
  text.insert(text.rfind("};"), "    SR_BOSS=3,\n    SR_STAMINA=3,\n");
  team.sandbox.Write(std::string("ann/") + Team::kList, text);
  CHECK(team.Numbers("ann") == "SR_INITIAL=1 SR_FOULS=2 SR_BOSS=3 SR_STAMINA=3");
  const auto json = nlohmann::json::parse(team.Revctl("ann", {"list", "--json"}).out);
  const auto& revisions = json.at("lists").at(0).at("revisions");
  REQUIRE(revisions.size() == 4);
  CHECK(revisions.at(2).at("name") == "SR_BOSS");
  CHECK(revisions.at(3).at("name") == "SR_STAMINA");
  CHECK(revisions.at(3).at("number") == 3);
  CHECK(revisions.at(3).at("lineage") == revisions.at(2).at("lineage"));
}

TEST_CASE("list, status: what is landed, pending, and can still land", "[commands]") {
  Team team;
  REQUIRE(team.Revctl("ann", {"reserve", "SR_BOSS"}).status == 0);
  auto json = nlohmann::json::parse(team.Revctl("ann", {"list", "--json"}).out);
  CHECK(json.at("version") == 1);
  const auto& list = json.at("lists").at(0);
  CHECK(list.at("path") == team.kList);
  CHECK(list.at("latest").at("name") == "SR_BOSS");
  CHECK(list.at("latest").at("number") == 3);
  CHECK(list.at("revisions").at(1).at("state") == "landed");
  CHECK(list.at("revisions").at(2).at("state") == "pending");
  CHECK(list.at("revisions").at(2).at("line") == 5);
  CHECK(list.at("aliases").empty());

  REQUIRE(team.Revctl("bob", {"reserve", "SR_STAMINA"}).status == 0);
  team.Land("bob");
  auto late = team.Revctl("ann", {"status", "--fetch"});
  CHECK(late.out.find("SR_BOSS = 3  pending: cannot land: origin/main is at 4; revctl renumber") !=
        std::string::npos);
}

TEST_CASE("release: the number is burned, the entry gone", "[commands]") {
  Team team;
  const std::string before = team.List("ann");
  REQUIRE(team.Revctl("ann", {"reserve", "SR_BOSS"}).status == 0);
  CHECK(team.Revctl("bob", {"abandon", "SR_BOSS"}).status == 1);
  CHECK(team.Revctl("ann", {"abandon", "SR_BOSS"}).status == 0);
  CHECK(team.List("ann") == before);
  CHECK(team.Revctl("ann", {"abandon", "SR_BOSS"}).status == 0);  // again: nothing
  CHECK(team.Revctl("ann", {"next"}).out == "4\n");
  CHECK(team.Revctl("ann", {"abandon", "SR_FOULS"}).status == 1);
}

TEST_CASE("race: commands in one work tree keep each other's work", "[commands][race]") {
  Team team;
  std::vector<std::thread> threads;
  for (int i = 0; i < 6; ++i)
    threads.emplace_back([&team, i] {
      (void)team.Revctl("ann", {"reserve", "SR_T" + std::to_string(i)});
    });
  for (auto& thread : threads) thread.join();
  const std::string numbers = team.Numbers("ann");
  for (int i = 0; i < 6; ++i)
    CHECK(numbers.find("SR_T" + std::to_string(i) + "=") != std::string::npos);
}

TEST_CASE("race: eight clones reserve at once, over a real server", "[commands][race]") {
  Team team({"c0", "c1", "c2", "c3", "c4", "c5", "c6", "c7"});
  const auto numbers = team.ReserveAtOnce({"c0", "c1", "c2", "c3", "c4", "c5", "c6", "c7"});
  CHECK(numbers == std::vector<int>{3, 4, 5, 6, 7, 8, 9, 10});
}

TEST_CASE("without a remote the same commands work alone", "[commands]") {
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
  CHECK(sandbox.Revctl("r", {"next"}).out == "5\n");
}

TEST_CASE("renumber: reserved first, landed second", "[commands]") {
  Team team;
  team.InstallDriver("ann");
  REQUIRE(team.Revctl("ann", {"reserve", "SR_BOSS", "-m", "since 3"}).out == "SR_BOSS = 3\n");
  REQUIRE(team.Revctl("ann", {"reserve", "SR_BOSS_TWO"}).out == "SR_BOSS_TWO = 4\n");
  REQUIRE(team.Revctl("bob", {"reserve", "SR_STAMINA"}).out == "SR_STAMINA = 5\n");
  team.Land("bob");
  team.sandbox.CommitAll("ann", "boss");
  auto behind = team.Revctl("ann", {"renumber", "--dry-run"});
  CHECK(behind.out == "SR_BOSS 3 -> 6\nSR_BOSS_TWO 4 -> 7\n");
  // The merge driver gives the same numbers, provisionally.
  team.sandbox.Git("ann", {"pull", "-q", "--rebase"});
  auto dry = team.Revctl("ann", {"renumber", "--dry-run"});
  CHECK(dry.out == "SR_BOSS = 6 confirmed\nSR_BOSS_TWO = 7 confirmed\n");
  CHECK(team.Revctl("ann", {"renumber"}).out == dry.out);
  CHECK(team.Numbers("ann") == "SR_INITIAL=1 SR_FOULS=2 SR_STAMINA=5 SR_BOSS=6 SR_BOSS_TWO=7");
  CHECK(team.Revctl("ann", {"renumber", "SR_STAMINA"}).status == 1);
  CHECK(team.Revctl("ann", {"renumber", "SR_NONE"}).status == 2);
  team.Land("ann");
  CHECK(team.Revctl("bob", {"next"}).out == "8\n");
}

TEST_CASE("install: a hook that looks at its own name goes on to refuse", "[commands]") {
  Team team;
  auto hook = [&](const std::string& name, const std::string& text) {
    team.sandbox.Write("ann/.git/hooks/" + name, text);
    std::filesystem::permissions(team.sandbox.Path("ann/.git/hooks/" + name),
                                 std::filesystem::perms::owner_all);
  };
  SECTION("a folder of hooks") {
    hook("pre-commit", "#!/bin/sh -e\nfor h in \"$0\".d/*; do \"$h\" \"$@\"; done\n");
    hook("pre-commit.d/10-scan", "#!/bin/sh\necho scanned; exit 1\n");
  }
  SECTION("one script under many names") {
    hook("tools",
         "#!/usr/bin/env bash\ncase $(basename \"$0\") in pre-commit) echo scanned; exit 7 ;; "
         "esac\n");
    std::filesystem::create_symlink("tools", team.sandbox.Path("ann/.git/hooks/pre-commit"));
  }
  SECTION("no shell script at all") {
    hook("pre-commit", "#!/usr/bin/awk -f\nBEGIN { print \"scanned\"; exit 1 }\n");
  }
  CHECK(team.sandbox.TryGit("ann", {"commit", "--allow-empty", "-m", "x"}).status == 1);
  REQUIRE(team.Revctl("ann", {"install"}).status == 0);
  auto refused = team.sandbox.TryGit("ann", {"commit", "--allow-empty", "-m", "x"});
  CHECK(refused.status == 1);
  CHECK((refused.out + refused.err).find("scanned") != std::string::npos);
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
  // No initials where the list has none; the column that most comments stand in.
  CHECK(reserved("SR_BOSS", "    SR_INITIAL = 1,  // first\n    SR_FOULS = 2,    // fouls\n") ==
        "    SR_BOSS = 3,     // has phases\n};\n");
  CHECK(reserved("SR_NEW", "    SR_INITIAL = 1,\n    SR_FOULS = 2,\n") ==
        "    SR_NEW = 4, // has phases\n};\n");
  CHECK(reserved("SR_TWO",
                 "    SR_INITIAL = 1,         // first\n    SR_FOULS = 2,           // ae: fouls\n"
                 "    SR_A = 3,               // ae: a\n    SR_B = 4,  // ae: b\n") ==
        "    SR_TWO = 5,             // a: has phases\n};\n");
}
