// Tests lists that were merged incorrectly by hand: the gate prints a single command that fixes
// them.
#include <catch2/catch.hpp>
#include <sstream>

#include "tests/scenarios/landers.h"

using namespace revctl::testing;

namespace {

/// A team in which Ann has landed SR_CAVE with number 3. On an older branch, Bob has SR_BOSS with
/// the same number. He merges without the driver, which causes a conflict.
struct HandMerge : Team {
  std::string mine, merged;  ///< Bob's commit, and the commit with his resolution of the conflict

  HandMerge() {
    REQUIRE(Revctl("ann", {"reserve", "SR_CAVE", "-m", "caves"}).status == 0);
    Land("ann");
    sandbox.Write("bob/src/boss.cpp", "ADD(SR_BOSS, phases);\n");
    Write(kFouls + kBoss + "=3" + kBosses);
    sandbox.CommitAll("bob", "boss");
    sandbox.Git("bob", {"fetch", "-q"});
    mine = Merge();
    sandbox.CommitAll("bob", "merged");
    merged = sandbox.Git("bob", {"rev-parse", "HEAD"});
  }
  /// Starts the merge. Returns the commit from before the merge.
  std::string Merge() const {
    CHECK(sandbox.TryGit("bob", {"merge", "origin/main"}).status == 1);
    return sandbox.Git("bob", {"rev-parse", "HEAD"});
  }
  void Write(const std::string& entries) const {
    sandbox.Write(std::string("bob/") + kList,
                  "#pragma once\nenum Revision {\n    SR_INITIAL=1,// ae: the beginning\n" +
                      entries + "};\n");
  }
  void Reset(const std::string& commit) const {
    sandbox.Git("bob", {"reset", "-q", "--hard", commit});
  }
  /// Returns the arguments of the `revctl` command that fixes the finding for `rule`.
  std::vector<std::string> FixOf(const std::string& rule) const {
    const auto run = Revctl("bob", {"check"});
    INFO(rule << " in:\n" << run.out << run.err);
    CHECK(run.status == 1);
    const std::size_t at = run.out.find("error[" + rule + "]");
    REQUIRE(at != std::string::npos);
    const std::size_t fix = run.out.find("fix: revctl ", at);
    REQUIRE(fix != std::string::npos);
    std::istringstream words(run.out.substr(fix + 12, run.out.find('\n', fix) - fix - 12));
    std::vector<std::string> command;
    for (std::string word; words >> word && word != "puts";) command.push_back(word);
    return command;
  }
  /// Checks that a single command fixes everything.
  void ExpectFixed(const std::string& rule, const std::string& numbers) const {
    const std::string before = List("bob");
    const auto command = FixOf(rule);
    const auto run = Revctl("bob", command);
    INFO(before << command[0] << " for " << rule << ":\n" << run.out << run.err << List("bob"));
    CHECK(run.status == 0);
    CHECK_FALSE(Has(run.err, "to confirm it"));  // `fix` has confirmed the number in the ledger
    CHECK(Numbers("bob") == numbers);
    const auto after = Revctl("bob", {"check"});
    INFO(after.out << after.err);
    CHECK(after.status == 0);
  }

  const std::string kFouls = "    SR_FOULS=2,// ae: fouls\n", kCave = "    SR_CAVE",
                    kCaves = ",// a: caves\n", kBoss = "    SR_BOSS", kBosses = ",// bob: bosses\n";
};

constexpr const char* kFixed = "SR_INITIAL=1 SR_FOULS=2 SR_CAVE=3 SR_BOSS=4";

}  // namespace

