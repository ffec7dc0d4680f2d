// Tests RV028 with handwritten records, including old, damaged and hostile records.
// harness/commands/stale_test.cpp tests RV028 with real harnesses.
#include <sys/resource.h>

#include <catch2/catch.hpp>

#include "tests/scenarios/team.h"

namespace revctl::testing {
namespace {

constexpr const char* kGoldenConfig =
    "version: 1\nreservation: optional\n"
    "lists: [{path: src/master_version_list.h, golden: golden}]\n";

/// Returns a record without values, as `record` would write it. `types` lists types and the types
/// of their fields, such as "Hero=i32 vector<Item>;Item=i32".
std::string Record(const std::string& name, const std::string& previous, const std::string& types,
                   const std::string& roots) {
  std::string text = "version: 1\nrevision: " + name +
                     "\nnumber: 9\nlineage: \"0123456789abcdef\"\n" +
                     (previous.empty() ? "" : "previous: " + previous + "\n") +
                     "recorded: {by: record, code: " + name +
                     ", compiler: \"g++ 12.2.0\", revctl: 0.1.0, seed: 1}\ntypes:\n";
  std::istringstream list(types);
  for (std::string type; std::getline(list, type, ';');) {
    std::istringstream words(type.substr(type.find('=') + 1));
    const std::size_t begin = type.find_first_not_of(' ');
    text += "  - type: " + type.substr(begin, type.find('=') - begin) +
            "\n    compared: []\n    fields:\n";
    int i = 0;
    for (std::string wire; words >> wire;)
      text += "      - {name: f" + std::to_string(++i) + ", type: \"" + wire + "\", form: add}\n";
  }
  text += "enums: []\ncases:\n";
  std::istringstream names(roots);
  for (std::string root; names >> root;)
    text +=
        "  - {type: " + root + ", name: auto-1, size: 0, hash: \"ef46db3751d8e999\", values: {}}\n";
  return text + "upgrades: []\n";
}

/// A team in which Ann has landed SR_ITEM, which changes Item, and Bob has not fetched yet.
struct Stale : Team {
  Stale() {
    sandbox.Write("ann/.revctl.yaml", kGoldenConfig);
    Golden("ann", "SR_INITIAL", "", "Hero=i32 vector<Item>;Item=i32;Song=f32", "Hero Song");
    Golden("ann", "SR_FOULS", "SR_INITIAL", "Hero=i32 vector<Item> u8", "Hero");
    Land("ann");
    sandbox.Git("bob", {"pull", "-q"});
    Add("ann", "SR_ITEM=3,");
    Golden("ann", "SR_ITEM", "SR_FOULS", "Item=i32 u8", "Hero");
    Land("ann");
    GuardServer();
  }
  void Golden(const std::string& who, const std::string& name, const std::string& previous,
              const std::string& types, const std::string& roots) const {
    sandbox.Write(who + "/golden/" + name + ".yaml", Record(name, previous, types, roots));
    if (!roots.empty()) sandbox.Write(who + "/golden/" + name + ".golden", NoBytes());
  }
  void Add(const std::string& who, const std::string& entry) const {
    std::string text = List(who);
    text.insert(text.find("};"), "    " + entry + "\n");
    sandbox.Write(who + "/" + kList, text);
  }
  /// Pulls the landed revisions, and commits one of Bob's revisions on top of them.
  void OnTop(const std::string& entry) const {
    sandbox.Git("bob", {"pull", "-q"});
    Add("bob", entry);
    sandbox.CommitAll("bob", entry);
  }
  /// Returns the output of `check` if it fails, otherwise "". No code uses revisions here, so RV021
  /// is only a warning.
  std::string Check(std::vector<std::string> options = {}) const {
    options.insert(options.begin(), "check");
    const auto run = Revctl("bob", options);
    return run.status == 0 ? "" : run.out + run.err;
  }
};

std::size_t Errors(const std::string& text) {
  std::size_t count = 0;
  for (auto at = text.find("error["); at != std::string::npos; at = text.find("error[", at + 1))
    ++count;
  return count;
}

/// Returns the CPU time of finished child processes, which, unlike wall-clock time, does not make a
/// test fail on a busy machine.
double ProcessorSeconds() {
  rusage used{};
  getrusage(RUSAGE_CHILDREN, &used);
  const auto seconds = [](const timeval& time) {
    return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) * 1e-6;
  };
  return seconds(used.ru_utime) + seconds(used.ru_stime);
}

}  // namespace

