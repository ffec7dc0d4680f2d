// While branches with goldens are open, the target changes the whole store: it raises the oldest
// readable revision, purges revisions, or moves the golden folder.
#include <filesystem>

#include "harness/testing/meeting_test.h"

namespace revctl::harness::test {
namespace {

/// bob has two branches, both recorded after SR_LUCK. `hero` shares a type with ann's landed
/// revisions, but `song` does not.
struct Open : Meeting {
  Open() {
    for (const char* branch : {"song", "hero"}) {
      Shell(std::string("cd bob && git checkout -q -b ") + branch + " origin/main");
      Work("bob", *branch == 's' ? "SR_SONG" : "SR_HERO", 3);
    }
    Work("ann", "SR_ITEM", 3);
    Lands();
  }
  void Lands() const {
    const Ran pushed = Push("ann");
    INFO(pushed.err);
    REQUIRE(pushed.exit == 0);
    Shell("cd ann && git fetch -q");
  }
  void Green(const std::string& who) const {
    const Ran check = Harness(who, "check"), gate = Revctl(who, "check");
    INFO(check.out << check.err << gate.out << gate.err);
    CHECK(check.exit == 0);
    CHECK(gate.exit == 0);
  }
  /// Merges the target into the branch. If `stale` is not empty, also runs the suggested command.
  /// The checks must then pass.
  void Join(const std::string& branch, const std::string& stale) const {
    INFO(branch);
    Shell("cd bob && git checkout -q " + branch + " && git fetch -q");
    // The check must report the same errors before and after the merge.
    CHECK(Count(Revctl("bob", "check").out, "error[RV028]") == (stale.empty() ? 0 : 1));
    Shell("cd bob && git merge -q -m merge origin/main");
    REQUIRE(Revctl("bob", "fix").exit == (stale.empty() ? 0 : 1));
    Shell("cd bob && { git diff --quiet || " + kGit + "commit -qam numbers; }");
    if (!stale.empty()) {
      const Ran check = Harness("bob", "check"), gate = Revctl("bob", "check");
      INFO(check.out << gate.out);
      CHECK_THAT(gate.out, Catch::Contains("error[RV028]: " + stale));
      CHECK_THAT(check.out, Catch::Contains("error[GH009]: " + stale));
      CHECK(Count(check.out + gate.out, "error[") == 2);
      Record("bob", " --refresh-pending");
      Commit("bob", "refreshed");
    }
    Green("bob");
  }
  /// Adds a key to the list's entry in .revctl.yaml.
  void Policy(const std::string& key) const {
    Shell("cd ann && sed -i 's/golden: golden/golden: golden, " + key + "/' .revctl.yaml");
  }
  const std::string hero_is_stale =
      "the goldens of SR_HERO are stale: SR_ITEM has landed since they were recorded and changes "
      "Item, which they contain\n";
};

}  // namespace

TEST_CASE("open branches: the target purges old revisions", "[harness][commands][stale][purge]") {
  const Open team;
  // The revision before bob's is older than every supported revision.
  team.Policy("oldest: SR_ITEM");
  team.Green("ann");
  team.Commit("ann", "older files are refused");
  team.Lands();
  const bool purged = GENERATE(false, true);
  if (purged) {
    REQUIRE(team.Revctl("ann", "purge --below SR_ITEM").exit == 0);
    team.Green("ann");
    team.Commit("ann", "purged");
    team.Lands();
  }
  team.Join("song", "");
  CHECK_THAT(Bytes(team.folder.path() + "/bob/golden/SR_SONG.yaml"),
             Catch::Contains("previous: SR_LUCK\n"));
  CHECK(team.Push("bob").exit == 0);
  team.Join("hero", team.hero_is_stale);
  CHECK(team.Push("bob").exit == 0);
  team.Green("bob");
}

TEST_CASE("open branches: a moved golden folder keeps landed goldens",
          "[harness][commands][stale]") {
  // SR_SONG was recorded without SR_ITEM, and SR_HERO was recorded on top of SR_SONG. Therefore,
  // following `previous` never reaches SR_ITEM.
  const Meeting team;
  team.Meet("SR_ITEM", "SR_SONG");
  REQUIRE(team.Push("bob").exit == 0);
  team.Work("bob", "SR_HERO", 5);
  REQUIRE(team.Push("bob").exit == 0);
  team.Shell(
      "cd bob && git fetch -q && git mv golden saves && sed -i 's/golden: golden/golden: saves/' "
      ".revctl.yaml");
  const auto party = [&](const std::string& words) {
    return team.Shell("cd bob && " + kParty + " " + words + " --golden saves", false);
  };
  const Ran check = party("check");
  INFO(check.out << check.err);
  CHECK(check.exit == 0);
  const Ran refused = party("record --refresh SR_HERO");
  CHECK(refused.exit == 1);
  CHECK_THAT(refused.err, Catch::Contains("SR_HERO has landed: its goldens are in origin/main"));
}

TEST_CASE("open branches: the target moves the golden folder", "[harness][commands][stale]") {
  const Open team;
  team.Shell(
      "cd ann && git mv golden saves && sed -i 's/golden: golden/golden: saves/' .revctl.yaml");
  team.Commit("ann", "moved");
  team.Lands();
  const std::string how = GENERATE("merge -q -m merge", "rebase -q");
  for (const std::string branch : {"song", "hero"}) {
    const std::string name = branch == "song" ? "SR_SONG" : "SR_HERO";
    INFO(how << " " << branch);
    team.Shell("cd bob && git checkout -q " + branch + " && git fetch -q");
    // The goldens exist, so the check must not suggest `record`.
    const Ran before = team.Revctl("bob", "check");
    CHECK_THAT(before.out,
               Catch::Contains("error[RV020]: the goldens of " + name +
                               " are in golden, but origin/main moved that folder to saves\nfix: "
                               "git merge origin/main (or pull --rebase), then run revctl fix\n") &&
                   !Catch::Contains("`record`"));
    // Because the target renamed the folder, git reports conflicts for files added to the old
    // folder without calling a merge driver.
    CHECK(team.Shell("cd bob && " + kGit + how + " origin/main", false).exit != 0);
    const Ran resolved = team.Revctl("bob", "fix");
    INFO(resolved.out << resolved.err);
    CHECK(resolved.exit <= 1);  // 1 means that some goldens are still stale
    team.Shell("cd bob && git add -A && " + kGit + "-c core.editor=true " +
               (how[0] == 'm' ? "commit -q -m merge" : "rebase --continue"));
    CHECK_FALSE(std::filesystem::exists(team.folder.path() + "/bob/golden"));
    REQUIRE(team.Revctl("bob", "fix").exit == (branch == "hero" ? 1 : 0));
    if (branch == "hero") {
      CHECK_THAT(team.Revctl("bob", "check").out,
                 Catch::Contains("error[RV028]: " + team.hero_is_stale));
      REQUIRE(team.Shell("cd bob && " + kParty + " record --refresh-pending --golden saves").exit ==
              0);
    }
    team.Shell("cd bob && git add -A && { git diff --cached --quiet || " + kGit +
               "commit -qm done; }");
    const Ran check = team.Shell("cd bob && " + kParty + " check --golden saves", false),
              gate = team.Revctl("bob", "check"), pushed = team.Push("bob");
    INFO(check.out << gate.out << pushed.err);
    CHECK(check.exit == 0);
    CHECK(gate.exit == 0);
    CHECK(pushed.exit == 0);
  }
}

}  // namespace revctl::harness::test
