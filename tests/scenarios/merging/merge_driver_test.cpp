// Tests the driver in real merges, rebases, cherry-picks and stashes.
#include <catch2/catch.hpp>
#include <filesystem>
#include <regex>

#include "tests/scenarios/team.h"

using namespace revctl::testing;

namespace {

/// A team in which Ann has landed a handwritten entry with number 3. Bob has also written an entry
/// with number 3 by hand, on a branch that began earlier.
struct Collision : Team {
  Collision() {
    InstallDriver("ann");
    InstallDriver("bob");
    AddByHand(*this, "ann", "SR_BOSS=3,// ae: the boss");
    Land("ann");
    sandbox.Git("bob", {"checkout", "-q", "-b", "feature"});
    AddByHand(*this, "bob", "SR_STAMINA=3,// bb: stamina, since 3");
    sandbox.CommitAll("bob", "stamina");
    sandbox.Git("bob", {"fetch", "-q"});
  }
  void ExpectResolved(const std::string& person) {
    INFO(List(person));
    CHECK(sandbox.Git(person, {"status", "--porcelain"}).empty());
    CHECK(Numbers(person) == "SR_INITIAL=1 SR_FOULS=2 SR_BOSS=3 SR_STAMINA=4");
    CHECK(List(person).find("<<<<") == std::string::npos);
    CHECK(List(person).find("// ae: the boss") != std::string::npos);
  }
};

}  // namespace

TEST_CASE("driver: merging main into the feature", "[driver]") {
  Collision team;
  team.sandbox.Git("bob", {"merge", "-q", "--no-edit", "origin/main"});
  team.ExpectResolved("bob");
}

TEST_CASE("driver: merging the feature into main", "[driver]") {
  Collision team;
  team.sandbox.Git("bob", {"checkout", "-q", "main"});
  team.sandbox.Git("bob", {"merge", "-q", "--ff-only", "origin/main"});
  team.sandbox.Git("bob", {"merge", "-q", "--no-edit", "feature"});
  team.ExpectResolved("bob");
}

TEST_CASE("driver: still merges entries if the remote was renamed or removed", "[driver]") {
  Collision team;
  // Bob's revision would come first in alphabetical order, but Ann's comes first because it has
  // landed.
  std::string text = team.List("bob");
  text.replace(text.find("SR_STAMINA"), 10, "SR_AAA");
  team.sandbox.Write(std::string("bob/") + Team::kList, text);
  team.sandbox.CommitAll("bob", "another name");
  SECTION("renamed") { team.sandbox.Git("bob", {"remote", "rename", "origin", "upstream"}); }
  SECTION("removed, and main exists locally") {
    team.sandbox.Write("bob/.revctl.yaml", std::string(Team::kConfig) + "remote: origin\n");
    team.sandbox.CommitAll("bob", "the remote has a name");
    team.sandbox.Git("bob", {"branch", "-q", "-f", "main", "origin/main"});
    team.sandbox.Git("bob", {"remote", "remove", "origin"});
  }
  const bool renamed = team.sandbox.Git("bob", {"remote"}) == "upstream";
  auto merged =
      team.sandbox.TryGit("bob", {"merge", "--no-edit", renamed ? "upstream/main" : "main"});
  INFO(merged.out << merged.err);
  CHECK(merged.status == 0);
  CHECK(merged.err.find("this clone has no remote origin") != std::string::npos);
  CHECK(team.Numbers("bob") == "SR_INITIAL=1 SR_FOULS=2 SR_BOSS=3 SR_AAA=4");
}

TEST_CASE("driver: in a rebase, ours and theirs are swapped", "[driver]") {
  Collision team;
  team.sandbox.Git("bob", {"rebase", "-q", "origin/main"});
  team.ExpectResolved("bob");
}

TEST_CASE("driver: pull --rebase, then fix confirms the number, then it lands", "[driver]") {
  Collision team;
  team.sandbox.Git("bob", {"branch", "-q", "--set-upstream-to=origin/main"});
  team.sandbox.Git("bob", {"pull", "-q", "--rebase"});
  team.ExpectResolved("bob");
  CHECK(team.Revctl("bob", {"list"}).out.find("SR_STAMINA  (provisional)") != std::string::npos);
  CHECK(team.Revctl("bob", {"fix"}).out == "SR_STAMINA = 4 confirmed\n");
  CHECK(team.Revctl("bob", {"check"}).status == 0);
  team.Land("bob");
  CHECK(team.Revctl("ann", {"reserve", "--dry-run"}).out == "5\n");
}