TEST_CASE("hand merge: landed numbers are duplicated, swapped or dropped", "[check][hand]") {
  HandMerge team;
  const std::string fouls = team.kFouls, boss = team.kBoss, bosses = team.kBosses;
  const auto cave = [&](const char* number) { return team.kCave + number + team.kCaves; };
  const std::vector<std::pair<std::string, std::string>> cases{
      {"RV001", fouls + cave("=3") + boss + "=3" + bosses},
      {"RV004", fouls + boss + "=3" + bosses + cave("=4")},
      {"RV004", fouls + cave("=5") + boss + "=4" + bosses},
      {"RV003", fouls + boss + "=3" + bosses},
      {"RV003", fouls + boss + "=4" + bosses},
      {"RV007", cave("=3") + fouls + boss + "=4" + bosses},
      {"RV007", fouls + boss + "=4" + bosses + cave("=3")},
  };
  for (const auto& [rule, entries] : cases) {
    team.Reset(team.merged);
    team.Write(entries);
    team.sandbox.Git("bob", {"commit", "-q", "--no-verify", "-a", "-m", "by hand"});
    team.ExpectFixed(rule, kFixed);
  }
  // The fix also works before the merge is committed.
  for (const std::size_t i : {0U, 3U, 4U}) {
    team.Reset(team.mine);
    team.Merge();
    team.Write(cases[i].second);
    team.ExpectFixed(cases[i].first, kFixed);
  }
}

TEST_CASE("hand merge: with nothing pending, fix is the only command needed", "[check][hand]") {
  HandMerge team;
  const auto cave = [&](const char* number) { return team.kCave + number + team.kCaves; };
  for (const auto& [rule, entries] : std::vector<std::pair<std::string, std::string>>{
           {"RV003", team.kFouls},
           {"RV003", cave("=3")},
           {"RV004", team.kFouls + cave("=7")},
           {"RV007", cave("=3") + team.kFouls},
       }) {
    team.Reset("origin/main");
    team.Write(entries);
    CHECK(team.FixOf(rule) == std::vector<std::string>{"fix"});
    team.ExpectFixed(rule, "SR_INITIAL=1 SR_FOULS=2 SR_CAVE=3");
    CHECK(team.List("bob") == team.List("ann"));
  }
  // A branch that is behind the target has lost nothing. It only needs to merge the target (RV017).
  team.Reset(team.mine);
  CHECK(Has(team.Revctl("bob", {"fix"}).out, "error[RV017]"));
  CHECK(team.Numbers("bob").find("SR_CAVE") == std::string::npos);
}

TEST_CASE("hand merge: a neighbor that takes a landed number is not a rename", "[check][hand]") {
  HandMerge team;
  const auto commit = [&](const std::string& what) {
    team.sandbox.Git("bob", {"commit", "-q", "--no-verify", "-a", "-m", what});
  };
  team.Reset("origin/main");
  team.Write(team.kFouls + team.kCave + "=3" + team.kCaves + team.kBoss + team.kBosses);
  commit("boss");
  // Without the landed SR_CAVE, the implicit number of SR_BOSS is one more than that of SR_FOULS.
  team.Write(team.kFouls + team.kBoss + team.kBosses);
  if (GENERATE(false, true)) commit("tidied");
  team.ExpectFixed("RV003", kFixed);
}

TEST_CASE("hand merge: shifted implicit numbers keep their order", "[check][hand]") {
  HandMerge team;
  const std::string landed = team.kFouls + team.kCave + "=5" + team.kCaves;
  team.sandbox.Write(
      std::string("ann/") + Team::kList,
      "#pragma once\nenum Revision {\n    SR_INITIAL=1,// ae: the beginning\n" + landed + "};\n");
  team.Land("ann");
  team.sandbox.Git("bob", {"fetch", "-q"});
  team.Reset("origin/main");
  // The landed line shifted the implicit SR_BOSS to 6, above the explicit number of SR_NEXT.
  team.Write(landed + "    SR_BOSS,\n    SR_NEXT=5,\n");
  REQUIRE(team.Revctl("bob", {"fix"}).status == 0);
  CHECK(team.Numbers("bob") == "SR_INITIAL=1 SR_FOULS=2 SR_CAVE=5 SR_BOSS=6 SR_NEXT=7");
}

