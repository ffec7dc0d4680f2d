// Tests broken setups: no repository, invalid configs, links, unreachable remotes and full disks.
#include <unistd.h>

#include <algorithm>
#include <catch2/catch.hpp>
#include <filesystem>

#include "revctl/git/known_leaks.h"
#include "tests/scenarios/team.h"

using namespace revctl::testing;

namespace {

struct Expected {
  int status;
  std::vector<std::string> words;  ///< stderr must contain all of these
};

void Expect(const Sandbox& sandbox, const std::string& directory,
            const std::vector<std::string>& arguments, const Expected& expected) {
  const std::string before = sandbox.Snapshot(directory);
  auto result = sandbox.Revctl(directory, arguments);
  INFO(arguments[0] << ": " << result.err);
  CHECK(result.status == expected.status);
  CHECK(result.out.empty());
  CHECK(result.err.starts_with("revctl: "));
  CHECK(result.err.find("\nfix: ") != std::string::npos);
  CHECK(std::count(result.err.begin(), result.err.end(), '\n') < 24);
  for (const std::string& word : expected.words) CHECK(result.err.find(word) != std::string::npos);
  CHECK(sandbox.Snapshot(directory) == before);
}

const std::vector<std::vector<std::string>> kEveryCommand = {{"reserve", "SR_X"},
                                                             {"reserve", "--dry-run"},
                                                             {"list"},
                                                             {"status"},
                                                             {"check"},
                                                             {"fix"},
                                                             {"abandon", "SR_X"},
                                                             {"install"},
                                                             {"show", "SR_X"},
                                                             {"status", "--branches"},
                                                             {"doctor"}};

}  // namespace

TEST_CASE("bad input: no repository", "[bad]") {
  Sandbox sandbox;
  std::filesystem::create_directories(sandbox.Path("d"));
  for (const auto& command : kEveryCommand)
    Expect(sandbox, "d", command, {3, {"no git repository", "git init"}});
  Expect(sandbox, "d", {"init"}, {3, {"no git repository"}});
  Expect(sandbox, "d", {"-C", "nowhere", "list"}, {3, {"nowhere: no such folder"}});
}

TEST_CASE("bad input: a missing or malformed .revctl.yaml", "[bad]") {
  Sandbox sandbox;
  sandbox.NewRepository("r", "ann");
  for (const auto& command : kEveryCommand)
    Expect(sandbox, "r", command, {2, {"no .revctl.yaml", "fix: revctl init"}});
  sandbox.Write("r/.revctl.yaml", "version: 1\nlists: [{path: a.h}]\nreservaton: optional\n");
  for (const auto& command : kEveryCommand)
    Expect(sandbox, "r", command, {2, {".revctl.yaml:3:1: unknown key 'reservaton'"}});
  Expect(sandbox, "r", {"init"}, {2, {".revctl.yaml:3:1"}});
  sandbox.Write("r/.revctl.yaml", "version: 1\nlists: [{path: a.h}]\n");
  Expect(sandbox, "r", {"list"},
         {2, {"a.h: the file of list `main` in .revctl.yaml does not exist"}});
  Expect(sandbox, "r", {"codegen"}, {2, {"a.h: there is no such file"}});
}

