#include <catch2/catch.hpp>
#include <chrono>
#include <filesystem>

#include "tests/scenarios/team.h"

using namespace revctl::testing;

namespace {

struct Fresh {
  Sandbox sandbox;
  GitDaemon daemon{sandbox, "srv"};
  Fresh() {
    sandbox.Git("srv", {"init", "-q", "--bare", "-b", "main", "game.git"});
    sandbox.Clone(daemon.Url("game.git"), "ann", "ann");
    sandbox.Git("ann", {"checkout", "-q", "-b", "main"});
  }
};

}  // namespace

TEST_CASE("init: creates a list and a ledger on the server, and sets up the clone", "[init]") {
  Fresh fresh;
  const Sandbox& sandbox = fresh.sandbox;
  auto result = sandbox.Revctl("ann", {"init", "--new"});
  INFO(result.out << result.err);
  REQUIRE(result.status == 0);
  CHECK(sandbox.Exists("ann/src/master_version_list.h"));
  CHECK(sandbox.Read("ann/.revctl.yaml").find("ledger_id: ") != std::string::npos);
  CHECK(sandbox.Git("srv/game.git", {"log", "--format=%s", "refs/revctl/ledger"}) == "create main");
  CHECK(sandbox.Git("ann", {"config", "merge.revctl.driver"}).find("merge-driver") !=
        std::string::npos);
  sandbox.CommitAll("ann", "revctl");
  // The new hook accepts the first push, because the adopted revisions are reserved.
  CHECK(sandbox.Revctl("ann", {"check", "--fetch"}).status == 0);
  CHECK(sandbox.Revctl("ann", {"fix"}).status == 0);
  CHECK(sandbox.Read("ann/src/master_version_list.h").find("SR_INITIAL = 1,  // the first") !=
        std::string::npos);
  sandbox.Git("ann", {"push", "-q", "origin", "main"});
  CHECK(sandbox.Git("srv/game.git", {"log", "--format=%s", "main"}) == "revctl");
  CHECK(sandbox.Revctl("ann", {"reserve", "SR_COOL_THING", "-m", "what it is for"}).status == 0);
  CHECK(sandbox.Revctl("ann", {"check"}).status == 0);

  // Running `init` again changes nothing. A second clone only needs `install`.
  const std::string before = sandbox.Snapshot("ann");
  CHECK(sandbox.Revctl("ann", {"init"}).status == 0);
  CHECK(sandbox.Snapshot("ann") == before);
  sandbox.Clone(fresh.daemon.Url("game.git"), "bob", "bob");
  CHECK(sandbox.Revctl("bob", {"install"}).status == 0);
  CHECK(sandbox.Git("bob", {"status", "--porcelain"}).empty());
  CHECK(sandbox.Revctl("bob", {"doctor"}).status == 0);
}

TEST_CASE("init: adopts a list as it is, and allows its existing violations", "[init]") {
  Fresh fresh;
  const Sandbox& sandbox = fresh.sandbox;
  const std::string list =
      "enum class Version : int\n{\n\tMINIMAL = 805,\n\tFIRST = MINIMAL, // 805\n\tSECOND, // "
      "806\n\tTHIRD, // 811\n\n\tCURRENT = THIRD\n};\n";
  sandbox.Write("ann/lib/version_list.h", list);
  sandbox.CommitAll("ann", "old");
  // `init` does not recognize this list, so the user must name it.
  CHECK(sandbox.Revctl("ann", {"init"}).status == 2);
  CHECK_FALSE(sandbox.Exists("ann/.revctl.yaml"));
  auto result = sandbox.Revctl(
      "ann", {"init", "lib/version_list.h", "--yes", "--prefix", "", "--enum", "Version"});
  INFO(result.out << result.err);
  REQUIRE(result.status == 0);
  CHECK(sandbox.Read("ann/lib/version_list.h") == list);
  sandbox.CommitAll("ann", "revctl");
  sandbox.Git("ann", {"push", "-q", "--no-verify", "origin", "main"});
  auto check = sandbox.Revctl("ann", {"check"});
  INFO(check.out << check.err);
  CHECK(check.status == 0);
  auto reserve = sandbox.Revctl("ann", {"reserve", "FOURTH"});
  INFO(sandbox.Read("ann/lib/version_list.h"));
  CHECK(reserve.out == "FOURTH = 808\n");
  CHECK(sandbox.Revctl("ann", {"check"}).status == 0);
}

