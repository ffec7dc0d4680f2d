// RV019: goldens that landed stale may be re-recorded once, in a single landing. Any other repair
// requires an `allow`.
#include <catch2/catch.hpp>

#include "tests/scenarios/team.h"

namespace revctl::testing {
namespace {

/// Returns a record without values. `layouts` contains complete items of the record's `types`.
std::string RecordText(const std::string& name, const std::string& previous,
                       const std::string& layouts, const std::string& cases) {
  return "version: 1\nrevision: " + name + "\nnumber: 9\nlineage: \"0123456789abcdef\"\n" +
         (previous.empty() ? "" : "previous: " + previous + "\n") +
         "recorded: {by: record, code: " + name +
         ", compiler: \"g++ 12.2.0\", revctl: 0.1.0, seed: 1}\ntypes:\n" + layouts +
         "enums: []\ncases:\n" + cases + "upgrades: []\n";
}
std::string Layout(const std::string& type, const std::string& wire) {
  return "  - type: " + type + "\n    compared: []\n    fields:\n      - {name: f, type: \"" +
         wire + "\", form: add}\n";
}
std::string Case(const std::string& type, const std::string& name) {
  return "  - {type: " + type + ", name: " + name +
         ", size: 0, hash: \"ef46db3751d8e999\", values: {}}\n";
}

/// A team whose main contains SR_ITEM=3, which changes Item, and SR_HERO=4, which was recorded
/// without SR_ITEM (it landed before RV028 existed). SR_SONG=5 was recorded without either and
/// shares no type with them.
struct LandedStale : Team {
  const std::string hero = Layout("Hero", "vector<Item>"), cases = Case("Hero", "auto-1"),
                    more = Case("Hero", "veterans");
  LandedStale() : Team({"ann"}) {
    sandbox.Write("ann/.revctl.yaml",
                  "version: 1\nreservation: optional\n"
                  "lists: [{path: src/master_version_list.h, golden: golden}]\n");
    std::string list = List("ann");
    sandbox.Write(std::string("ann/") + kList,
                  list.insert(list.find("};"), "    SR_ITEM=3,\n    SR_HERO=4,\n    SR_SONG=5,\n"));
    Golden("SR_INITIAL", "",
           Layout("Hero", "vector<Item>") + Layout("Item", "i32") + Layout("Song", "u8"),
           cases + Case("Song", "auto-1"));
    Golden("SR_FOULS", "SR_INITIAL", Layout("Song", "u16"), Case("Song", "auto-1"));
    Golden("SR_ITEM", "SR_FOULS", Layout("Item", "i64"), cases);
    Golden("SR_HERO", "SR_FOULS", hero, cases + more);
    Golden("SR_SONG", "SR_FOULS", Layout("Song", "u32"), Case("Song", "auto-1"));
    for (const char* name : {"SR_ITEM", "SR_HERO", "SR_SONG"})
      sandbox.Write(std::string("ann/golden/") + name + ".golden", NoBytes());
    Land("ann");
    GuardServer();
  }
  void Golden(const std::string& name, const std::string& previous, const std::string& layouts,
              const std::string& of) const {
    sandbox.Write("ann/golden/" + name + ".yaml", RecordText(name, previous, layouts, of));
  }
  /// Returns the output of `check`, prefixed with "landed: " if the push lands. Checks that the
  /// server agrees with `check`.
  std::string Try() const {
    const auto checked = Revctl("ann", {"check"});
    INFO(checked.out << checked.err);
    const std::string before = sandbox.Git("ann", {"rev-parse", "HEAD"});
    sandbox.CommitAll("ann", "fix");
    const auto pushed = sandbox.TryGit("ann", {"push", "-q", "--no-verify", "origin", "HEAD:main"});
    CHECK((pushed.status == 0) == (checked.status == 0));
    if (pushed.status == 0) return "landed: " + checked.out;
    sandbox.Git("ann", {"reset", "-q", "--hard", before});
    return checked.out;
  }
};

}  // namespace

TEST_CASE("RV019: goldens that landed stale may be recorded again once", "[check][stale]") {
  const LandedStale team;
  const auto& hero = team.hero;
  const std::string reason =
      "SR_ITEM has landed since they were recorded and changes Item, which they contain";
  const std::string stale = "the goldens of SR_HERO are stale: " + reason;
  // Incomplete repairs: another record made without SR_ITEM, a record that lacks a golden, and new
  // payloads without a new record.
  const std::string refused =
      "golden/SR_HERO.yaml: error[RV019]: the goldens of SR_HERO "
      "landed stale (" +
      reason + "), but the new record does not replace them completely: ";
  const std::string way = "run your harness with `record --refresh SR_HERO`, and commit golden\n";
  team.Golden("SR_HERO", "SR_FOULS", Layout("Hero", "vector<Item>"), team.cases);
  std::string said = team.Try();
  CHECK_THAT(said, Catch::Contains(refused + stale) && Catch::Contains(way));
  team.Golden("SR_HERO", "SR_ITEM", hero, team.cases);
  CHECK_THAT(team.Try(), Catch::Contains(refused + "the golden Hero/veterans is missing"));
  team.Golden("SR_HERO", "SR_GONE", hero, team.cases + team.more);
  CHECK_THAT(team.Try(), Catch::Contains(refused));
  team.Golden("SR_HERO", "", hero, team.cases + team.more);
  CHECK_THAT(team.Try(), Catch::Contains(refused));
  team.sandbox.Write("ann/golden/SR_HERO.golden", "other bytes");
  CHECK_THAT(team.Try(), Catch::Contains(refused + stale));
  team.sandbox.Git("ann", {"rm", "-q", "golden/SR_HERO.yaml"});
  CHECK_THAT(team.Try(), Catch::Contains(refused + "the record of SR_HERO is missing"));
  // The correct record, first with wrong payloads, and then with its own payloads.
  team.Golden("SR_HERO", "SR_ITEM", hero, team.cases + team.more);
  team.sandbox.Write("ann/golden/SR_HERO.golden", "written anew");
  CHECK_THAT(team.Try(), Catch::Contains(refused + "golden/SR_HERO.golden: not a payload pack"));
  team.Golden("SR_HERO", "SR_ITEM", hero, team.cases + team.more);
  said = team.Try();
  CHECK_THAT(said, Catch::StartsWith("landed: golden/SR_HERO.yaml: warning[RV019]: the goldens of "
                                     "SR_HERO are recorded again, which is allowed "
                                     "once, because they landed stale: " +
                                     reason + "\n"));
  // Once repaired, the goldens must not change again.
  team.sandbox.Write("ann/golden/SR_HERO.golden", "a third time");
  CHECK_THAT(team.Try(), Catch::Contains("golden/SR_HERO.golden: error[RV019]: the golden of the "
                                         "landed SR_HERO was edited"));
}

TEST_CASE("RV019: good goldens stay frozen next to a rewritten one", "[check][stale]") {
  const LandedStale team;
  const auto fix = [&] { team.Golden("SR_HERO", "SR_ITEM", team.hero, team.cases + team.more); };
  // SR_SONG was also recorded without SR_ITEM, but shares no type with it.
  fix();
  team.Golden("SR_SONG", "SR_ITEM", Layout("Song", "u64"), Case("Song", "auto-1"));
  CHECK_THAT(team.Try(),
             Catch::Contains("golden/SR_SONG.yaml: error[RV019]: the golden of the landed "
                             "SR_SONG was edited"));
  fix();
  team.Golden("SR_ITEM", "SR_FOULS", Layout("Item", "u8"), team.cases);
  CHECK_THAT(team.Try(),
             Catch::Contains("golden/SR_ITEM.yaml: error[RV019]: the golden of the landed "
                             "SR_ITEM was edited"));
  // Additions must be merged into the new record or stay unchanged.
  const std::string addition = "ann/golden/SR_HERO+0123456789abcdef.yaml";
  team.sandbox.Write(addition,
                     RecordText("SR_HERO", "", Layout("Bank", "u8"), Case("Hero", "imported")));
  team.Land("ann");
  fix();
  team.sandbox.Git("ann", {"rm", "-q", "golden/SR_HERO+0123456789abcdef.yaml"});
  CHECK_THAT(team.Try(), Catch::Contains("the golden Hero/imported is missing"));
  fix();
  team.sandbox.Write(addition, "edited\n");
  CHECK_THAT(team.Try(),
             Catch::Contains("golden/SR_HERO+0123456789abcdef.yaml: error[RV019]: the golden of "
                             "the landed SR_HERO was edited"));
  team.Golden("SR_HERO", "SR_ITEM", team.hero, team.cases + team.more + Case("Hero", "imported"));
  team.sandbox.Git("ann", {"rm", "-q", "golden/SR_HERO+0123456789abcdef.yaml"});
  CHECK_THAT(team.Revctl("ann", {"check"}).out, !Catch::Contains("error["));
  team.sandbox.Git("ann", {"reset", "-q", "--hard"});
  fix();
  team.sandbox.Write("ann/golden/SR_HERO+1123456789abcdef.yaml", "imported\n");
  team.sandbox.Git("ann", {"rm", "-q", "golden/SR_ITEM.golden"});
  CHECK_THAT(team.Try(), Catch::Contains("golden/SR_ITEM.golden: error[RV019]"));
}

TEST_CASE("RV019: any other repair needs an allowance", "[check][stale]") {
  const LandedStale team;
  const std::string payloads = "ann/golden/SR_SONG.golden", policy = "ann/.revctl.yaml",
                    hook = team.sandbox.Path(std::string(Team::kServer) + "/hooks/pre-receive");
  std::filesystem::rename(hook, hook + ".off");
  team.sandbox.Write(payloads, "damaged");
  team.Land("ann");
  std::filesystem::rename(hook + ".off", hook);
  team.sandbox.Write(payloads, NoBytes());
  CHECK_THAT(team.Try(), Catch::Contains("golden/SR_SONG.golden: error[RV019]: the golden of the "
                                         "landed SR_SONG was edited"));
  const auto allow = [&] {
    team.sandbox.Write(policy, team.sandbox.Read(policy) +
                                   "allow: [{rule: RV019, name: SR_SONG, reason: damaged}]\n");
  };
  allow();
  CHECK_THAT(team.Try(), Catch::Contains("error[RV024]"));
  for (const char* repository : {"ann", Team::kServer})
    team.sandbox.Git(repository, {"config", "revctl.allowPolicyChange", "true"});
  allow();
  CHECK_THAT(team.Try(), Catch::StartsWith("landed: "));
  team.sandbox.Write(payloads, NoBytes());
  CHECK(team.Try() == "landed: ");
  CHECK_THAT(team.Revctl("ann", {"check"}).out, Catch::Contains("warning[RV025]"));
}

}  // namespace revctl::testing
