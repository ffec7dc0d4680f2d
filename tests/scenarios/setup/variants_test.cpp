// The kinds of repositories and lists that a first day does not show: several lists, work trees,
// line ends, renamed files, repositories that libgit2 cannot open, and kills in the middle.
#include <algorithm>
#include <catch2/catch.hpp>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "tests/scenarios/team.h"

using namespace revctl::testing;

namespace {

void Add(const Sandbox& sandbox, const std::string& file, const std::string& line) {
  std::string text = sandbox.Read(file);
  text.insert(text.rfind("};"), line);
  sandbox.Write(file, text);
}

}  // namespace

TEST_CASE("variants: several lists in one repository", "[variants]") {
  Team team;
  team.sandbox.Write("ann/.revctl.yaml",
                     "version: 1\nlists:\n  - {path: src/master_version_list.h}\n  - {path: "
                     "plug/list.h, name: plug, prefix: PR_}\n");
  team.sandbox.Write("ann/plug/list.h", "enum class Plug { PR_A = 1, PR_B = 2 };\n");
  team.Land("ann");
  auto which = team.Revctl("ann", {"reserve", "PR_C"});
  CHECK(which.status == 2);
  CHECK(which.err.find("several lists: main, plug") != std::string::npos);
  CHECK(team.Revctl("ann", {"reserve", "PR_C", "--list", "plug"}).out == "PR_C = 3\n");
  CHECK(team.Revctl("ann", {"reserve", "SR_C", "--list", "src/master_version_list.h"}).out ==
        "SR_C = 3\n");
  CHECK(team.Revctl("ann", {"--list", "plug", "reserve", "PR_D"}).out == "PR_D = 4\n");
  CHECK(team.Revctl("ann", {"check"}).status == 0);
  CHECK(nlohmann::json::parse(team.Revctl("ann", {"list", "--json"}).out).at("lists").size() == 2);
  CHECK(team.Revctl("ann", {"renumber"}).status == 0);
  CHECK(team.Revctl("ann", {"reserve", "X", "--list", "none"}).status == 2);
}

TEST_CASE("variants: another work tree, a detached HEAD, a subfolder", "[variants]") {
  Team team;
  team.InstallDriver("ann");
  team.sandbox.Git("ann", {"worktree", "add", "-q", "../tree", "-b", "tree"});
  CHECK(team.sandbox.Revctl("tree/src", {"reserve", "SR_BOSS"}).out == "SR_BOSS = 3\n");
  CHECK(team.sandbox.Read("tree/src/master_version_list.h").find("SR_BOSS=3") != std::string::npos);
  CHECK(team.List("ann").find("SR_BOSS") == std::string::npos);
  CHECK(team.sandbox.Revctl("tree", {"check"}).status == 0);
  team.sandbox.Git("tree", {"checkout", "-q", "--detach"});
  CHECK(team.sandbox.Revctl("tree", {"check"}).status == 0);
  team.sandbox.CommitAll("tree", "boss");
}

TEST_CASE("variants: line ends of the work tree are not a change", "[variants]") {
  Team team;
  team.sandbox.Write("ann/.gitattributes",
                     "/src/master_version_list.h merge=revctl text eol=crlf\n");
  team.sandbox.Git("ann", {"add", "--renormalize", "."});
  team.Land("ann");
  for (const char* person : {"ann", "bob"}) {
    team.InstallDriver(person);
    team.sandbox.Git(person, {"pull", "-q"});
    std::filesystem::remove(team.sandbox.Path(std::string(person) + "/" + Team::kList));
    team.sandbox.Git(person, {"checkout", "-q", "--", Team::kList});
  }
  REQUIRE(team.List("ann").find("\r\n") != std::string::npos);
  CHECK(team.Revctl("ann", {"check"}).status == 0);
  CHECK(team.Revctl("ann", {"reserve", "SR_BOSS", "-m", "boss"}).status == 0);
  CHECK(team.List("ann").find("SR_BOSS=3,// a: boss\r\n") != std::string::npos);
  team.Land("ann");
  Add(team.sandbox, std::string("bob/") + Team::kList, "    SR_STAMINA=3,\r\n");
  team.sandbox.Git("bob", {"commit", "-q", "-am", "stamina"});
  team.sandbox.Git("bob", {"pull", "-q", "--no-rebase", "--no-edit"});
  INFO(team.List("bob"));
  CHECK(team.Numbers("bob") == "SR_INITIAL=1 SR_FOULS=2 SR_BOSS=3 SR_STAMINA=4");
  CHECK(team.List("bob").find("SR_STAMINA=4,\r\n") != std::string::npos);
  CHECK(team.sandbox.Git("bob", {"status", "--porcelain"}).empty());
  CHECK(team.Revctl("bob", {"check"}).out.find("RV017") == std::string::npos);
}