TEST_CASE("driver: cherry-pick", "[driver]") {
  Collision team;
  team.sandbox.Git("bob", {"checkout", "-q", "-b", "other", "origin/main"});
  team.sandbox.Git("bob", {"cherry-pick", "feature"});
  team.ExpectResolved("bob");
}

TEST_CASE("driver: stash pop", "[driver]") {
  Collision team;
  team.sandbox.Git("bob", {"checkout", "-q", "main"});
  AddByHand(team, "bob", "SR_STAMINA=3,// bb: stamina");
  team.sandbox.Git("bob", {"stash", "-q"});
  team.sandbox.Git("bob", {"merge", "-q", "--ff-only", "origin/main"});
  team.sandbox.Git("bob", {"stash", "pop", "-q"});
  CHECK(team.Numbers("bob") == "SR_INITIAL=1 SR_FOULS=2 SR_BOSS=3 SR_STAMINA=4");
}

TEST_CASE("driver: three branches in turn, run in a subfolder", "[driver]") {
  Collision team;
  for (const char* name : {"SR_DASH", "SR_CLIMB"}) {
    team.sandbox.Git("bob", {"checkout", "-q", "-b", name, "origin/main~1"});
    AddByHand(team, "bob", std::string(name) + "=3,// bb: three");
    team.sandbox.CommitAll("bob", name);
  }
  team.sandbox.Git("bob", {"checkout", "-q", "-b", "all", "origin/main"});
  team.sandbox.Write("bob/deep/er/file", "x");
  for (const char* branch : {"feature", "SR_DASH", "SR_CLIMB"})
    team.sandbox.Git("bob/deep/er", {"merge", "-q", "--no-edit", branch});
  const std::string numbers = team.Numbers("bob");
  INFO(team.List("bob"));
  CHECK(numbers.starts_with("SR_INITIAL=1 SR_FOULS=2 SR_BOSS=3 "));
  for (const char* name : {"SR_STAMINA=", "SR_DASH=", "SR_CLIMB="})
    CHECK(numbers.find(name) != std::string::npos);
  CHECK(team.Revctl("bob", {"fix"}).status == 0);
  CHECK(team.Revctl("bob", {"check"}).status == 0);
}

TEST_CASE("driver: a branch keeps its order through every rewrite", "[driver][order]") {
  Team team;
  team.InstallDriver("bob");
  team.sandbox.Git("bob", {"checkout", "-q", "-b", "feature"});
  // Use reverse alphabetical order, so that the test would detect sorting by name.
  int number = 3;
  for (const char* name : {"SR_ZEBRA", "SR_MOUSE", "SR_BEAR"}) {
    AddByHand(team, "bob", name + ("=" + std::to_string(number++)) + ",// bb: by hand");
    team.sandbox.CommitAll("bob", name);
  }
  team.InstallDriver("ann");
  AddByHand(team, "ann", "SR_X=3,// ae: lands first");
  team.Land("ann");
  team.sandbox.Git("bob", {"fetch", "-q"});
  SECTION("rebase") { team.sandbox.Git("bob", {"rebase", "-q", "origin/main"}); }
  SECTION("rebase --apply") { team.sandbox.Git("bob", {"rebase", "-q", "--apply", "origin/main"}); }
  SECTION("merge") { team.sandbox.Git("bob", {"merge", "-q", "--no-edit", "origin/main"}); }
  SECTION("cherry-pick") {
    team.sandbox.Git("bob", {"checkout", "-q", "-b", "picked", "origin/main"});
    team.sandbox.Git("bob", {"cherry-pick", "feature~3..feature"});
  }
  SECTION("squash") {
    team.sandbox.Git("bob", {"checkout", "-q", "-b", "squashed", "origin/main"});
    team.sandbox.Git("bob", {"merge", "-q", "--squash", "feature"});
    team.sandbox.CommitAll("bob", "squashed");
  }
  const std::string expected = "SR_INITIAL=1 SR_FOULS=2 SR_X=3 SR_ZEBRA=4 SR_MOUSE=5 SR_BEAR=6";
  CHECK(team.Numbers("bob") == expected);
  CHECK(team.Revctl("bob", {"fix"}).status == 0);
  CHECK(team.Numbers("bob") == expected);
  CHECK(team.Revctl("bob", {"check"}).status == 0);
}

