// Tests merges of a list that one side has moved. git treats it like any renamed file, and calls
// the driver.
#include <catch2/catch.hpp>
#include <filesystem>

#include "revctl/base/system/process.h"
#include "tests/scenarios/team.h"

using namespace revctl::testing;

namespace {

constexpr const char* kOld = Team::kList;
constexpr const char* kNew = "save/revisions_of_saves.h";

void AddByHand(const Sandbox& sandbox, const std::string& file, const std::string& line) {
  std::string text = sandbox.Read(file);
  text.insert(text.rfind("};"), "    " + line + "\n");
  sandbox.Write(file, text);
}

/// A team in which Ann moves the list and adds an entry, on main or on a branch, while Bob adds an
/// entry at the old path.
struct Moved : Team {
  Moved() {
    InstallDriver("ann");
    InstallDriver("bob");
  }
  void Move(const std::string& person) const {
    std::filesystem::create_directory(sandbox.Path(person + "/save"));
    sandbox.Git(person, {"mv", kOld, kNew});
    sandbox.Write(person + "/.revctl.yaml",
                  std::string("version: 1\nlists: [{path: ") + kNew + "}]\n");
    sandbox.Write(person + "/.gitattributes", std::string("/") + kNew + " merge=revctl\n");
  }
  /// Checks that `fix` repairs a list that git has merged as text because no attribute names its
  /// new path.
  void ExpectFixedByResolve(const std::string& person, const revctl::base::ProcessResult& merged,
                            const std::vector<std::string>& conclusion = {"commit", "-q",
                                                                          "--no-edit"}) const {
    INFO(merged.out << merged.err);
    CHECK(merged.status != 0);
    const auto resolved = Revctl(person, {"fix"});
    INFO(resolved.out << resolved.err);
    CHECK(resolved.status == 0);
    sandbox.Git(person, {"add", "-A"});
    sandbox.Git(person, conclusion);
    ExpectResolved(person);
  }
  void ExpectResolved(const std::string& person) const {
    const std::string text = sandbox.Read(person + "/" + kNew);
    INFO(text);
    CHECK(sandbox.Git(person, {"status", "--porcelain"}).empty());
    CHECK(text.find("    SR_BOSS=3,// ae: the boss\n    SR_STAMINA=4,// bb: stamina\n};") !=
          std::string::npos);
    CHECK_FALSE(sandbox.Exists(person + "/" + kOld));
  }
};

/// A team in which the list was moved on main but not on Bob's branch.
struct MovedOnMain : Moved {
  MovedOnMain() {
    sandbox.Git("bob", {"checkout", "-q", "-b", "feature"});
    AddByHand(sandbox, std::string("bob/") + kOld, "SR_STAMINA=3,// bb: stamina");
    sandbox.CommitAll("bob", "stamina");
    Move("ann");
    AddByHand(sandbox, std::string("ann/") + kNew, "SR_BOSS=3,// ae: the boss");
    Land("ann");
  }
};

}  // namespace

TEST_CASE("moved: main has moved the list and is merged into a branch", "[moved]") {
  MovedOnMain team;
  SECTION("pull") {
    team.ExpectFixedByResolve("bob", team.sandbox.TryGit("bob", {"pull", "-q", "--no-rebase",
                                                                 "--no-edit", "origin", "main"}));
  }
  SECTION("fetch, then rebase: main's own attributes name the driver") {
    team.sandbox.Git("bob", {"fetch", "-q"});
    team.sandbox.Git("bob", {"rebase", "-q", "origin/main"});
    team.ExpectResolved("bob");
  }
  SECTION("in another work tree") {
    team.sandbox.Git("bob", {"checkout", "-q", "main"});
    team.sandbox.Git("bob", {"worktree", "add", "-q", "../bob_two", "feature"});
    team.ExpectFixedByResolve(
        "bob_two", team.sandbox.TryGit(
                       "bob_two", {"pull", "-q", "--no-rebase", "--no-edit", "origin", "main"}));
  }
}