TEST_CASE("variants: the list is renamed while a branch adds to it", "[variants]") {
  Team team;
  team.InstallDriver("ann");
  team.InstallDriver("bob");
  team.sandbox.Git("ann", {"mv", Team::kList, "src/revisions.h"});
  team.sandbox.Write("ann/.revctl.yaml", "version: 1\nlists: [{path: src/revisions.h}]\n");
  team.sandbox.Write("ann/.gitattributes",
                     "/src/master_version_list.h merge=revctl\n/src/revisions.h merge=revctl\n");
  CHECK(team.Revctl("ann", {"check"}).status == 0);
  REQUIRE(team.Revctl("ann", {"reserve", "SR_BOSS"}).status == 0);
  team.Land("ann");
  Add(team.sandbox, std::string("bob/") + Team::kList, "    SR_STAMINA=3,\n");
  team.sandbox.Git("bob", {"commit", "-q", "-am", "stamina"});
  team.sandbox.Git("bob", {"fetch", "-q"});
  SECTION("merge") {
    // Bob's .gitattributes does not know it yet, so that git merges as text: `resolve` does the
    // rest.
    CHECK(team.sandbox.TryGit("bob", {"merge", "-q", "--no-edit", "origin/main"}).status == 1);
    auto resolved = team.Revctl("bob", {"resolve"});
    INFO(resolved.out << resolved.err);
    CHECK(resolved.status == 0);
    team.sandbox.CommitAll("bob", "merged");
  }
  SECTION("rebase") { team.sandbox.Git("bob", {"rebase", "-q", "origin/main"}); }
  CHECK(team.Numbers("bob") == "SR_INITIAL=1 SR_FOULS=2 SR_BOSS=3 SR_STAMINA=4");
}

TEST_CASE("variants: a criss-cross history", "[variants]") {
  Team team;
  team.InstallDriver("bob");
  const Sandbox& sandbox = team.sandbox;
  sandbox.Git("bob", {"checkout", "-q", "-b", "one"});
  Add(sandbox, std::string("bob/") + Team::kList, "    SR_ONE=3,\n");
  sandbox.Git("bob", {"commit", "-q", "-am", "one"});
  sandbox.Git("bob", {"checkout", "-q", "-b", "two", "main"});
  Add(sandbox, std::string("bob/") + Team::kList, "    SR_TWO=3,\n");
  sandbox.Git("bob", {"commit", "-q", "-am", "two"});
  // Each takes the other in, from before the other did so: two merge bases.
  sandbox.Git("bob", {"branch", "two-before"});
  sandbox.Git("bob", {"merge", "-q", "--no-edit", "one"});
  sandbox.Git("bob", {"checkout", "-q", "one"});
  sandbox.Git("bob", {"merge", "-q", "--no-edit", "two-before"});
  Add(sandbox, std::string("bob/") + Team::kList, "    SR_THREE=5,\n");
  sandbox.Git("bob", {"commit", "-q", "-am", "three"});
  sandbox.Git("bob", {"merge", "-q", "--no-edit", "two"});
  const std::string numbers = team.Numbers("bob");
  CHECK(numbers.starts_with("SR_INITIAL=1 SR_FOULS=2 "));
  for (const char* name : {"SR_ONE=", "SR_TWO=", "SR_THREE="})
    CHECK(numbers.find(name) != std::string::npos);
  CHECK(team.Revctl("bob", {"renumber"}).status == 0);
  CHECK(team.Revctl("bob", {"check"}).status == 0);
}