TEST_CASE("driver: late, taken-over and amended reservations are kept", "[driver][order]") {
  const Team team;
  const auto& sandbox = team.sandbox;
  const auto number = [&](const std::string& person, const std::string& name) {
    return team.Revctl(person, {"reserve", name}).out;
  };
  team.InstallDriver("bob");
  sandbox.Git("ann", {"checkout", "-q", "-b", "wolf"});
  REQUIRE(number("ann", "SR_WOLF") == "SR_WOLF = 3\n");
  sandbox.CommitAll("ann", "wolf");
  sandbox.Git("ann", {"push", "-q", "--no-verify", "origin", "wolf"});
  sandbox.Git("ann", {"checkout", "-q", "main"});
  sandbox.Git("bob", {"fetch", "-q"});
  sandbox.Git("bob", {"checkout", "-q", "--no-track", "-b", "feature", "origin/wolf"});
  AddByHand(team, "bob", "SR_ZEBRA=4,// bb: by hand");
  sandbox.CommitAll("bob", "zebra");
  REQUIRE(number("ann", "SR_X") == "SR_X = 4\n");
  REQUIRE(number("bob", "SR_MOUSE") == "SR_MOUSE = 5\n");
  sandbox.CommitAll("bob", "mouse");
  REQUIRE(number("bob", "SR_BEAR") == "SR_BEAR = 6\n");
  sandbox.Git("bob", {"commit", "-q", "--no-verify", "-a", "--amend", "--no-edit"});
  AddByHand(team, "bob", "SR_ANT=7,// bb: by hand");
  sandbox.Git("bob", {"commit", "-q", "--no-verify", "-a", "--fixup", "HEAD~1"});
  CHECK(team.Revctl("bob", {"reserve", "SR_WOLF", "--take-over"}).out == "SR_WOLF = 3\n");
  // If SR_ZEBRA alone were reserved, it would come after the revisions that depend on it.
  const auto late = team.Revctl("bob", {"reserve", "SR_ZEBRA"});
  CHECK(late.status == 1);
  CHECK(Has(late.err,
            "SR_ZEBRA would become 8 and swap places with SR_MOUSE (5), but a branch's revisions"));
  CHECK(Has(late.err, "fix: revctl fix renumbers all of them"));
  team.Land("ann");
  sandbox.Git("bob", {"fetch", "-q"});
  const auto order = [&] {
    return std::regex_replace(team.Numbers("bob"), std::regex("SR_|=[0-9]+"), "");
  };
  const std::string expected = "INITIAL FOULS X WOLF ZEBRA MOUSE BEAR ANT";
  const std::vector<std::pair<std::string, std::vector<std::string>>> ways = {
      {"feature", {"rebase", "-q", "origin/main"}},
      {"feature", {"rebase", "-q", "--apply", "origin/main"}},
      {"feature",
       {"-c", "sequence.editor=true", "rebase", "-q", "-i", "--autosquash", "origin/main"}},
      {"feature", {"merge", "-q", "--no-edit", "origin/main"}},
      {"origin/main", {"cherry-pick", "origin/main..feature"}},
      {"origin/main", {"merge", "-q", "--squash", "feature"}}};
  for (const auto& [from, way] : ways) {
    INFO(way.front() << " " << way.back() << " from " << from);
    sandbox.Git("bob", {"checkout", "-q", "--no-track", "-B", "joined", from});
    sandbox.Git("bob", way);
    const bool squashed = Has(way[way.size() - 2], "autosquash");
    // A revision that is squashed into an earlier commit may end up before or after the revisions
    // of later commits.
    const std::string there = squashed ? order() : expected;
    if (squashed) CHECK(std::regex_replace(there, std::regex(" ANT"), "") + " ANT" == expected);
    CHECK(there.find("ZEBRA") < there.find("ANT"));
    CHECK(order() == there);
    CHECK(team.Revctl("bob", {"fix"}).status == 0);
    CHECK(order() == there);
    sandbox.Git("bob", {"commit", "-q", "--no-verify", "--allow-empty", "-a", "-m", "numbers"});
    CHECK(team.Revctl("bob", {"check"}).status == 0);
  }
}