TEST_CASE("init: no remote, an unreachable one, and one that rejects the push", "[init]") {
  Sandbox sandbox;
  sandbox.NewRepository("alone", "ann");
  CHECK(sandbox.Revctl("alone", {"init", "--new"}).status == 0);
  CHECK(sandbox.Read("alone/.revctl.yaml").find("\nremote:") == std::string::npos);
  CHECK(sandbox.Git("alone", {"log", "--format=%s", "refs/revctl/ledger"}) == "create main");
  CHECK(sandbox.Revctl("alone", {"reserve", "SR_X"}).status == 0);

  GitDaemon daemon(sandbox, "srv");
  sandbox.Git("srv", {"init", "-q", "--bare", "-b", "main", "game.git"});
  sandbox.WriteExecutable(
      "srv/game.git/hooks/update",
      "#!/bin/sh\ncase $1 in refs/heads/*|refs/tags/*) exit 0;; esac\necho 'only "
      "branches and tags here' >&2\nexit 1\n");
  sandbox.Clone(daemon.Url("game.git"), "ann", "ann");
  const auto begun = sandbox.Revctl("ann", {"init", "--new", "--target", "main"});
  INFO(begun.err);
  REQUIRE(begun.status == 0);
  CHECK(begun.err.find(
            "origin does not accept refs/revctl/ledger, so the ledger is kept on the branch "
            "revctl-ledger\n") != std::string::npos);
  CHECK(sandbox.Read("ann/.revctl.yaml").find("\nledger: refs/heads/revctl-ledger\n") !=
        std::string::npos);
  CHECK(sandbox.Revctl("ann", {"reserve", "SR_X"}).status == 0);
  CHECK(sandbox.Git("srv/game.git", {"rev-list", "--count", "refs/heads/revctl-ledger"}) == "2");
}

TEST_CASE("init: proposes a list that has another name", "[init]") {
  Sandbox sandbox;
  sandbox.NewRepository("r", "ann");
  sandbox.Write("r/engine/save_revisions.hpp",
                "enum class Save {\n  SR_A = 1,\n  SR_B,\n  SR_C,\n};\n");
  sandbox.Write("r/engine/other.h", "enum { SR_ONE = 1, SR_TWO = 2 };\n");
  sandbox.Write("r/engine/user.h",
                "#include \"save_revisions.hpp\"\ninline bool New(int r) { return r > SR_B; }\n");
  sandbox.Write("r/engine/no_header.cpp", "enum { SR_LOCAL = 1, SR_LOCAL2 = 2 };\n");
  sandbox.CommitAll("r", "first");
  const std::string before = sandbox.Snapshot("r");
  auto which = sandbox.Revctl("r", {"init"});
  INFO(which.out << which.err);
  CHECK(which.status == 2);
  CHECK(
      which.out.starts_with("adopts engine/save_revisions.hpp: enum Save, line 1, 3 revisions, "
                            "SR_A = 1 to SR_C = 3\n"));
  CHECK(which.out.find("engine/other.h (an unnamed enum, line 1, 2 revisions)") !=
        std::string::npos);
  CHECK(
      which.err ==
      "revctl: nothing was written: revctl found engine/save_revisions.hpp by searching, so please "
      "confirm it\nfix: revctl init --yes, or revctl init PATH for another list\n");
  auto dry = sandbox.Revctl("r", {"init", "--dry-run"});
  CHECK(dry.status == 0);
  CHECK(dry.out == which.out);
  CHECK(sandbox.Snapshot("r") == before);
  // If two enums look like a list, the user must choose, even with --yes.
  sandbox.Write("r/engine/save_revisions_too.hpp",
                "enum class Save2 {\n  SR_A = 1,\n  SR_B,\n};\n");
  auto alike = sandbox.Revctl("r", {"init", "--yes"});
  CHECK(alike.status == 2);
  CHECK(alike.err.find("several enums look like the version list:\nengine/save_revisions.hpp") !=
        std::string::npos);
  std::filesystem::remove(sandbox.Path("r/engine/save_revisions_too.hpp"));
  CHECK(sandbox.Snapshot("r") == before);

  auto done = sandbox.Revctl("r", {"init", "--yes"});
  INFO(done.out << done.err);
  REQUIRE(done.status == 0);
  CHECK(done.out.find("next:\n  git add -A") != std::string::npos);
  CHECK(done.out.find("revctl reserve SR_NAME") != std::string::npos);
  CHECK(sandbox.Revctl("r", {"reserve", "SR_D"}).out == "SR_D = 4\n");
  // `init` never replaces existing settings silently.
  CHECK(sandbox.Revctl("r", {"init", "engine/save_revisions.hpp", "--target", "main"}).status == 0);
  for (const std::vector<std::string>& other :
       std::vector<std::vector<std::string>>{{"init", "engine/other.h"},
                                             {"init", "--target", "trunk"},
                                             {"init", "--prefix", "V_"},
                                             {"init", "--new"}}) {
    auto refused = sandbox.Revctl("r", other);
    INFO(refused.err);
    CHECK(refused.status == 2);
    CHECK(refused.err.find(".revctl.yaml already exists with ") != std::string::npos);
  }
}