TEST_CASE("hand merge: land replaces a number in a gap between landed numbers", "[check][hand]") {
  const Landers team("by: merge");
  AddByHand(team, "ann", "SR_CAVE=5,// a: caves");  // leaves the numbers 3 and 4 unused
  team.Land("ann");
  team.sandbox.Git("bob", {"pull", "-q"});
  std::string text = team.List("bob");
  team.sandbox.Write(std::string("bob/") + Team::kList,
                     text.insert(text.find("    SR_CAVE"), "    SR_BOSS=3,// bob: bosses\n"));
  team.sandbox.CommitAll("bob", "both sides");
  const std::string told = team.Revctl("bob", {"check"}).out;
  INFO(told);
  CHECK(Has(told, "error[RV006]: SR_BOSS (3) would land after SR_CAVE (5"));
  CHECK_FALSE(Has(told, "RV023"));
  // If an allowance lets SR_BOSS land, the gate reports the effect on the revisions after it.
  const std::string policy = team.sandbox.Read("ann/.revctl.yaml");
  const auto allow = [&](const std::string& more) {
    team.sandbox.Write("ann/.revctl.yaml", policy + more);
    team.Land("ann");
    team.sandbox.Git("bob", {"fetch", "-q"});
  };
  allow("allow: [{rule: RV006, name: SR_BOSS, reason: x}]\n");
  CHECK(Has(team.Revctl("bob", {"check"}).out, "error[RV023]: the lineage of SR_CAVE changes"));
  allow("");
  const auto landed = team.Revctl("bob", {"land"});
  INFO(landed.out << landed.err);
  CHECK(landed.status == 0);
  CHECK(team.Numbers("bob") == "SR_INITIAL=1 SR_FOULS=2 SR_CAVE=5 SR_BOSS=6");
}

TEST_CASE("hand merge: a renamed landed revision keeps its comment", "[check][hand]") {
  HandMerge team;
  const std::string above = "    // sold with the fouls\n", words = ",// a: caves, or fouls\n",
                    name = above + team.kCave + "=SR_FOULS" + words,
                    boss = team.kBoss + "=4" + team.kBosses;
  SECTION("nothing is pending") {
    team.Reset("origin/main");
    team.Write(team.kFouls + name);
    CHECK(team.FixOf("RV003") == std::vector<std::string>{"fix"});
    team.ExpectFixed("RV003", "SR_INITIAL=1 SR_FOULS=2 SR_CAVE=3");
  }
  SECTION("a pending revision comes before it") {
    team.Reset(team.merged);
    team.Write(team.kFouls + boss + name);
    team.ExpectFixed("RV003", kFixed);
    CHECK(Has(team.List("bob"), words + boss));
  }
  CHECK(Has(team.List("bob"), team.kFouls + above + team.kCave + "=3" + words));
}

namespace {

/// A team whose list also contains names that are not revisions: a release alias, an alias of the
/// latest revision, and a sentinel. Tests write bad merges of this list.
struct OtherNames : Team {
  const std::string begin =
                        "#pragma once\nenum Revision {\n    SR_INITIAL=1,// 1: the beginning\n"
                        "    SR_FOULS=2,// 2: fouls\n    RELEASE_1=SR_FOULS,\n",
                    cave = "    SR_CAVE=3,// 3: caves\n", release = "    RELEASE_2=SR_CAVE,\n",
                    boss = "    SR_BOSS=4,// 4: bosses\n", current = "    SR_CURRENT=SR_BOSS,\n",
                    count = "    SR_COUNT,\n";
  std::string right;