TEST_CASE("driver: of two reserved revisions, the second stays after a late first",
          "[driver][order]") {
  Team team;
  team.InstallDriver("bob");
  REQUIRE(team.Revctl("bob", {"reserve", "SR_ONE"}).out == "SR_ONE = 3\n");
  REQUIRE(team.Revctl("ann", {"reserve", "SR_X"}).out == "SR_X = 4\n");
  REQUIRE(team.Revctl("bob", {"reserve", "SR_TWO"}).out == "SR_TWO = 5\n");
  team.sandbox.CommitAll("bob", "both");
  team.Land("ann");
  team.sandbox.Git("bob", {"pull", "-q", "--no-rebase", "--no-edit"});
  CHECK(team.Revctl("bob", {"fix"}).status == 0);
  CHECK(team.Numbers("bob") == "SR_INITIAL=1 SR_FOULS=2 SR_X=4 SR_ONE=6 SR_TWO=7");
  CHECK(team.Revctl("bob", {"check"}).status == 0);
}

TEST_CASE("driver: a reserved number wins over a handwritten one", "[driver]") {
  Team team;
  team.InstallDriver("bob");
  REQUIRE(team.Revctl("bob", {"reserve", "SR_STAMINA"}).out == "SR_STAMINA = 3\n");
  team.sandbox.CommitAll("bob", "stamina");
  AddByHand(team, "ann", "SR_BOSS=3,// ae: by hand");
  team.Land("ann");
  team.sandbox.Git("bob", {"pull", "-q", "--rebase"});
  CHECK(team.Revctl("bob", {"fix"}).status == 0);
  CHECK(team.Numbers("bob") == "SR_INITIAL=1 SR_FOULS=2 SR_BOSS=3 SR_STAMINA=4");
  CHECK(team.Revctl("bob", {"check"}).status == 0);
}

TEST_CASE("driver: a release's own revision contradicts a target that has moved", "[driver]") {
  Team team;
  team.InstallDriver("bob");
  team.sandbox.Git("ann", {"checkout", "-q", "-b", "release/1"});
  AddByHand(team, "ann", "SR_HOTFIX=3,// ae: in a hurry");
  team.sandbox.CommitAll("ann", "hotfix");
  team.sandbox.Git("ann", {"push", "-q", "--no-verify", "origin", "release/1"});
  team.sandbox.Git("ann", {"checkout", "-q", "main"});
  AddByHand(team, "ann", "SR_BOSS=3,// ae: the boss");
  team.sandbox.Write("ann/.revctl.yaml",
                     std::string(Team::kConfig) + "releases: [\"release/*\"]\n");
  team.Land("ann");
  team.sandbox.Git("bob", {"pull", "-q", "--rebase"});
  auto merge = team.sandbox.TryGit("bob", {"merge", "--no-edit", "origin/release/1"});
  INFO(merge.out << merge.err << team.List("bob"));
  CHECK(merge.status == 1);
  CHECK((merge.out + merge.err)
            .find("SR_HOTFIX has landed as 3 on release/1, but the target lacks it and already has "
                  "SR_BOSS (3)") != std::string::npos);
  CHECK(team.List("bob").find("SR_BOSS=3,// ae: the boss\n<<<<<<< ") != std::string::npos);
}

TEST_CASE("driver: after any failure, git's markers remain and nothing is lost", "[driver]") {
  Collision team;
  auto merged_with = [&](const std::vector<std::string>& environment) {
    auto merge = team.sandbox.TryGit("bob", {"merge", "--no-edit", "origin/main"}, environment);
    CHECK(merge.status == 1);
    const std::string text = team.List("bob");
    CHECK(text.find("<<<<<<< ") != std::string::npos);
    CHECK(text.find("\n>>>>>>> ") != std::string::npos);
    CHECK(text.find("SR_BOSS=3") != std::string::npos);
    CHECK(text.find("SR_STAMINA=3") != std::string::npos);
    CHECK(team.sandbox.Git("bob", {"ls-files", "--unmerged"}).find(Team::kList) !=
          std::string::npos);
  };
  SECTION("REVCTL=0") { merged_with({"REVCTL=0"}); }
  SECTION("revctl is not in PATH") { merged_with({"PATH=/usr/bin:/bin"}); }
  SECTION("revctl is killed, or crashes") {
    team.sandbox.WriteExecutable("bin/revctl", "#!/bin/sh\nkill -9 $$\n");
    merged_with({"PATH=" + team.sandbox.Path("bin") + ":/usr/bin:/bin"});
  }
}