TEST_CASE("moved: one of several lists is identified by its name", "[moved]") {
  Team team;
  const auto config = [](const std::string& main) {
    return "version: 1\nlists: [{path: " + main +
           "}, {path: mods/mods.h, name: mods, prefix: MOD_}]\n";
  };
  team.sandbox.Write("ann/mods/mods.h", "enum Mods {\n    MOD_FIRST=1,\n};\n");
  team.sandbox.Write("ann/.revctl.yaml", config(kOld));
  team.Land("ann");
  team.sandbox.Git("bob", {"pull", "-q"});
  team.InstallDriver("bob");
  AddByHand(team.sandbox, std::string("bob/") + kOld, "SR_STAMINA=3,// bb: stamina");
  team.sandbox.CommitAll("bob", "stamina");
  std::filesystem::create_directory(team.sandbox.Path("ann/save"));
  team.sandbox.Git("ann", {"mv", kOld, kNew});
  team.sandbox.Write("ann/.revctl.yaml", config(kNew));
  AddByHand(team.sandbox, std::string("ann/") + kNew, "SR_BOSS=3,// ae: the boss");
  team.Land("ann");
  CHECK(team.sandbox.TryGit("bob", {"pull", "--no-rebase", "--no-edit"}).status != 0);
  const auto resolved = team.Revctl("bob", {"fix"});
  INFO(resolved.out << resolved.err << team.sandbox.Read(std::string("bob/") + kNew));
  CHECK(resolved.status == 0);
  CHECK(team.sandbox.Read(std::string("bob/") + kNew)
            .find("    SR_BOSS=3,// ae: the boss\n    SR_STAMINA=4,// bb: stamina\n};") !=
        std::string::npos);
}

TEST_CASE("moved: in a project inside a larger repository", "[moved]") {
  Team team;
  const auto config = [](const std::string& path) {
    return "version: 1\nlists: [{path: " + path + "}]\n";
  };
  std::filesystem::remove(team.sandbox.Path("ann/.revctl.yaml"));
  std::filesystem::create_directories(team.sandbox.Path("ann/games/pong"));
  team.sandbox.Git("ann", {"mv", "src", "games/pong/src"});
  team.sandbox.Write("ann/games/pong/.revctl.yaml", config("src/master_version_list.h"));
  team.Land("ann");
  team.sandbox.Git("bob", {"pull", "-q"});
  REQUIRE(team.Revctl("bob/games/pong", {"install"}).status == 0);
  AddByHand(team.sandbox, "bob/games/pong/src/master_version_list.h",
            "SR_STAMINA=3,// bb: stamina");
  team.sandbox.Git("bob", {"commit", "-q", "--no-verify", "-am", "stamina"});
  team.sandbox.Git("ann", {"mv", "games/pong/src/master_version_list.h", "games/pong/revisions.h"});
  team.sandbox.Write("ann/games/pong/.revctl.yaml", config("revisions.h"));
  AddByHand(team.sandbox, "ann/games/pong/revisions.h", "SR_BOSS=3,// ae: the boss");
  team.Land("ann");
  CHECK(team.sandbox.TryGit("bob", {"pull", "--no-rebase", "--no-edit"}).status != 0);
  const auto resolved = team.Revctl("bob/games/pong", {"fix"});
  INFO(resolved.out << resolved.err);
  CHECK(resolved.status == 0);
  CHECK(team.sandbox.Read("bob/games/pong/revisions.h")
            .find("    SR_BOSS=3,// ae: the boss\n    SR_STAMINA=4,// bb: stamina\n};") !=
        std::string::npos);
}

TEST_CASE("moved: a branch has moved the list", "[moved]") {
  Moved team;
  team.sandbox.Git("bob", {"checkout", "-q", "-b", "feature"});
  team.Move("bob");
  AddByHand(team.sandbox, std::string("bob/") + kNew, "SR_STAMINA=3,// bb: stamina");
  team.sandbox.CommitAll("bob", "moved");
  AddByHand(team.sandbox, std::string("ann/") + kOld, "SR_BOSS=3,// ae: the boss");
  team.Land("ann");
  SECTION("merging main into the branch") {
    team.sandbox.Git("bob", {"pull", "-q", "--no-rebase", "--no-edit", "origin", "main"});
    team.ExpectResolved("bob");
  }
  SECTION("rebasing the branch") {
    team.sandbox.Git("bob", {"fetch", "-q"});
    team.ExpectFixedByResolve("bob", team.sandbox.TryGit("bob", {"rebase", "-q", "origin/main"}),
                              {"-c", "core.editor=true", "rebase", "--continue"});
  }
  SECTION("merging the branch into main") {
    team.sandbox.Git("bob", {"checkout", "-q", "main"});
    team.sandbox.Git("bob", {"pull", "-q"});
    team.ExpectFixedByResolve("bob",
                              team.sandbox.TryGit("bob", {"merge", "-q", "--no-edit", "feature"}));
  }
}