TEST_CASE("init: creates a new list at the given path", "[init]") {
  Sandbox sandbox;
  sandbox.NewRepository("new", "ann");
  sandbox.Write("new/a.h", "bool f(int r) { return r > SR_B; }  // version\n");
  const std::string before = sandbox.Snapshot("new");
  auto none = sandbox.Revctl("new", {"init", "--yes"});
  CHECK(none.status == 2);
  CHECK(none.err.find("no enum looks like a version list") != std::string::npos);
  CHECK(none.err.find("for a new list in src/master_version_list.h: revctl init --new") !=
        std::string::npos);
  auto missing = sandbox.Revctl("new", {"init", "src/revisions.h"});
  CHECK(missing.status == 2);
  CHECK(missing.err.find("fix: for a new list: revctl init src/revisions.h --new") !=
        std::string::npos);
  CHECK(sandbox.Revctl("new", {"init", "a.h", "--new"}).status == 2);
  CHECK(sandbox.Snapshot("new") == before);
  REQUIRE(sandbox.Revctl("new", {"init", "src/revisions.h", "--new"}).status == 0);
  CHECK(sandbox.Revctl("new", {"reserve", "SR_D"}).out == "SR_D = 2\n");
}

TEST_CASE("init: asks the user on a terminal", "[init]") {
  Sandbox sandbox;
  sandbox.NewRepository("r", "ann");
  sandbox.Write("r/src/save_version.h", "enum SaveVersion { FIRST, SECOND, CURRENT = SECOND };\n");
  auto answer = [&](const std::string& key) {
    return sandbox.Run(
        "r",
        {"sh", "-c", "echo " + key + " | script -qec \"'" + ProgramPath() + "' init\" /dev/null"});
  };
  auto no = answer("n");
  INFO(no.out);
  CHECK(no.status == 2);
  CHECK(no.out.find("revctl: carry out this plan? [y/N]") != std::string::npos);
  CHECK_FALSE(sandbox.Exists("r/.revctl.yaml"));
  auto yes = answer("y");
  CHECK(yes.status == 0);
  CHECK(sandbox.Exists("r/.revctl.yaml"));
}

TEST_CASE("init, install: print nothing with --quiet", "[init]") {
  Sandbox sandbox;
  sandbox.NewRepository("r", "ann");
  CHECK(sandbox.Revctl("r", {"-q", "init", "--new", "--no-install"}).out.empty());
  for (const char* command : {"init", "install", "uninstall", "install"}) {
    auto quiet = sandbox.Revctl("r", {"-q", command});
    CHECK(quiet.status == 0);
    CHECK(quiet.out.empty());
    CHECK(quiet.err.empty());
  }
}

TEST_CASE("init: after an offline start, the next reserve moves the ledger to the server",
          "[init]") {
  Fresh fresh;
  const Sandbox& sandbox = fresh.sandbox;
  const auto begun = sandbox.Revctl("ann", {"init", "--new", "--offline"});
  REQUIRE(begun.status == 0);
  CHECK(Has(begun.err, "the next git push or revctl reserve moves it to origin"));
  const auto moved = sandbox.Revctl("ann", {"reserve", "SR_X"});
  INFO(moved.err);
  CHECK(moved.out == "SR_X = 2\n");
  CHECK(Has(moved.err, "this clone's ledger is now on origin, with 1 reserved number\n"));
}