TEST_CASE("bad input: a list that is not an enum, a link, or too large", "[bad]") {
  Sandbox sandbox;
  sandbox.NewRepository("r", "ann");
  sandbox.Write("r/.revctl.yaml", "version: 1\nlists: [{path: src/a.h}]\n");
  for (const std::string& text : {std::string("int main() { return 0; }\n"),
                                  std::string("enum X { SR_A = 1, SR_B = f(2) };\n"),
                                  std::string("\x7f"
                                              "ELF\0\1\2",
                                              7),
                                  std::string("enum X { SR_A = 1,")}) {
    sandbox.Write("r/src/a.h", text);
    for (const auto& command :
         {std::vector<std::string>{"list"}, {"reserve", "--dry-run"}, {"reserve", "SR_X"}}) {
      const std::string before = sandbox.Snapshot("r");
      auto result = sandbox.Revctl("r", command);
      INFO(text << result.err);
      CHECK(result.status == 2);
      CHECK(result.err.find("src/a.h:") != std::string::npos);
      CHECK(sandbox.Snapshot("r") == before);
    }
    // Only a user can repair the list, and the finding says so.
    const std::string before = sandbox.Snapshot("r");
    const auto fixed = sandbox.Revctl("r", {"fix"});
    INFO(fixed.out << fixed.err);
    CHECK(fixed.status == 1);
    CHECK(Has(fixed.out, "src/a.h:"));
    CHECK(Has(fixed.out, "error[RV016]"));
    CHECK(Has(fixed.out, "\nfix: "));
    CHECK(sandbox.Snapshot("r") == before);
  }
  const std::vector<std::string> codegen = {"codegen", "--output", "../table.h"};
  std::filesystem::remove(sandbox.Path("r/src/a.h"));
  std::filesystem::create_symlink("/etc/passwd", sandbox.Path("r/src/a.h"));
  Expect(sandbox, "r", {"list"}, {2, {"symbolic link"}});
  Expect(sandbox, "r", codegen, {2, {"symbolic link"}});
  std::filesystem::remove_all(sandbox.Path("r/src"));
  sandbox.Write("elsewhere/a.h", Team::kListText);
  std::filesystem::create_symlink("../elsewhere", sandbox.Path("r/src"));
  Expect(sandbox, "r", {"reserve", "SR_X"}, {2, {"outside the repository"}});
  Expect(sandbox, "r", codegen, {2, {"outside the repository"}});
  sandbox.Write("r/.revctl.yaml", "version: 1\nlists: [{path: src/a.h, numbers: at-landing}]\n");
  Expect(sandbox, "r", {"sync"}, {2, {"outside the repository"}});
  Expect(sandbox, "r", {"sync", "--include"}, {2, {"outside the repository"}});
  CHECK_FALSE(sandbox.Exists("elsewhere/a.pending.inc"));
  CHECK_FALSE(sandbox.Exists("table.h"));
  // A folder may be a link to a folder in the same repository. Without a repository, the link must
  // stay inside the source archive.
  std::filesystem::remove(sandbox.Path("r/src"));
  sandbox.Write("r/.revctl.yaml", "version: 1\nlists: [{path: src/a.h}]\n");
  sandbox.Write("r/real/a.h", Team::kListText);
  std::filesystem::create_symlink("real", sandbox.Path("r/src"));
  CHECK(sandbox.Revctl("r", codegen).status == 0);
  std::filesystem::remove_all(sandbox.Path("r/.git"));
  CHECK(sandbox.Revctl("r", codegen).status == 0);
  std::filesystem::remove(sandbox.Path("r/src"));
  std::filesystem::create_symlink("../elsewhere", sandbox.Path("r/src"));
  Expect(sandbox, "r", codegen, {2, {"outside the repository"}});
}