TEST_CASE("moved: every command finds the landed revisions by the list's name", "[moved]") {
  Moved team;
  const auto says = [&](std::vector<std::string> command, int status, const std::string& text) {
    const auto run = team.Revctl("bob", command);
    INFO(command[0] << ": " << run.out << run.err);
    CHECK(run.status == status);
    CHECK((text.empty() ? run.out.empty() : run.out.find(text) != std::string::npos));
  };
  std::string list = std::string("bob/") + kOld;
  team.sandbox.Git("bob", {"checkout", "-q", "-b", "feature"});
  SECTION("main has moved the list") {
    REQUIRE(team.Revctl("bob", {"reserve", "SR_STAMINA"}).out == "SR_STAMINA = 3\n");
    team.Move("ann");
  }
  SECTION("a branch has moved the list") {
    team.Move("bob");
    list = std::string("bob/") + kNew;
    REQUIRE(team.Revctl("bob", {"reserve", "SR_STAMINA"}).out == "SR_STAMINA = 3\n");
  }
  team.sandbox.CommitAll("bob", "stamina");
  team.sandbox.Git("bob", {"push", "-q", "--no-verify", "origin", "feature"});
  REQUIRE(team.Revctl("ann", {"reserve", "SR_BOSS"}).out == "SR_BOSS = 4\n");
  team.Land("ann");
  team.sandbox.Git("bob", {"fetch", "-q"});

  CHECK(team.Revctl("bob", {"status"}).out ==
        "SR_STAMINA = 3  pending: cannot land: origin/main is at 4; revctl fix\n");
  CHECK(team.Revctl("bob", {"list"}).out ==
        "1  SR_INITIAL\n2  SR_FOULS\n3  SR_STAMINA  (pending)\n");
  says({"show", "SR_FOULS"}, 0, "landed   SR_FOULS = 2 on origin/main");
  says({"status", "--branches"}, 0,
       "feature: SR_STAMINA = 3 can no longer land (origin/main is at 4)");
  says({"reserve", "--dry-run"}, 0, "5\n");
  const std::string before = team.sandbox.Read(list);
  says({"reserve", "SR_FOULS"}, 1, "");
  says({"reserve", "SR_BOSS"}, 1, "");
  CHECK(team.sandbox.Read(list) == before);
  says({"fix"}, 1, "SR_STAMINA 3 -> 5\n");  // exit 1: the target is not merged yet
  CHECK(team.sandbox.Read(list) ==
        std::string(Team::kListText)
            .insert(std::string(Team::kListText).rfind("};"), "    SR_STAMINA=5,\n"));
  team.sandbox.Git("bob", {"fetch", "-q", "origin", "+refs/revctl/ledger:refs/test/ledger"});
  const std::string ledger = team.sandbox.Git("bob", {"log", "--format=%B", "refs/test/ledger"});
  INFO(ledger);
  CHECK(ledger.find("SR_INITIAL") == std::string::npos);
  CHECK(ledger.find("SR_FOULS") == std::string::npos);
}

TEST_CASE("moved: a target list that cannot be found is not an empty list", "[moved]") {
  MovedOnMain team;
  REQUIRE(team.Revctl("ann", {"uninstall"}).status == 0);
  team.sandbox.Write("ann/.revctl.yaml", std::string("version: 1\nlists: [{path: ") + kNew +
                                             "}]\nfrom_the_future: 1\n");
  team.Land("ann");
  team.sandbox.Git("bob", {"fetch", "-q"});
  const auto renumbered = team.Revctl("bob", {"fix"});
  INFO(renumbered.out << renumbered.err);
  CHECK(renumbered.status == 2);
  CHECK(renumbered.err.find(":.revctl.yaml:3:") != std::string::npos);
  CHECK(team.List("bob").find("SR_INITIAL=1,") != std::string::npos);
}