TEST_CASE("RV028: before a merge, during it, and on the server", "[check][stale]") {
  const Stale team;
  team.Add("bob", "SR_HERO=3,");
  team.Golden("bob", "SR_HERO", "SR_FOULS", "Hero=i32 vector<Item> u8 u8", "Hero");
  team.sandbox.CommitAll("bob", "hero");
  const std::string message =
      "golden/SR_HERO.yaml: error[RV028]: the goldens of SR_HERO are stale: SR_ITEM has landed "
      "since they were recorded and changes Item, which they contain\n";
  const std::string refresh =
      "run your harness with `record --refresh-pending`, and commit golden\n";
  const std::string before = team.Check({"--fetch"});
  CHECK_THAT(
      before,
      Catch::Contains(message + "fix: git merge origin/main (or pull --rebase), then " + refresh));
  team.InstallDriver("bob");
  team.sandbox.Git("bob", {"pull", "-q", "--no-rebase", "--no-edit"});
  const auto renumbered = team.Revctl("bob", {"fix"});
  CHECK(renumbered.status == 1);
  CHECK_THAT(renumbered.out, Catch::Contains(message + "fix: " + refresh));
  team.sandbox.TryGit("bob", {"commit", "-qam", "renumbered"});
  const std::string merged = team.Check();
  CHECK_THAT(merged, Catch::Contains(message + "fix: " + refresh));
  CHECK(Errors(merged) == 1);
  CHECK_THAT(
      team.Revctl("bob", {"status"}).out,
      Catch::Contains("SR_HERO = 4  pending: cannot land: the goldens of SR_HERO are stale"));
  CHECK_THAT(team.Revctl("bob", {"status", "--json"}).out, Catch::Contains("\"can_land\":false"));
  const auto push =
      team.sandbox.TryGit("bob", {"push", "-q", "--no-verify", "origin", "HEAD:main"});
  CHECK(push.status != 0);
  CHECK_THAT(push.err, Catch::Contains("RV028"));

  team.Golden("bob", "SR_HERO", "SR_ITEM", "Hero=i32 vector<Item> u8 u8", "Hero");
  CHECK(team.Check().empty());
  CHECK(team.Revctl("bob", {"fix"}).err.find("refresh") == std::string::npos);
  team.sandbox.CommitAll("bob", "refreshed");
  CHECK(team.sandbox.TryGit("bob", {"push", "-q", "origin", "HEAD:main"}).status == 0);
}