TEST_CASE("bad input: revctl never writes through a link", "[bad]") {
  Team team;
  const std::string attributes = team.sandbox.Path("bob/.gitattributes"),
                    config = team.sandbox.Path("bob/.revctl.yaml");
  // If .gitattributes is a link, git reads its version in the index.
  team.sandbox.Git("bob", {"rm", "-q", ".gitattributes"});
  team.sandbox.CommitAll("bob", "no attributes");
  const auto make_link = [&](const std::string& path, const std::string& to) {
    std::filesystem::remove(path);
    std::filesystem::create_symlink(to, path);
  };
  SECTION("install: .gitattributes") {
    team.sandbox.Write("elsewhere", "*.png binary\n");
    make_link(attributes, "../elsewhere");
    const auto installed = team.Revctl("bob", {"install"});
    CHECK(installed.status == 2);
    CHECK(installed.err.find(
              ".gitattributes: is a symbolic link\nfix: replace it with a regular file") !=
          std::string::npos);
    CHECK(team.sandbox.Read("elsewhere") == "*.png binary\n");
  }
  SECTION("uninstall: .gitattributes") {
    REQUIRE(team.Revctl("bob", {"install"}).status == 0);
    const std::string added = "*.png binary\n" + team.sandbox.Read("bob/.gitattributes");
    team.sandbox.Write("elsewhere", added);
    make_link(attributes, "../elsewhere");
    CHECK(team.Revctl("bob", {"uninstall"}).status == 2);
    CHECK(team.sandbox.Read("elsewhere") == added);
    std::filesystem::remove(attributes);
    team.sandbox.Write("bob/.gitattributes", added);
    CHECK(team.Revctl("bob", {"uninstall"}).status == 0);
    CHECK(team.sandbox.Read("bob/.gitattributes") == "*.png binary\n");
  }
  SECTION("purge: .revctl.yaml") {
    team.sandbox.Write("elsewhere", Team::kConfig);
    make_link(config, "../elsewhere");
    Expect(team.sandbox, "bob", {"purge", "--below", "SR_FOULS"},
           {2, {".revctl.yaml: is a symbolic link"}});
    CHECK(team.sandbox.Read("elsewhere") == Team::kConfig);
  }
  SECTION("init: .revctl.yaml is a dangling link") {
    make_link(config, "../elsewhere");
    Expect(team.sandbox, "bob", {"init"}, {2, {".revctl.yaml: is a symbolic link"}});
    CHECK_FALSE(team.sandbox.Exists("elsewhere"));
  }
}