TEST_CASE("moved: a restored ledger knows lists at their former paths", "[moved]") {
  Moved team;
  REQUIRE(team.Revctl("bob", {"reserve", "SR_BOSS"}).status == 0);
  team.sandbox.CommitAll("bob", "boss");
  team.sandbox.Git("ann", {"checkout", "-q", "-b", "feature"});
  team.Move("ann");
  AddByHand(team.sandbox, std::string("ann/") + kNew, "SR_HAND=900,");
  team.sandbox.CommitAll("ann", "moved");
  team.sandbox.Git("ann", {"push", "-q", "--no-verify", "origin", "feature"});
  team.sandbox.Git("bob", {"fetch", "-q"});
  team.sandbox.Git("srv/game.git", {"update-ref", "-d", "refs/revctl/ledger"});
  REQUIRE(team.Revctl("bob", {"doctor", "--repair-ledger"}).status == 0);
  CHECK(team.Revctl("bob", {"reserve", "--dry-run"}).out == "901\n");
}

TEST_CASE("moved: release branches from before main moved the list", "[moved]") {
  Team team;
  const auto config = [](const std::string& path) {
    return "version: 1\nlists: [{path: " + path + "}]\nreleases: [\"release/*\"]\n";
  };
  team.sandbox.Write("ann/.revctl.yaml", config(kOld));
  team.Land("ann");
  team.sandbox.Git("bob", {"pull", "-q"});
  SECTION("the gate compares them with main's list") {
    team.sandbox.Git("ann", {"push", "-q", "--no-verify", "origin", "HEAD:release/1"});
    team.sandbox.Git("bob", {"checkout", "-q", "-b", "fix"});
    team.sandbox.Write("bob/fix.cpp", "// fixes it\n");
    team.sandbox.CommitAll("bob", "fix");
    team.sandbox.Git("ann", {"mv", kOld, "revisions.h"});
    team.sandbox.Write("ann/.revctl.yaml", config("revisions.h"));
    team.Land("ann");
    team.GuardServer();
    team.sandbox.Git("bob", {"fetch", "-q"});
    const auto checked = team.Revctl("bob", {"check", "--target", "origin/release/1"});
    INFO(checked.out << checked.err);
    CHECK(checked.status == 0);
    CHECK(team.sandbox.TryGit("bob", {"push", "--no-verify", "origin", "fix:release/1"}).status ==
          0);
    AddByHand(team.sandbox, std::string("bob/") + kOld, "SR_HOTFIX=3,");
    team.sandbox.CommitAll("bob", "hotfix");
    const auto pushed =
        team.sandbox.TryGit("bob", {"push", "--no-verify", "origin", "fix:release/1"});
    CHECK(pushed.status != 0);
    CHECK(pushed.err.find("SR_HOTFIX is not in the list on main") != std::string::npos);
  }
  SECTION("the merge driver knows them") {
    AddByHand(team.sandbox, std::string("ann/") + kOld, "SR_HOTFIX=3,");
    team.sandbox.CommitAll("ann", "hotfix");
    team.sandbox.Git("ann", {"push", "-q", "--no-verify", "origin", "HEAD:release/1"});
    team.sandbox.Git("ann", {"reset", "-q", "--hard", "HEAD~1"});
    team.sandbox.Git("ann", {"mv", kOld, "revisions.h"});
    team.sandbox.Write("ann/.revctl.yaml", config("revisions.h"));
    AddByHand(team.sandbox, "ann/revisions.h", "SR_BOSS=3,");
    team.Land("ann");
    team.sandbox.Git("bob", {"pull", "-q"});
    team.InstallDriver("bob");
    const auto merge = team.sandbox.TryGit("bob", {"merge", "--no-edit", "origin/release/1"});
    INFO(merge.out << merge.err);
    CHECK(merge.status == 1);
    CHECK((merge.out + merge.err)
              .find("SR_HOTFIX has landed as 3 on release/1, but the target lacks it and already "
                    "has SR_BOSS (3)") != std::string::npos);
  }
}
