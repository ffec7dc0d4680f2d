// A list that one side has moved, merged by git as it merges any renamed file: the driver is asked all the same.
#include <catch2/catch.hpp>
#include <filesystem>

#include "revctl/commands/team_test.h"

using namespace revctl::testing;

namespace {

constexpr const char* kOld = Team::kList;
constexpr const char* kNew = "save/revisions_of_saves.h";
constexpr const char* kNotes = "bob/.git/info/attributes";

void AddByHand(const Sandbox& sandbox, const std::string& file, const std::string& line) {
  std::string text = sandbox.Read(file);
  text.insert(text.rfind("};"), "    " + line + "\n");
  sandbox.Write(file, text);
}

/// Ann moves the list, on main or on a branch of hers, and adds to it; Bob adds to it where it was.
struct Moved : Team {
  Moved() {
    InstallDriver("ann");
    InstallDriver("bob");
  }
  void Move(const std::string& person) const {
    std::filesystem::create_directory(sandbox.Path(person + "/save"));
    sandbox.Git(person, {"mv", kOld, kNew});
    sandbox.Write(person + "/.revctl.yaml", std::string("version: 1\nlists: [{path: ") + kNew + "}]\n");
    sandbox.Write(person + "/.gitattributes", std::string("/") + kNew + " merge=revctl\n");
  }
  void ExpectResolved(const std::string& person) const {
    const std::string text = sandbox.Read(person + "/" + kNew);
    INFO(text);
    CHECK(sandbox.Git(person, {"status", "--porcelain"}).empty());
    CHECK(text.find("    SR_BOSS=3,// ae: the boss\n    SR_STAMINA=4,// bb: stamina\n};") != std::string::npos);
    CHECK_FALSE(sandbox.Exists(person + "/" + kOld));
  }
};

/// Main has moved it; Bob's branch knows nothing of that.
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

TEST_CASE("moved: main has moved the list, and is merged", "[moved]") {
  MovedOnMain team;
  SECTION("pull") { team.sandbox.Git("bob", {"pull", "-q", "--no-rebase", "--no-edit", "origin", "main"}); }
  SECTION("fetch, then merge") {
    team.sandbox.Git("bob", {"fetch", "-q"});
    team.sandbox.Git("bob", {"merge", "-q", "--no-edit", "origin/main"});
  }
  SECTION("rebase") {
    team.sandbox.Git("bob", {"fetch", "-q"});
    team.sandbox.Git("bob", {"rebase", "-q", "origin/main"});
  }
  SECTION("in another work tree") {
    team.sandbox.Git("bob", {"checkout", "-q", "main"});
    team.sandbox.Git("bob", {"worktree", "add", "-q", "../bob_two", "feature"});
    team.sandbox.Git("bob_two", {"pull", "-q", "--no-rebase", "--no-edit", "origin", "main"});
    team.ExpectResolved("bob_two");
    return;
  }
  SECTION("set up after the fetch") {
    REQUIRE(team.Revctl("bob", {"uninstall"}).status == 0);
    team.sandbox.Git("bob", {"fetch", "-q"});
    CHECK(team.sandbox.TryGit("bob", {"merge", "--no-edit", "origin/main"}).status == 1);  // git's own merge
    team.sandbox.Git("bob", {"merge", "--abort"});
    REQUIRE(team.Revctl("bob", {"install"}).status == 0);
    team.sandbox.Git("bob", {"merge", "-q", "--no-edit", "origin/main"});
  }
  team.ExpectResolved("bob");
}

TEST_CASE("moved: one of several lists is told by its name", "[moved]") {
  Team team;
  const auto config = [](const std::string& main) {
    return "version: 1\nlists: [{path: " + main + "}, {path: mods/mods.h, name: mods, prefix: MOD_}]\n";
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
  auto merged = team.sandbox.TryGit("bob", {"pull", "--no-rebase", "--no-edit"});
  INFO(merged.out << merged.err << team.sandbox.Read(std::string("bob/") + kNew));
  CHECK(merged.status == 0);
  CHECK(team.sandbox.Read(std::string("bob/") + kNew).find("    SR_BOSS=3,// ae: the boss\n    SR_STAMINA=4,// bb: stamina\n};") != std::string::npos);
}

TEST_CASE("moved: in a project of a bigger repository", "[moved]") {
  Team team;
  const auto config = [](const std::string& path) { return "version: 1\nlists: [{path: " + path + "}]\n"; };
  std::filesystem::remove(team.sandbox.Path("ann/.revctl.yaml"));
  std::filesystem::create_directories(team.sandbox.Path("ann/games/pong"));
  team.sandbox.Git("ann", {"mv", "src", "games/pong/src"});
  team.sandbox.Write("ann/games/pong/.revctl.yaml", config("src/master_version_list.h"));
  team.Land("ann");
  team.sandbox.Git("bob", {"pull", "-q"});
  REQUIRE(team.Revctl("bob/games/pong", {"install"}).status == 0);
  AddByHand(team.sandbox, "bob/games/pong/src/master_version_list.h", "SR_STAMINA=3,// bb: stamina");
  team.sandbox.Git("bob", {"commit", "-q", "--no-verify", "-am", "stamina"});
  team.sandbox.Git("ann", {"mv", "games/pong/src/master_version_list.h", "games/pong/revisions.h"});
  team.sandbox.Write("ann/games/pong/.revctl.yaml", config("revisions.h"));
  AddByHand(team.sandbox, "ann/games/pong/revisions.h", "SR_BOSS=3,// ae: the boss");
  team.Land("ann");
  auto merged = team.sandbox.TryGit("bob", {"pull", "--no-rebase", "--no-edit"});
  INFO(merged.out << merged.err);
  CHECK(merged.status == 0);
  CHECK(team.sandbox.Read("bob/games/pong/revisions.h").find("    SR_BOSS=3,// ae: the boss\n    SR_STAMINA=4,// bb: stamina\n};") != std::string::npos);
}

TEST_CASE("moved: a branch has moved the list", "[moved]") {
  Moved team;
  team.sandbox.Git("bob", {"checkout", "-q", "-b", "feature"});
  team.Move("bob");
  AddByHand(team.sandbox, std::string("bob/") + kNew, "SR_STAMINA=3,// bb: stamina");
  team.sandbox.CommitAll("bob", "moved");
  AddByHand(team.sandbox, std::string("ann/") + kOld, "SR_BOSS=3,// ae: the boss");
  team.Land("ann");
  SECTION("main into it") { team.sandbox.Git("bob", {"pull", "-q", "--no-rebase", "--no-edit", "origin", "main"}); }
  SECTION("it is rebased") {
    team.sandbox.Git("bob", {"fetch", "-q"});
    team.sandbox.Git("bob", {"rebase", "-q", "origin/main"});
  }
  SECTION("it into main, where it was made") {
    team.sandbox.Git("bob", {"checkout", "-q", "main"});
    team.sandbox.Git("bob", {"pull", "-q"});
    team.sandbox.Git("bob", {"merge", "-q", "--no-edit", "feature"});
  }
  SECTION("it into main, in a clone that fetched it") {
    team.sandbox.Git("bob", {"push", "-q", "--no-verify", "origin", "feature"});
    team.sandbox.Git("ann", {"fetch", "-q"});
    team.sandbox.Git("ann", {"merge", "-q", "--no-edit", "origin/feature"});
    team.ExpectResolved("ann");
    return;
  }
  team.ExpectResolved("bob");
}

TEST_CASE("moved: what is noted of names is taken away to the byte", "[moved]") {
  Team team;
  const std::string before = GENERATE("(none)", "", "*.png binary\n", "*.png binary\n*.txt text");
  std::filesystem::create_directories(team.sandbox.Path("bob/.git/info"));
  std::filesystem::remove(team.sandbox.Path(kNotes));
  if (before != "(none)") team.sandbox.Write(kNotes, before);
  REQUIRE(team.Revctl("bob", {"install"}).status == 0);
  const std::string noted = team.sandbox.Read(kNotes);
  INFO(noted);
  CHECK(noted.find(std::string("\n/") + kOld + " merge=revctl\n") != std::string::npos);
  CHECK(team.Revctl("bob", {"install"}).out.empty());
  SECTION("as it was") {}
  SECTION("another name came") {
    std::filesystem::create_directory(team.sandbox.Path("ann/save"));
    team.sandbox.Git("ann", {"mv", kOld, kNew});
    team.sandbox.Write("ann/.revctl.yaml", std::string("version: 1\nlists: [{path: ") + kNew + "}]\n");
    team.Land("ann");
    team.sandbox.Git("bob", {"fetch", "-q"});
    CHECK(team.sandbox.Read(kNotes) == noted + "/" + kNew + " merge=revctl\n");
  }
  REQUIRE(team.Revctl("bob", {"uninstall"}).status == 0);
  if (before == "(none)") CHECK_FALSE(team.sandbox.Exists(kNotes));
  else CHECK(team.sandbox.Read(kNotes) == before);
  team.sandbox.Git("bob", {"fetch", "-q"});
  CHECK(team.sandbox.Git("bob", {"status", "--porcelain"}).empty());
}

TEST_CASE("moved: what this clone has noted does not stand for .gitattributes", "[moved]") {
  Team team;
  REQUIRE(team.Revctl("bob", {"install"}).status == 0);
  const std::string set_up = "ok       .gitattributes for src/master_version_list.h";
  CHECK(team.Revctl("bob", {"doctor"}).out.find(set_up) != std::string::npos);
  team.sandbox.Write("bob/.gitattributes", "*_list.h merge=revctl\n");
  CHECK(team.Revctl("bob", {"doctor"}).out.find(set_up) != std::string::npos);
  std::filesystem::remove(team.sandbox.Path("bob/.gitattributes"));
  CHECK(team.Revctl("bob", {"doctor"}).out.find("missing  .gitattributes for src/master_version_list.h") != std::string::npos);
  REQUIRE(team.Revctl("bob", {"install"}).status == 0);
  CHECK(team.sandbox.Read("bob/.gitattributes") == std::string("/") + kOld + " merge=revctl\n");
}

TEST_CASE("moved: a reference-transaction hook that was there before goes on", "[moved]") {
  Team team;
  const std::string hook = team.sandbox.Path("bob/.git/hooks/reference-transaction");
  const std::string text = "#!/bin/sh\n[ \"$1\" = prepared ] || exit 0\nwhile read -r old new ref; do\n"
                           "  case $ref in refs/heads/no-*) echo \"not $ref\" >&2; exit 1 ;; esac\ndone\n";
  team.sandbox.Write("bob/.git/hooks/reference-transaction", text);
  std::filesystem::permissions(hook, std::filesystem::perms::owner_all);
  REQUIRE(team.Revctl("bob", {"install"}).status == 0);
  auto refused = team.sandbox.TryGit("bob", {"branch", "no-way"});
  CHECK(refused.status != 0);
  CHECK(refused.err.find("not refs/heads/no-way") != std::string::npos);
  CHECK(team.sandbox.TryGit("bob", {"branch", "this-way"}).status == 0);
  REQUIRE(team.Revctl("bob", {"uninstall"}).status == 0);
  CHECK(team.sandbox.Read("bob/.git/hooks/reference-transaction") == text);

  auto fed = team.Revctl("bob", {"install", "--seen"}, {});
  CHECK(fed.status == 0);
  CHECK(team.sandbox.Revctl("bob", {"install", "--seen"}, {}, "what is this\n").status == 2);
}