TEST_CASE("RV028: old, unreadable and unrelated records", "[check][stale]") {
  const Stale team;
  team.OnTop("SR_NEXT=4,");
  team.sandbox.Write("bob/golden/SR_NEXT.golden", NoBytes());
  const auto judged = [&](const std::string& record) {
    team.sandbox.Write("bob/golden/SR_NEXT.yaml", record);
    const std::string out = team.Check();
    INFO(out);
    CHECK(Errors(out) == (out.empty() ? 0 : 1));
    return out;
  };
  const std::string old = Record("SR_NEXT", "SR_FOULS", "Song=f32 u8", "Song");
  CHECK(judged(old).empty());
  CHECK_THAT(judged(Record("SR_NEXT", "SR_FOULS", "Hero=u8 vector<Item>", "Hero")),
             Catch::Contains("changes Item"));
  CHECK(judged(Record("SR_NEXT", "SR_ITEM", "Hero=u8 vector<Item>", "Hero")).empty());
  // Records without `previous`, or whose `previous` is no longer in the list.
  CHECK_THAT(
      judged(Record("SR_NEXT", "", "Song=f32 u8", "Song")),
      Catch::Contains("their record does not say whether they were recorded on top of SR_INITIAL"));
  CHECK(judged(Record("SR_NEXT", "", "Bank=u8", "Bank")).empty());
  CHECK_THAT(judged(Record("SR_NEXT", "SR_GONE", "Song=f32 u8", "Song")),
             Catch::Contains(
                 "stale: they were recorded on top of SR_GONE, which is no longer in the list"));
  const std::string unreadable = "error[RV028]: cannot read the record of SR_NEXT, because it ";
  CHECK_THAT(judged("recorded\n"), Catch::Contains(unreadable + "is invalid at line 1: "));
  CHECK_THAT(judged(""), Catch::Contains(unreadable));
  CHECK_THAT(judged("<<<<<<< ours\n" + old),
             Catch::Contains(unreadable + "is invalid at line 1: unresolved conflict markers"));
  CHECK_THAT(judged(Record("SR_OTHER", "SR_ITEM", "Song=f32", "Song")),
             Catch::Contains(unreadable + "names the revision SR_OTHER"));
  CHECK_THAT(judged(Record("SR_NEXT", "../../etc", "Song=f32", "Song")),
             Catch::Contains(unreadable));
  std::string deep;
  for (int i = 0; i < 100; ++i) deep += "vector<";
  CHECK_THAT(judged(Record("SR_NEXT", "SR_FOULS", "Song=" + deep, "Song")),
             Catch::Contains(unreadable + "has a field of Song that nests types more than 64"));
  CHECK_THAT(judged(Record("SR_NEXT", "SR_FOULS", "\"\\u001b[31mHero\"=vector<Item>", "Hero")),
             Catch::Contains("changes Item") && !Catch::Contains("\x1b"));
}

TEST_CASE("RV028: does not guess if a landed record is unreadable", "[check][stale]") {
  const Stale team;
  team.sandbox.Write("ann/golden/SR_ITEM+0123456789abcdef.yaml", "imported\n");
  team.sandbox.CommitAll("ann", "damaged");
  std::filesystem::remove(team.sandbox.Path("srv/game.git/hooks/pre-receive"));
  team.sandbox.Git("ann", {"push", "-q", "origin", "HEAD:main"});
  team.OnTop("SR_NEXT=4,");
  team.Golden("bob", "SR_NEXT", "SR_FOULS", "Song=f32 u8", "Song");
  CHECK_THAT(team.Check(),
             Catch::Contains(
                 "cannot tell whether the goldens of SR_NEXT are stale: "
                 "golden/SR_ITEM+0123456789abcdef.yaml of origin/main is invalid at line 1: "));
  team.Golden("bob", "SR_NEXT", "SR_ITEM", "Song=f32 u8", "Song");
  CHECK(team.Check().empty());
}

TEST_CASE("RV028: additions to a landed revision count as its own goldens", "[check][stale]") {
  const Stale team;
  std::string addition = Record("SR_ITEM", "", "Stall=vector<Song>", "Stall");
  team.sandbox.Write("ann/golden/SR_ITEM+0123456789abcdef.yaml", addition);
  team.sandbox.Write("ann/.revctl.yaml",
                     std::string(kGoldenConfig) + "land: {goldens: make goldens}\n");
  team.Land("ann");
  team.OnTop("SR_NEXT=4,");
  team.Golden("bob", "SR_NEXT", "SR_FOULS", "Song=f32 u8", "Song");
  CHECK_THAT(
      team.Check(),
      Catch::Contains(
          "SR_ITEM has landed since they were recorded and has goldens that contain Song, which "
          "SR_NEXT changes") &&
          Catch::Contains("fix: make goldens, and commit golden\n"));
}

