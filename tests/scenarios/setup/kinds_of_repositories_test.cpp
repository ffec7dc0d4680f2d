// Tests repositories of all kinds: with several lists, work trees or submodules; bare, unborn and
// sparse repositories; and repositories that libgit2 cannot open.
#include <catch2/catch.hpp>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "tests/scenarios/team.h"

using namespace revctl::testing;

TEST_CASE("repository: several lists", "[repository]") {
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
  CHECK(team.Revctl("ann", {"fix"}).status == 0);
  CHECK(team.Revctl("ann", {"reserve", "X", "--list", "none"}).status == 2);
}

TEST_CASE("repository: a second work tree, a detached HEAD, a subfolder", "[repository]") {
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

TEST_CASE("repository: only git can open it, not libgit2", "[repository]") {
  Sandbox sandbox;
  GitDaemon daemon(sandbox, "srv");
  std::vector<std::string> format;
  SECTION("SHA-256") { format = {"--object-format=sha256"}; }
  SECTION("partial clones, and work trees with their own git config") {}
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
  CHECK(sandbox.Revctl("bob", {"show", "SR_A"}).status == 0);
}

TEST_CASE("repository: a list in a project inside a larger repository", "[repository]") {
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

TEST_CASE("repository: a submodule", "[repository]") {
  Team team;
  team.sandbox.NewRepository("super", "ann");
  team.sandbox.Git("super", {"submodule", "--quiet", "add", team.Url(), "libs/game"});
  team.sandbox.Git("super/libs/game", {"config", "user.name", "ann"});
  team.sandbox.Git("super/libs/game", {"config", "user.email", "ann@studio.example"});
  CHECK(team.sandbox.Revctl("super/libs/game/src", {"reserve", "SR_BOSS"}).out == "SR_BOSS = 3\n");
  CHECK(team.sandbox.Revctl("super/libs/game", {"install"}).status == 0);
  CHECK(team.sandbox.Exists("super/.git/modules/libs/game/hooks/pre-commit"));
  team.sandbox.Git("super/libs/game", {"checkout", "-q", "-B", "main"});
  team.sandbox.CommitAll("super/libs/game", "boss");
  CHECK(team.sandbox.Revctl("super/libs/game", {"check", "--fetch"}).status == 0);
  // The enclosing repository has no list.
  CHECK(team.sandbox.Revctl("super", {"list"}).status == 2);
}

TEST_CASE("repository: a bare repository needs a work tree", "[repository]") {
  Team team;
  const std::string before = team.sandbox.Snapshot("srv/game.git");
  for (const std::vector<std::string>& command :
       std::vector<std::vector<std::string>>{{"reserve", "SR_X"},
                                             {"check"},
                                             {"status"},
                                             {"show", "SR_FOULS"},
                                             {"doctor"},
                                             {"install"},
                                             {"uninstall"},
                                             {"init", "--new"},
                                             {"list"},
                                             {"fix"}}) {
    auto bare = team.sandbox.Revctl("srv/game.git", command);
    INFO(command[0] << ": " << bare.err);
    CHECK(bare.status == 3);
    CHECK(bare.out.empty());
    CHECK(bare.err.find("no work tree") != std::string::npos);
    CHECK(bare.err.find("\nfix: run it in a clone") != std::string::npos);
  }
  CHECK(team.sandbox.Snapshot("srv/game.git") == before);
  // revctl works in a work tree of a bare repository. The hooks are in the bare repository.
  team.sandbox.Git("srv/game.git", {"worktree", "add", "-q", "../../tree", "main"});
  for (const char* key : {"user.name", "user.email"})
    team.sandbox.Git("tree", {"config", key, "cat@studio.example"});
  REQUIRE(team.Revctl("tree", {"install"}).status == 0);
  CHECK(team.Revctl("tree", {"reserve", "SR_X"}).out == "SR_X = 3\n");
  CHECK(team.Revctl("tree", {"status"}).out == "SR_X = 3  pending: can land\n");
  CHECK(team.Revctl("tree", {"doctor"}).status == 0);
  team.sandbox.CommitAll("tree", "x");
  REQUIRE(team.Revctl("tree", {"uninstall"}).status == 0);
  CHECK(team.sandbox.Snapshot("srv/game.git/hooks").find("revctl") == std::string::npos);
}

TEST_CASE("repository: every command works on an unborn branch", "[repository]") {
  Team team;
  team.sandbox.NewRepository("new", "ann");
  team.sandbox.Write(std::string("new/") + Team::kList, Team::kListText);
  team.sandbox.Write("new/.revctl.yaml", Team::kConfig);
  const auto says = [&](const std::vector<std::string>& command, int status,
                        const std::string& text) {
    auto run = team.sandbox.Revctl("new", command);
    INFO(command[0] << ": " << run.out << run.err);
    CHECK(run.status == status);
    CHECK((run.out + run.err).find(text) != std::string::npos);
  };
  std::string first = "git commit";
  SECTION("without a remote") {
    says({"doctor"}, 1, "missing  ledger: no remote, and no ledger in this clone\n");
    says({"doctor"}, 1, "missing  target: main does not exist yet\n         fix: git commit\n");
  }
  SECTION("with a new server") {
    team.sandbox.Git("srv", {"init", "-q", "--bare", "-b", "main", "new.git"});
    team.sandbox.Git("new", {"remote", "add", "origin", team.server->Url("new.git")});
    says({"doctor"}, 1, "missing  ledger: remote origin has no ledger yet\n");
    says({"doctor"}, 1,
         "missing  target: origin/main does not exist yet\n         fix: git commit, then git push "
         "origin HEAD:main\n");
  }
  says({"list"}, 0, "2  SR_FOULS  (provisional)");
  says({"reserve", "--dry-run"}, 0, "3\n");
  says({"status"}, 0, "SR_FOULS = 2  provisional");
  says({"show", "SR_FOULS"}, 0, "list     SR_FOULS = 2, src/master_version_list.h:4");
  says({"show", "SR_NONE"}, 1, "SR_NONE");
  says({"install"}, 0, "pre-commit hook");
  says({"reserve", "SR_X"}, 0, "SR_X = 3\n");
  says({"status"}, 0, "SR_X = 3  pending: can land");
  says({"check", "--staged"}, 0, "");
  team.sandbox.CommitAll("new", "first");  // runs the hooks
  CHECK(team.sandbox.Git("new", {"log", "--format=%s"}) == "first");
}

TEST_CASE("repository: a sparse work tree, and one set with GIT_WORK_TREE", "[repository]") {
  Team team;
  team.sandbox.Write("ann/art/big.txt", "big\n");
  team.Land("ann");
  team.sandbox.Git("bob", {"pull", "-q"});
  team.sandbox.Git("bob", {"sparse-checkout", "set", "--cone", "--sparse-index", "src"});
  CHECK(team.Revctl("bob", {"reserve", "SR_SPARSE"}).out == "SR_SPARSE = 3\n");
  CHECK(team.Revctl("bob", {"check", "--fetch"}).status == 0);

  // git finds the repository from the current folder, but not from GIT_WORK_TREE.
  const auto above = team.Revctl("ann", {"status"}, {"GIT_WORK_TREE=" + team.sandbox.root()});
  INFO(above.err);
  CHECK(above.status == 0);
  std::filesystem::rename(team.sandbox.Path("ann/.git"), team.sandbox.Path("ann.git"));
  const std::vector<std::string> away = {"GIT_DIR=" + team.sandbox.Path("ann.git"),
                                         "GIT_WORK_TREE=" + team.sandbox.Path("ann")};
  CHECK(team.Revctl("ann", {"reserve", "SR_AWAY"}, away).out == "SR_AWAY = 4\n");
  CHECK(team.Revctl("ann", {"check", "--fetch"}, away).status == 0);
}

TEST_CASE("repository: git's variables never mislead a reservation", "[repository]") {
  Team team;
  team.sandbox.Git(".", {"clone", "-q", team.Url(), "other"});
  team.sandbox.Git(".", {"init", "-q", "--bare", "empty.git"});
  const std::string root = team.sandbox.root();
  int given = 2;
  for (const std::string& variable :
       std::vector<std::string>{"GIT_DIR=/none",
                                "GIT_DIR=" + root + "/empty.git",
                                "GIT_DIR=" + root + "/other/.git",
                                "GIT_WORK_TREE=" + root + "/other",
                                "GIT_COMMON_DIR=" + root + "/empty.git",
                                "GIT_INDEX_FILE=" + root + "/none",
                                "GIT_OBJECT_DIRECTORY=" + root + "/empty.git/objects",
                                "GIT_ALTERNATE_OBJECT_DIRECTORIES=/none",
                                "GIT_NAMESPACE=x",
                                "GIT_CEILING_DIRECTORIES=" + root,
                                "GIT_CONFIG=/none",
                                "GIT_CONFIG_COUNT=1",
                                "GIT_CONFIG_COUNT=many",
                                "GIT_CONFIG_PARAMETERS='half",
                                "GIT_CONFIG_PARAMETERS='a.b=c'",
                                "GIT_CONFIG_GLOBAL=" + root,
                                "GIT_CONFIG_NOSYSTEM=maybe",
                                "GIT_QUARANTINE_PATH=x",
                                "GIT_SHALLOW_FILE=/none",
                                "GIT_TRACE=1",
                                "GIT_TRACE=" + root + "/trace",
                                "GIT_TRACE_PACKET=1",
                                "GIT_TRACE2_EVENT=1",
                                "GIT_EXTERNAL_DIFF=false",
                                "GIT_SSH_COMMAND=false",
                                "GIT_ALLOW_PROTOCOL=none",
                                "GIT_INTERNAL_SUPER_PREFIX=x",
                                "GIT_REPLACE_REF_BASE=refs/heads/",
                                "GIT_ATTR_SOURCE=none",
                                "GIT_ICASE_PATHSPECS=1",
                                "GIT_AUTHOR_DATE=junk",
                                "HOME=/none",
                                "TMPDIR=/none"}) {
    const std::string list = team.List("ann"), name = "SR_N" + std::to_string(given + 1);
    const auto run = team.Revctl("ann", {"reserve", name, "-m", "m"}, {variable});
    INFO(variable << "\n" << run.out << run.err);
    if (run.status == 0) {
      CHECK(run.out == name + " = " + std::to_string(++given) + "\n");
      CHECK(team.sandbox.Git("srv/game.git", {"log", "-1", "--format=%s", "refs/revctl/ledger"}) ==
            "reserve main " + name + " " + std::to_string(given));
    } else {
      CHECK(run.status >= 2);
      CHECK(run.out.empty());
      CHECK(run.err.starts_with("revctl: "));
      CHECK(team.List("ann") == list);
    }
  }
  CHECK(given > 14);
}

TEST_CASE("repository: a list outside a sparse checkout is not missing", "[repository]") {
  Team team;
  team.sandbox.Write("ann/art/big.txt", "big\n");
  team.Land("ann");
  team.sandbox.Git("bob", {"pull", "-q"});
  team.sandbox.Git("bob", {"sparse-checkout", "set", "--cone", "art"});
  REQUIRE_FALSE(team.sandbox.Exists(std::string("bob/") + Team::kList));
  auto checked = team.Revctl("bob", {"check", "--fetch"});
  INFO(checked.out << checked.err);
  CHECK(checked.status == 0);
  for (const auto& command : std::vector<std::vector<std::string>>{{"list"}, {"reserve", "SR_X"}}) {
    auto said = team.Revctl("bob", command);
    CHECK(said.status == 2);
    CHECK(said.err.find("outside this sparse checkout") != std::string::npos);
    CHECK(said.err.find("fix: git sparse-checkout add src") != std::string::npos);
  }
  // Deleting the list by hand is an error.
  std::filesystem::remove(team.sandbox.Path(std::string("ann/") + Team::kList));
  CHECK(team.Revctl("ann", {"check"}).status == 1);
}