TEST_CASE("init: hooks do not get in the way before the config is committed", "[init]") {
  Fresh fresh;
  const Sandbox& sandbox = fresh.sandbox;
  REQUIRE(sandbox.Revctl("ann", {"init", "--new"}).status == 0);
  sandbox.Write("ann/readme", "first things first\n");
  sandbox.Git("ann", {"add", "readme"});
  sandbox.Git("ann", {"commit", "-q", "-m", "readme"});
  sandbox.Git("ann", {"push", "-q", "origin", "main"});
  sandbox.CommitAll("ann", "revctl");
  sandbox.Git("ann", {"push", "-q", "origin", "main"});
  // Once the config has landed, removing it is an error.
  sandbox.Git("ann", {"rm", "-q", ".revctl.yaml"});
  sandbox.Git("ann", {"commit", "-q", "--no-verify", "-m", "away with it"});
  auto refused = sandbox.Revctl("ann", {"check"});
  CHECK(refused.status == 2);
  CHECK(sandbox.TryGit("ann", {"push", "-q", "origin", "main"}).status != 0);
}

TEST_CASE("init: without a common prefix, uses the name of the enum", "[init]") {
  Fresh fresh;
  fresh.sandbox.Write(
      "ann/src/version.h",
      "namespace realm {\nenum class Version : int {\n  FIRST,\n  CURRENT = FIRST\n};\n}\n");
  auto refused = fresh.sandbox.Revctl("ann", {"init", "src/version.h", "--prefix", "V_"});
  INFO(refused.err);
  CHECK(refused.status == 2);
  CHECK(refused.err.find("it has realm::Version") != std::string::npos);
  CHECK(refused.err.find("fix: revctl init src/version.h --enum NAME --prefix PREFIX") !=
        std::string::npos);
  CHECK(fresh.sandbox.Revctl("ann", {"init", "src/version.h", "--yes"}).status == 0);
  CHECK(fresh.sandbox.Revctl("ann", {"list"}).out.starts_with("0  FIRST"));
}

TEST_CASE("init: paths are relative to the current folder", "[init]") {
  Sandbox sandbox;
  sandbox.NewRepository("r", "ann");
  const std::string text = "enum Save { SR_A = 1, SR_B, SR_C };\n";
  sandbox.Write("r/src/engine/save.h", text);
  sandbox.Write("r/src/engine/other.h", "enum Other { SR_X = 1, SR_Y, SR_Z };\n");
  sandbox.Write("r/src/engine/goldens/readme", "x\n");
  sandbox.CommitAll("r", "first");
  const auto config = [&](const std::string& folder, const std::vector<std::string>& arguments) {
    std::vector<std::string> words = {"init", "--dry-run"};
    words.insert(words.end(), arguments.begin(), arguments.end());
    const auto run = sandbox.Revctl(folder, words);
    INFO(run.out << run.err);
    CHECK(run.status == 0);
    const std::size_t path = run.out.find("path: ");
    return run.out.substr(path, run.out.find('\n', path) - path);
  };
  const std::string mine = "path: src/engine/save.h";
  CHECK(config("r/src/engine", {"save.h"}) == mine);
  CHECK(config("r/src", {"engine/save.h"}) == mine);
  CHECK(config("r/src/engine/goldens", {"../save.h"}) == mine);
  CHECK(config("r", {"./src//engine/save.h"}) == mine);
  CHECK(config("r/src", {"-C", "engine", "save.h"}) == mine);
  CHECK(config("r/src", {sandbox.Path("r/src/engine/save.h")}) == mine);
  CHECK(config("r/src/engine", {"new.h", "--new"}) == "path: src/engine/new.h");
  // The default path does not depend on the current folder.
  CHECK(config("r/src/engine", {"--new"}) == "path: src/master_version_list.h");
  std::filesystem::create_directory_symlink("src/engine", sandbox.Path("r/short"));
  CHECK(config("r/short", {"save.h"}) == mine);
  const auto with_goldens =
      sandbox.Revctl("r/src/engine", {"init", "save.h", "--dry-run", "--golden", "goldens/"});
  CHECK(with_goldens.out.find("golden: src/engine/goldens") != std::string::npos);

  // The printed commands can be pasted in the current folder.
  const auto which = sandbox.Revctl("r/src/engine", {"init", "--yes"});
  INFO(which.err);
  CHECK(which.status == 2);
  CHECK(which.err.find("fix: revctl init other.h") != std::string::npos);
  const auto missing = sandbox.Revctl("r/src/engine/goldens", {"init", "save.h"});
  CHECK(missing.err.find("src/engine/goldens/save.h: there is no such file\n"
                         "fix: for a new list: revctl init save.h --new") != std::string::npos);
  const auto outside = sandbox.Revctl("r/src", {"init", "../../elsewhere.h", "--new"});
  CHECK(outside.status == 2);
  CHECK(outside.err.find("must be inside the repository") != std::string::npos);
  REQUIRE(sandbox.Revctl("r/src/engine", {"init", "save.h", "--yes"}).status == 0);
  CHECK(sandbox.Read("r/.revctl.yaml").find("path: src/engine/save.h\n") != std::string::npos);
  CHECK(sandbox.Revctl("r/src/engine", {"init", "save.h"}).status == 0);
  CHECK(sandbox.Revctl("r", {"init", "save.h"}).status == 2);
  CHECK(sandbox.Revctl("r/src", {"list"}).out.starts_with("1  SR_A"));
}