TEST_CASE("bad input: a remote that does not exist or rejects access", "[bad]") {
  Team team;
  SECTION("no server answers") {
    REQUIRE(team.Revctl("ann", {"reserve", "SR_MINE"}).status == 0);
    team.sandbox.CommitAll("ann", "mine");
    const std::string there = team.Url();
    const auto server = [&](const std::string& url) {
      team.sandbox.Git("ann", {"remote", "set-url", "origin", url});
    };
    server("git://127.0.0.1:" + std::to_string(FreePort()) + "/game.git");
    // Each message names a command that works without the server, or a command to run once the
    // server is back.
    std::vector<std::string> later;
    for (const auto& [command, way, now] : std::vector<std::tuple<std::string, std::string, int>>{
             {"reserve --dry-run", "reserve --dry-run --offline", 0},
             {"check --fetch", "check", 0},
             {"status --fetch --json", "status --json", 0},
             {"status --branches --fetch", "status --branches", 0},
             {"reserve SR_X", "reserve SR_X --offline", 5},
             {"reserve -m words -- SR_Y", "reserve -m words --offline -- SR_Y", 5},
             {"fix --dry-run", "fix --dry-run", 3},
             {"fix", "fix", 3},
             {"abandon SR_Y", "abandon SR_Y", 3},
             {"land", "land", 3}}) {
      std::vector<std::string> words;
      std::istringstream line(command);
      for (std::string word; line >> word;) words.push_back(word);
      const std::string run = "revctl " + way;
      Expect(team.sandbox, "ann", words,
             {3,
              {"remote origin cannot be reached",
               "\nfix: check `git ls-remote origin`; " +
                   std::string(now == 3 ? "once the server answers: " : "without a network: ") +
                   run + "\n"}});
      CHECK(team.sandbox.Run("ann", {"sh", "-c", run}).status == now);
      if (now == 3) later.push_back(run);
      if (now == 5) team.sandbox.CommitAll("ann", "provisional");
    }
    CHECK(team.Revctl("ann", {"list"}).status == 0);  // local commands still work
    server(there);
    for (const std::string& run : later) {
      const auto ran = team.sandbox.Run("ann", {"sh", "-c", run});
      INFO(run << "\n" << ran.out << ran.err);
      CHECK(ran.status == 0);
      if (!team.sandbox.Git("ann", {"status", "--porcelain"}).empty())
        team.sandbox.CommitAll("ann", run);
    }
    CHECK(team.sandbox.Git("srv/game.git", {"rev-parse", "main"}) ==
          team.sandbox.Git("ann", {"rev-parse", "HEAD"}));
  }
  SECTION("the server accepts no pushes") {
    GitDaemon read_only(team.sandbox, "srv", GitDaemon::Access::ReadOnly);
    team.sandbox.Git("ann", {"remote", "set-url", "origin", read_only.Url("game.git")});
    Expect(team.sandbox, "ann", {"reserve", "SR_X"},
           {3, {"rejects the push to refs/revctl/ledger"}});
  }
  SECTION("a hook rejects the push") {
    team.sandbox.WriteExecutable("srv/game.git/hooks/pre-receive",
                                 "#!/bin/sh\necho this namespace is closed >&2\nexit 1\n");
    Expect(team.sandbox, "ann", {"reserve", "SR_X"},
           {3, {"this namespace is closed", "refs/heads/revctl-ledger"}});
  }
  SECTION("the named remote is not configured") {
    team.sandbox.Git("ann", {"remote", "rename", "origin", "upstream"});
    Expect(team.sandbox, "ann", {"reserve", "--dry-run"},
           {3, {"this clone has no remote origin", "git config revctl.remote upstream"}});
    // Commands that need no server still work, but warn that the clone receives no updates.
    auto listed = team.Revctl("ann", {"list"});
    CHECK(listed.status == 0);
    CHECK(listed.out.find("SR_FOULS") != std::string::npos);
    CHECK(listed.err.find("fix: git config revctl.remote upstream") != std::string::npos);
    // Without the remote, the landed revisions are unknown, and the gate does not guess.
    Expect(team.sandbox, "ann", {"check"},
           {3, {"this clone has no remote origin", "git config revctl.remote upstream"}});
    CHECK(team.Revctl("ann", {"check", "--target", "upstream/main"}).status == 0);
    team.sandbox.Git("ann", {"config", "revctl.remote", "upstream"});
    CHECK(team.Revctl("ann", {"reserve", "SR_X"}).status == 0);
  }
  SECTION("the remote's name is hostile") {
    team.sandbox.Git("ann", {"config", "revctl.remote", "--upload-pack=touch pwned"});
    Expect(team.sandbox, "ann", {"list"}, {2, {"revctl.remote"}});
  }
}

TEST_CASE("bad input: git does not know the user", "[bad]") {
  Team team;
  team.sandbox.Git("ann", {"config", "--unset", "user.email"});
  Expect(team.sandbox, "ann", {"reserve", "SR_X"}, {3, {"git config user.name"}});
}