  OtherNames() : Team({"ann"}) {
    sandbox.Write("ann/.revctl.yaml",
                  "version: 1\nreservation: optional\nlists:\n  - path: src/master_version_list.h\n"
                  "    aliases: [\"RELEASE_*\"]\n    sentinel: SR_COUNT\n    current: SR_CURRENT\n"
                  "    lineage_root: \"0123456789abcdef\"\n");
    sandbox.Write("ann/src/boss.cpp", "ADD(SR_BOSS, phases);\n");
    Write(begin + cave + release + "    SR_CURRENT=SR_CAVE,\n" + count);
    Land("ann");
    sandbox.Git("ann", {"fetch", "-q"});
    right = begin + cave + release + boss + current + count + "};\n";
    Write(begin + cave + release + boss + current + count);
    sandbox.CommitAll("ann", "boss");
  }
  void Write(const std::string& text) const {
    sandbox.Write(std::string("ann/") + kList, text + "};\n");
  }
  /// Runs the fix for `rule`, and checks that no findings are left.
  void ExpectFixed(const std::string& rule) const {
    sandbox.Git("ann", {"commit", "-q", "--no-verify", "-a", "--allow-empty", "-m", "by hand"});
    const auto found = Revctl("ann", {"check"});
    INFO(rule << " in " << List("ann") << found.out << found.err);
    const std::size_t at = found.out.find("error[" + rule + "]");
    REQUIRE(at != std::string::npos);
    const std::size_t fix = found.out.find("fix: ", at) + 5;
    std::string command = found.out.substr(fix, found.out.find('\n', fix) - fix);
    REQUIRE((command.starts_with("revctl ") || command.starts_with("git ")));
    const auto run = sandbox.Run("ann", {"sh", "-c", command});
    INFO(command << "\n" << run.out << run.err << List("ann"));
    CHECK(run.status == 0);
    CHECK(Revctl("ann", {"check"}).status == 0);
    CHECK(List("ann") == right);
    sandbox.Git("ann", {"reset", "-q", "--hard", "HEAD~"});
  }
};

}  // namespace

TEST_CASE("hand merge: names that are not revisions, fixed with one command", "[check][hand]") {
  const OtherNames team;
  REQUIRE(team.Revctl("ann", {"check"}).status == 0);
  const auto &begin = team.begin, &cave = team.cave, &release = team.release, &boss = team.boss,
             &current = team.current, &count = team.count;
  const std::vector<std::pair<std::string, std::string>> cases{
      {"RV008", begin + cave + release + boss + "    SR_CURRENT=SR_CAVE,\n" + count},
      {"RV008", begin + cave + release + boss + count},
      {"RV013", begin + cave + release + boss + current},
      {"RV003", begin + cave + boss + current + count},
      {"RV004", begin + cave + boss + "    RELEASE_2=SR_BOSS,\n" + current + count},
      // An alias of a duplicate entry is ambiguous, so the list is unreadable.
      {"RV002", begin + cave + boss + "    SR_CAVE=5,// 5: caves\n" + current + count},
  };
  for (const auto& [rule, text] : cases) {
    team.Write(text);
    team.ExpectFixed(rule);
  }
  // Entries after the sentinel are moved above it. The alias and the sentinel stay where they are.
  team.Write(begin + cave + release + count + boss + current);
  team.sandbox.Git("ann", {"commit", "-q", "--no-verify", "-a", "-m", "by hand"});
  CHECK(team.Revctl("ann", {"check"}).out.find("fix: revctl fix") != std::string::npos);
  CHECK(team.Revctl("ann", {"fix"}).status == 0);
  CHECK(team.Revctl("ann", {"check"}).status == 0);
  CHECK(team.List("ann").find(boss + count) != std::string::npos);
  team.sandbox.Git("ann", {"reset", "-q", "--hard", "HEAD~"});
  team.sandbox.Write("ann/.revctl.yaml", [&] {
    std::string config = team.sandbox.Read("ann/.revctl.yaml");
    return config.erase(config.find("    lineage_root"));
  }());
  team.ExpectFixed("RV023");
}