TEST_CASE("variants: repositories that only git can open", "[variants]") {
  Sandbox sandbox;
  GitDaemon daemon(sandbox, "srv");
  std::vector<std::string> format;
  SECTION("sha256") { format = {"--object-format=sha256"}; }
  SECTION("partial clones, and work trees with a configuration of their own") {}
  std::vector<std::string> init = {"init", "-q", "--bare", "-b", "main", "game.git"};
  init.insert(init.begin() + 1, format.begin(), format.end());
  sandbox.Git("srv", init);
  sandbox.Git("srv/game.git", {"config", "uploadpack.allowFilter", "true"});
  std::filesystem::create_directories(sandbox.Path("ann"));
  std::vector<std::string> work = {"init", "-q", "-b", "main"};
  work.insert(work.end(), format.begin(), format.end());
  sandbox.Git("ann", work);
  sandbox.Git("ann", {"config", "user.name", "ann"});
  sandbox.Git("ann", {"config", "user.email", "ann@studio.example"});
  sandbox.Git("ann", {"remote", "add", "origin", daemon.Url("game.git")});
  auto begun = sandbox.Revctl("ann", {"init", "--new"});
  INFO(begun.err);
  REQUIRE(begun.status == 0);
  sandbox.CommitAll("ann", "first");
  sandbox.Git("ann", {"push", "-q", "-u", "origin", "main"});
  sandbox.Git(".", {"clone", "-q", "--filter=blob:none", daemon.Url("game.git"), "bob"});
  sandbox.Git("bob", {"config", "user.name", "bob"});
  sandbox.Git("bob", {"config", "user.email", "bob@x"});
  sandbox.Git("ann", {"config", "core.repositoryformatversion", "1"});
  sandbox.Git("ann", {"config", "extensions.worktreeConfig", "true"});
  REQUIRE(sandbox.Revctl("bob", {"install"}).status == 0);
  CHECK(sandbox.Revctl("ann", {"reserve", "SR_A"}).out == "SR_A = 2\n");
  CHECK(sandbox.Revctl("bob", {"reserve", "SR_B"}).out == "SR_B = 3\n");
  CHECK(sandbox.Revctl("ann", {"check", "--fetch"}).status == 0);
  sandbox.CommitAll("ann", "a");
  sandbox.Git("ann", {"push", "-q", "origin", "main"});
  sandbox.CommitAll("bob", "b");
  sandbox.Git("bob", {"pull", "-q", "--rebase"});
  CHECK(sandbox.Revctl("bob", {"list"}).out == "1  SR_INITIAL\n2  SR_A\n3  SR_B  (pending)\n");
  CHECK(sandbox.Revctl("bob", {"check", "--fetch"}).status == 0);
  CHECK(sandbox.Revctl("bob", {"whois", "SR_A"}).status == 0);
}

TEST_CASE("variants: a list in a bigger repository with its own policy", "[variants]") {
  Sandbox sandbox;
  sandbox.NewRepository("r", "ann");
  sandbox.Write("r/games/pong/.revctl.yaml", "version: 1\nlists: [{path: src/list.h}]\n");
  sandbox.Write("r/games/pong/src/list.h", Team::kListText);
  sandbox.CommitAll("r", "first");
  CHECK(sandbox.Revctl("r/games/pong", {"reserve", "SR_X"}).out == "SR_X = 3\n");
  CHECK(sandbox.Revctl("r/games/pong/src", {"check"}).status == 0);
  CHECK(sandbox.Revctl("r", {"list"}).status == 2);
  REQUIRE(sandbox.Revctl("r/games/pong", {"install"}).status == 0);
  CHECK(sandbox.Read("r/.gitattributes").find("\n/games/pong/src/list.h merge=revctl\n") !=
        std::string::npos);
}

TEST_CASE("variants: killed anywhere, run again", "[variants]") {
  Team team;
  int killed = 0;
  for (int i = 0; i < 40; ++i) {
    const std::string name = "SR_K" + std::to_string(i);
    const std::string after = "0.0" + std::to_string(i % 10) + std::to_string(i / 10 * 2);
    auto run =
        team.sandbox.Run("ann", {"timeout", "-s", "KILL", after, ProgramPath(), "reserve", name});
    if (run.status >= 124) ++killed;
    // Whatever it left: a list that can be read, without half an entry, and no stray file.
    auto list = team.Revctl("ann", {"list"});
    REQUIRE(list.status == 0);
    std::error_code error;
    for (const auto& entry :
         std::filesystem::recursive_directory_iterator(team.sandbox.Path("ann/.git/refs"))) {
      if (entry.path().extension() == ".lock")
        std::filesystem::remove(entry.path(), error);  // git's own, of the killed git
    }
    auto again = team.Revctl("ann", {"reserve", name});
    INFO(again.err);
    REQUIRE(again.status == 0);
    REQUIRE(team.Revctl("ann", {"reserve", name}).out == again.out);
  }
  CHECK(killed > 5);
  const std::string numbers = team.Numbers("ann");
  CHECK(std::count(numbers.begin(), numbers.end(), '=') == 42);
  CHECK(team.Revctl("ann", {"check", "--fetch"}).status == 0);
}