TEST_CASE("bad input: no number is reserved on a full disk", "[bad]") {
  Team team;
  REQUIRE(team.Revctl("ann", {"reserve", "SR_HELD"}).status == 0);
  // If nothing has to change, `fix` needs no write access.
  std::filesystem::permissions(
      team.sandbox.Path("ann/src"),
      std::filesystem::perms::owner_read | std::filesystem::perms::owner_exec);
  CHECK(team.Revctl("ann", {"fix"}).status == 0);
  std::filesystem::permissions(team.sandbox.Path("ann/src"), std::filesystem::perms::owner_all);
  REQUIRE(team.Revctl("bob", {"reserve", "SR_LANDED"}).status == 0);
  team.Land("bob");
  const std::string ledger = team.sandbox.Git("srv/game.git", {"rev-parse", "refs/revctl/ledger"});
  std::filesystem::permissions(
      team.sandbox.Path("ann/src"),
      std::filesystem::perms::owner_read | std::filesystem::perms::owner_exec);
  // Root must drop a capability for file permissions to apply.
  std::vector<std::string> argv = {ProgramPath()};
  if (::geteuid() == 0) argv = {"setpriv", "--bounding-set=-dac_override", ProgramPath()};
  for (const std::vector<std::string>& command :
       {std::vector<std::string>{"reserve", "SR_X"}, {"abandon", "SR_HELD"}, {"fix"}}) {
    std::vector<std::string> whole = argv;
    whole.insert(whole.end(), command.begin(), command.end());
    auto refused = team.sandbox.Run("ann", whole);
    INFO(refused.err);
    CHECK(refused.status == 3);
    CHECK(refused.err.find("cannot create a file next to it") != std::string::npos);
    CHECK(refused.err.find("\nfix: ls -la ") != std::string::npos);
    CHECK(team.sandbox.Git("srv/game.git", {"rev-parse", "refs/revctl/ledger"}) == ledger);
  }
  std::filesystem::permissions(team.sandbox.Path("ann/src"), std::filesystem::perms::owner_all);
  CHECK(team.Revctl("ann", {"fix"}).out.starts_with("SR_HELD 3 -> 5\n"));
  CHECK(team.Revctl("ann", {"reserve", "SR_X"}).out == "SR_X = 6\n");
}

TEST_CASE("bad input: shell limits that are too low", "[bad]") {
  Team team;
  using Words = std::vector<std::string>;
  // Skip these limits in sanitizer builds, because the sanitizer itself opens files and uses
  // address space.
#ifdef REVCTL_LEAKS_ARE_COUNTED
  constexpr bool sanitized = true;
#else
  constexpr bool sanitized = false;
#endif
  for (const std::string& limit : Words{"-n 3", "-n 5", "-v 20000", "-n 8", "-f 0"}) {
    if (sanitized && limit != "-f 0") continue;
    for (const char* command : {"check --json", "reserve SR_X", "fix", "install"}) {
      const std::string before = team.sandbox.Snapshot("ann");
      const auto run = team.sandbox.Run(
          "ann", {"sh", "-c", "ulimit " + limit + "; exec '" + ProgramPath() + "' " + command});
      INFO(limit << ": " << command << "\n" << run.out << run.err);
      // The limit was high enough, so this is not an error.
      if (run.status == 0) continue;
      CHECK(run.status == 3);
      CHECK(run.out.empty());
      CHECK(run.err.find("revctl: ") != std::string::npos);
      CHECK(team.sandbox.Snapshot("ann") == before);
    }
  }
  if (sanitized) return;
  const auto with_five = [&](const std::string& command) {
    return team.sandbox.Run("ann",
                            {"sh", "-c", "ulimit -n 5; exec '" + ProgramPath() + "' " + command});
  };
  const std::string fix =
      "Too many open files\nfix: ulimit -n 1024   # the shell limits the number of open files; "
      "then try again\n";
  CHECK(with_five("check --fetch").err == "revctl: cannot create a pipe for git: " + fix);
  // When searching the work tree, revctl closes a folder before it opens the folders inside.
  team.sandbox.Write("ann/deep/er/than/that/x.cpp", "int x = SR_FOULS;\n");
  const auto deep = with_five("check");
  INFO(deep.err);
  CHECK(deep.status == 0);
  CHECK(team.Revctl("bob", {"reserve", "--dry-run"}).out ==
        (team.List("ann").find("SR_X") == std::string::npos ? "3\n" : "4\n"));
}