TEST_CASE("init: a false start can be undone, and no number is assigned twice", "[init]") {
  Fresh fresh;
  const Sandbox& sandbox = fresh.sandbox;
  sandbox.Write("ann/src/save_version.h", "enum Save { SR_A = 1, SR_B, SR_C };\n");
  sandbox.Write("ann/src/other.h", "enum Other { SR_X = 2, SR_Y, SR_Z, SR_U };\n");
  sandbox.CommitAll("ann", "two enums");
  REQUIRE(sandbox.Revctl("ann", {"init", "src/save_version.h", "--yes"}).status == 0);
  std::filesystem::remove(sandbox.Path("ann/.revctl.yaml"));
  // `uninstall` and the ledger repair also work without .revctl.yaml.
  auto gone = sandbox.Revctl("ann", {"uninstall"});
  INFO(gone.out << gone.err);
  REQUIRE(gone.status == 0);
  CHECK(sandbox.TryGit("ann", {"config", "merge.revctl.driver"}).status == 1);
  CHECK(sandbox.Git("ann", {"status", "--porcelain"}).empty());
  CHECK(sandbox.Revctl("ann", {"doctor", "--repair-ledger"}).status == 0);

  REQUIRE(sandbox.Revctl("ann", {"init", "src/other.h", "--yes"}).status == 0);
  sandbox.CommitAll("ann", "revctl");
  CHECK(sandbox.Git("srv/game.git", {"show", "refs/revctl/ledger:list.main"}).find("SR_Y") ==
        std::string::npos);
  CHECK(sandbox.Revctl("ann", {"reserve", "SR_NEW"}).out == "SR_NEW = 6\n");
  CHECK(sandbox.Revctl("ann", {"doctor", "--repair-ledger"}).status == 0);
  sandbox.Git("ann", {"push", "-q", "--no-verify", "origin", "main"});
  CHECK(sandbox.Revctl("ann", {"doctor"}).status == 0);
}

TEST_CASE("install: a daily notice if it has not run, except in CI", "[init]") {
  Fresh fresh;
  const Sandbox& sandbox = fresh.sandbox;
  REQUIRE(sandbox.Revctl("ann", {"init", "--new"}).status == 0);
  sandbox.CommitAll("ann", "revctl");
  sandbox.Git("ann", {"push", "-q", "origin", "main"});
  sandbox.Clone(fresh.daemon.Url("game.git"), "bob", "bob");
  const std::string said = "fix: revctl install\n", note = "bob/.git/revctl-not-installed";
  std::filesystem::remove(sandbox.Path(note));
  CHECK(sandbox.Revctl("bob", {"list"}, {"CI=1"}).err.empty());
  CHECK(sandbox.Revctl("bob", {"-q", "list"}).err.empty());
  CHECK(sandbox.Revctl("bob", {"list"}).err.ends_with(said));
  CHECK(sandbox.Revctl("bob", {"status"}).err.find(said) == std::string::npos);
  std::filesystem::last_write_time(
      sandbox.Path(note), std::filesystem::file_time_type::clock::now() - std::chrono::hours(25));
  CHECK(sandbox.Revctl("bob", {"status"}).err.ends_with(said));
  REQUIRE(sandbox.Revctl("bob", {"install"}).status == 0);
}

TEST_CASE("init: a path that .revctl.yaml cannot contain", "[init]") {
  Sandbox sandbox;
  sandbox.NewRepository("r", "ann");
  sandbox.Write("r/a\nb/list.h", "enum Revision { SR_A = 1 };\n");
  const auto run = sandbox.Revctl("r", {"init", "a\nb/list.h"});
  INFO(run.out << run.err);
  CHECK(run.status == 2);
  CHECK(Has(run.err, "'a\\x0ab/list.h' cannot be the path of a list"));
  CHECK_FALSE(sandbox.Exists("r/.revctl.yaml"));
  CHECK(sandbox.Git("r", {"for-each-ref", "refs/revctl"}).empty());
}