TEST_CASE("RV028: a purged revision's record still describes type changes", "[check][stale]") {
  const Stale team;
  // The records of purged revisions contain Bank. Only the last of the three records applies,
  // together with its addition.
  team.sandbox.Git("ann", {"pull", "-q"});
  for (const std::string name : {"SR_OLD", "SR_NEW"})
    team.Add("ann", name + "=1" + (name == "SR_NEW" ? "1," : "0,"));
  team.Add("ann", "SR_KEPT=12,");
  const auto record = [&](const std::string& name, const std::string& number,
                          const std::string& types) {
    std::string text = Record(name, "SR_ITEM", types, "Song");
    team.sandbox.Write("ann/golden/" + name + ".yaml",
                       text.replace(text.find("number: 9"), 9, "number: " + number));
  };
  record("SR_OLD", "10", "Bank=vector<Song>");
  record("SR_NEW", "11", "Bank=vector<Item>");
  record("SR_KEPT", "12", "Song=f32 u8");
  std::filesystem::remove(team.sandbox.Path("srv/game.git/hooks/pre-receive"));
  team.Land("ann");
  team.sandbox.Git("bob", {"pull", "-q"});
  // Bob's record was made on top of all these revisions. SR_PEAR and SR_TUNE land later.
  team.Add("bob", "SR_NEXT=13,");
  team.Golden("bob", "SR_NEXT", "SR_KEPT", "Vault=Bank", "Vault");
  team.sandbox.CommitAll("bob", "next");
  const auto lands = [&](const std::string& entry, const std::string& name,
                         const std::string& types) {
    team.Add("ann", entry);
    team.Golden("ann", name, "SR_KEPT", types, "Song");
    team.Land("ann");
  };
  lands("SR_TUNE=13,", "SR_TUNE", "Song=u8");
  CHECK(team.Check({"--fetch"}).find("RV028") == std::string::npos);
  REQUIRE(team.Revctl("ann", {"purge", "--below", "SR_KEPT"}).status == 0);
  team.Land("ann");
  CHECK(team.Check({"--fetch"}).find("RV028") == std::string::npos);
  lands("SR_PEAR=14,", "SR_PEAR", "Item=u8");
  CHECK_THAT(team.Check({"--fetch"}),
             Catch::Contains("the goldens of SR_NEXT are stale: SR_PEAR has landed since they were "
                             "recorded and changes Item, which they contain\n"));
  // Goldens whose `previous` was purged are stale only if a later revision shares a type with them.
  team.Golden("bob", "SR_NEXT", "SR_NEW", "Vault=u8", "Vault");
  CHECK(team.Check().find("RV028") == std::string::npos);
  team.Golden("bob", "SR_NEXT", "SR_NEW", "Vault=Bank", "Vault");
  CHECK_THAT(team.Check(), Catch::Contains("SR_PEAR has landed since") && !Catch::Contains("gone"));
}

TEST_CASE("RV028: the time grows linearly with the number of goldens", "[check][stale]") {
  const Team team({"ann"});
  team.sandbox.Write("ann/.revctl.yaml", kGoldenConfig);
  std::string list = "enum Revision {\n";
  int last = 0;
  const auto add = [&](int previous) {
    const std::string name = "SR_R" + std::to_string(++last), type = "T" + std::to_string(last);
    list += "    " + name + "=" + std::to_string(last) + ",\n";
    team.sandbox.Write("ann/golden/" + name + ".yaml",
                       Record(name, previous == 0 ? "" : "SR_R" + std::to_string(previous),
                              type + "=i32 T" + std::to_string(last - 1), "Root"));
    team.sandbox.Write(std::string("ann/") + Team::kList, list + "};\n");
  };
  const auto seconds = [&](int landed) {
    while (last < landed) add(last);
    team.Land("ann");
    add(1);
    double least = 1e9;
    for (int i = 0; i < 3; ++i) {
      const double start = ProcessorSeconds();
      const auto run = team.Revctl("ann", {"check"});
      least = std::min(least, ProcessorSeconds() - start);
      CHECK_THAT(run.out, Catch::Contains("error[RV028]"));
    }
    return least;
  };
  const double small = seconds(100), large = seconds(800);
  INFO(small << " s, " << large << " s");
  CHECK(large < 3 * 8 * small);  // quadratic code would take 64 times as long
}

}  // namespace revctl::testing