TEST_CASE("bad input: a removed remote does not turn a clone into a local project", "[bad]") {
  Team team;
  REQUIRE(team.Revctl("ann", {"reserve", "SR_BOSS"}).status == 0);
  const std::string url = team.sandbox.Git("ann", {"remote", "get-url", "origin"});
  SECTION("the remote is named in .revctl.yaml") {
    team.sandbox.Write("ann/.revctl.yaml", std::string(Team::kConfig) + "remote: origin\n");
    team.sandbox.Git("ann", {"remote", "remove", "origin"});
    for (const auto& command :
         std::vector<std::vector<std::string>>{{"reserve", "SR_X"},
                                               {"reserve", "--dry-run"},
                                               {"status", "--fetch"},
                                               {"check"},
                                               {"check", "--fetch"},
                                               {"fix"},
                                               {"abandon", "SR_BOSS"},
                                               {"status", "--branches", "--fetch"}}) {
      Expect(team.sandbox, "ann", command,
             {3, {"this clone has no remote origin", "git remote add origin URL"}});
    }
    for (const auto& command :
         std::vector<std::vector<std::string>>{{"list"},
                                               {"status"},
                                               {"show", "SR_BOSS"},
                                               {"status", "--branches"},
                                               {"reserve", "--dry-run", "--offline"},
                                               {"purge", "--below", "SR_FOULS", "--dry-run"}}) {
      auto run = team.Revctl("ann", command);
      INFO(command[0] << ": " << run.err);
      CHECK(run.err.find("fix: git remote add origin URL") != std::string::npos);
      CHECK((run.status == 0 || command[0] == "purge"));
    }
    CHECK(team.Revctl("ann", {"install"}).status == 0);
    CHECK(team.Revctl("ann", {"doctor"}).out.find("fix: git remote add origin URL") !=
          std::string::npos);
    Expect(team.sandbox, "ann", {"doctor", "--repair-ledger"}, {3, {"git remote add origin URL"}});
  }
  SECTION("the clone has a copy of the remote's ledger") {
    team.sandbox.Git("ann", {"remote", "remove", "origin"});
    Expect(team.sandbox, "ann", {"reserve", "SR_X"},
           {3,
            {"the ledger is on remote origin", "git remote add origin URL",
             "git update-ref refs/revctl/ledger refs/revctl/remotes/origin/ledger"}});
    Expect(team.sandbox, "ann", {"doctor", "--repair-ledger"},
           {3, {"the ledger is on remote origin"}});
    CHECK(team.sandbox.TryGit("ann", {"rev-parse", "--verify", "--quiet", "refs/revctl/ledger"})
              .status == 1);
  }
  // No number was assigned while the remote was missing, so Bob's number differs from Ann's.
  CHECK(team.Revctl("bob", {"reserve", "SR_STAMINA"}).out == "SR_STAMINA = 4\n");
  team.sandbox.Git("ann", {"remote", "add", "origin", url});
  CHECK(team.Revctl("ann", {"reserve", "SR_X"}).out == "SR_X = 5\n");
}

TEST_CASE("bad input: the server is gone for good", "[bad]") {
  Team team;
  REQUIRE(team.Revctl("ann", {"reserve", "SR_BOSS"}).status == 0);
  team.sandbox.Git("ann", {"remote", "remove", "origin"});
  team.sandbox.Git("ann",
                   {"update-ref", "refs/revctl/ledger", "refs/revctl/remotes/origin/ledger"});
  CHECK(team.Revctl("ann", {"reserve", "SR_ALONE"}).out == "SR_ALONE = 4\n");
}

TEST_CASE("bad input: a wrong ledger_id does not replace the team's ledger", "[bad]") {
  Team team;
  REQUIRE(team.Revctl("ann", {"reserve", "SR_BOSS"}).status == 0);
  const std::string ledger = team.sandbox.Git("srv/game.git", {"rev-parse", "refs/revctl/ledger"});
  const std::string config(Team::kConfig);
  team.sandbox.Write("ann/.revctl.yaml", config + "ledger_id: aaaaaaaaaaaaaaaa\n");
  team.sandbox.CommitAll("ann", "the team's ledger");
  team.sandbox.Git("ann", {"push", "-q", "--no-verify", "origin", "HEAD:main"});
  team.sandbox.Write("ann/.revctl.yaml", config + "ledger_id: bbbbbbbbbbbbbbbb\n");
  const auto run = team.Revctl("ann", {"doctor", "--repair-ledger"});
  INFO(run.out << run.err);
  CHECK(run.status == 1);
  CHECK(run.err.find("`ledger_id` is 'bbbbbbbbbbbbbbbb' here but 'aaaaaaaaaaaaaaaa' on "
                     "origin/main") != std::string::npos);
  CHECK(run.err.find("fix: git checkout origin/main -- .revctl.yaml") != std::string::npos);
  CHECK(team.sandbox.Git("srv/game.git", {"rev-parse", "refs/revctl/ledger"}) == ledger);
}