TEST_CASE("driver: a list that is not an enum is merged as text", "[driver]") {
  Team team;
  team.InstallDriver("bob");
  team.sandbox.Write("bob/src/master_version_list.h", "what { is this\n");
  team.sandbox.Git("bob", {"commit", "-q", "--no-verify", "-am", "strange"});
  AddByHand(team, "ann", "SR_BOSS=3,");
  team.Land("ann");
  team.sandbox.Git("bob", {"fetch", "-q"});
  auto merge = team.sandbox.TryGit("bob", {"merge", "--no-edit", "origin/main"});
  CHECK(merge.status == 1);
  CHECK((merge.out + merge.err).find("as plain text: ") != std::string::npos);
  CHECK(team.List("bob").find("<<<<<<< ") != std::string::npos);
}

TEST_CASE("driver: called as git calls it, with any path and marker width", "[driver]") {
  Sandbox sandbox;
  sandbox.NewRepository("r", "ann");
  const std::string path = "src/our list's $(touch pwned) \"v\".h";
  sandbox.Write("r/.revctl.yaml",
                "version: 1\nlists: [{path: 'src/our list''s $(touch pwned) \"v\".h'}]\n");
  sandbox.Write("r/" + path, Team::kListText);
  REQUIRE(sandbox.Revctl("r", {"install"}).status == 0);
  sandbox.CommitAll("r", "first");
  CHECK(sandbox.Git("r", {"check-attr", "merge", "--", path}).ends_with("merge: revctl"));
  auto add = [&](const std::string& line) {
    std::string text = sandbox.Read("r/" + path);
    text.insert(text.rfind("};"), "    " + line + "\n");
    sandbox.Write("r/" + path, text);
    sandbox.CommitAll("r", line);
  };
  sandbox.Git("r", {"checkout", "-q", "-b", "side"});
  add("SR_A=3,");
  sandbox.Git("r", {"checkout", "-q", "main"});
  add("SR_B=3,");
  sandbox.Git("r", {"merge", "-q", "--no-edit", "side"});
  CHECK(sandbox.Read("r/" + path).find("SR_B=3,") != std::string::npos);
  CHECK(sandbox.Read("r/" + path).find("SR_A=4,") != std::string::npos);
  CHECK_FALSE(sandbox.Exists("r/pwned"));

  sandbox.Write("r/o", "a\n");
  sandbox.Write("r/a", "b\n");
  sandbox.Write("r/b", "c\n");
  CHECK(sandbox.Revctl("r", {"merge-driver", "o", "a", "b", "12", path}, {"REVCTL=0"}).status == 1);
  CHECK(sandbox.Read("r/a").starts_with("<<<<<<<<<<<< "));
  CHECK(sandbox.Revctl("r", {"merge-driver", "none", "a", "b", "7", path}).status == 3);
}

TEST_CASE("fix: a list with markers, or merged without the driver", "[driver]") {
  Collision team;
  SECTION("markers in an unfinished merge") {
    CHECK(team.sandbox.TryGit("bob", {"merge", "--no-edit", "origin/main"}, {"REVCTL=0"}).status ==
          1);
    CHECK(team.Revctl("bob", {"check"}).out.find("RV015") != std::string::npos);
  }
  SECTION("committed markers") {
    CHECK(team.sandbox.TryGit("bob", {"merge", "--no-edit", "origin/main"}, {"REVCTL=0"}).status ==
          1);
    team.sandbox.TryGit("bob", {"commit", "-q", "--no-verify", "-a", "-m", "oops"});
  }
  auto resolved = team.Revctl("bob", {"fix"});
  INFO(resolved.out << resolved.err << team.List("bob"));
  CHECK(resolved.status == 0);
  CHECK(team.Numbers("bob") == "SR_INITIAL=1 SR_FOULS=2 SR_BOSS=3 SR_STAMINA=4");
  const std::string once = team.List("bob");
  CHECK(team.Revctl("bob", {"fix", "src/master_version_list.h"}).err.find("OK: nothing to fix") !=
        std::string::npos);
  CHECK(team.List("bob") == once);
}