TEST_CASE("bad input: no clone has a ledger", "[bad]") {
  Team team;
  team.sandbox.Write("ann/.revctl.yaml", std::string(Team::kConfig) + "ledger_id: deadbeef\n");
  Expect(team.sandbox, "ann", {"reserve", "SR_X"},
         {3, {"has no ledger", "doctor --repair-ledger"}});
  // A number that is used on a branch must not be assigned again, even if it is not reserved.
  std::string list = team.List("bob");
  list.insert(list.rfind("};"), "    SR_OPEN=7,\n");
  team.sandbox.Write(std::string("bob/") + Team::kList, list);
  team.sandbox.CommitAll("bob", "open");
  team.sandbox.Git("bob", {"push", "-q", "--no-verify", "origin", "HEAD:open"});
  team.sandbox.Git("ann", {"fetch", "-q"});
  // Another clone may still have the ledger, with numbers that are in no list.
  Expect(team.sandbox, "ann", {"doctor", "--repair-ledger"},
         {1, {"could assign them again", "revctl doctor --repair-ledger --yes"}});
  const auto repaired = team.Revctl("ann", {"doctor", "--repair-ledger", "--yes"});
  REQUIRE(repaired.status == 0);
  CHECK(repaired.out.find("neither remote origin nor this clone had it") != std::string::npos);
  CHECK(team.Revctl("ann", {"reserve", "SR_X"}).out == "SR_X = 8\n");
}

TEST_CASE("bad input: files that are not lists, each with its fix", "[bad]") {
  Team team;
  Expect(team.sandbox, "ann", {"list", "--list", "nope"},
         {2, {"--list nope", "it has main", "fix: --list main"}});
  Expect(team.sandbox, "ann", {"reserve", "SR_X", "--list", "nope"}, {2, {"fix: --list main"}});
  team.sandbox.Write(std::string("ann/") + Team::kList,
                     std::string("enum R { SR_A = 1,\n SR_B\0 = 2 };\n", 34));
  Expect(team.sandbox, "ann", {"list"},
         {2, {"src/master_version_list.h:2:", "NUL", "git checkout -- src/master_version_list.h"}});
  std::filesystem::remove(team.sandbox.Path(std::string("ann/") + Team::kList));
  std::filesystem::create_directories(team.sandbox.Path(std::string("ann/") + Team::kList));
  Expect(team.sandbox, "ann", {"list"},
         {2, {"src/master_version_list.h: is not a regular file", "`path` of list `main`"}});
  for (const char* path : {"../outside.h", "/etc/passwd", "a//b.h"}) {
    team.sandbox.Write("ann/.revctl.yaml",
                       "version: 1\nlists: [{path: \"" + std::string(path) + "\"}]\n");
    Expect(team.sandbox, "ann", {"list"},
           {2, {".revctl.yaml:2:16: path", "must be inside the repository", "path: src/"}});
  }
  for (const char* broken : {"version: 1\nlists: [{path: a.h}\n", "version: 1\n\tlists: x\n",
                             "version: 1\nlists: [{path: a.h}]\ntarget: {main\n"}) {
    team.sandbox.Write("ann/.revctl.yaml", broken);
    Expect(team.sandbox, "ann", {"list"},
           {2, {".revctl.yaml:", "is not YAML", "git checkout -- .revctl.yaml"}});
  }
}
