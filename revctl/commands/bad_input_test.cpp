// Whatever a newcomer gets wrong: one screen that names file, place and mend, the right exit code, and nothing changed on disk.
#include <catch2/catch.hpp>
#include <unistd.h>

#include <algorithm>
#include <filesystem>

#include "revctl/commands/team_test.h"

using namespace revctl::testing;

namespace {

struct Expected {
  int status;
  std::vector<std::string> words;  ///< all of them are said on stderr
};

void Expect(const Sandbox& sandbox, const std::string& directory, const std::vector<std::string>& arguments, const Expected& expected) {
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

const std::vector<std::vector<std::string>> kEveryCommand = {{"reserve", "SR_X"}, {"next"},    {"list"},     {"status"},
                                                             {"check"},           {"renumber"}, {"release", "SR_X"}, {"resolve"},
                                                             {"install"},         {"whois", "SR_X"}, {"stale"}, {"doctor"}};

}  // namespace

TEST_CASE("bad input: no repository", "[bad]") {
  Sandbox sandbox;
  std::filesystem::create_directories(sandbox.Path("d"));
  for (const auto& command : kEveryCommand) Expect(sandbox, "d", command, {3, {"no git repository", "git init"}});
  Expect(sandbox, "d", {"init"}, {3, {"no git repository"}});
  Expect(sandbox, "d", {"-C", "nowhere", "list"}, {3, {"nowhere: no such folder"}});
}

TEST_CASE("bad input: no .revctl.yaml, or a malformed one", "[bad]") {
  Sandbox sandbox;
  sandbox.NewRepository("r", "ann");
  for (const auto& command : kEveryCommand) Expect(sandbox, "r", command, {2, {"no .revctl.yaml", "fix: revctl init"}});
  sandbox.Write("r/.revctl.yaml", "version: 1\nlists: [{path: a.h}]\nreservaton: optional\n");
  for (const auto& command : kEveryCommand) Expect(sandbox, "r", command, {2, {".revctl.yaml:3:1: unknown key 'reservaton'"}});
  Expect(sandbox, "r", {"init"}, {2, {".revctl.yaml:3:1"}});
  sandbox.Write("r/.revctl.yaml", "version: 1\nlists: [{path: a.h}]\n");
  Expect(sandbox, "r", {"list"}, {2, {"a.h: there is no such file"}});
  Expect(sandbox, "r", {"codegen"}, {2, {"a.h: there is no such file"}});
}

TEST_CASE("bad input: a list that is no enum, a link, too much", "[bad]") {
  Sandbox sandbox;
  sandbox.NewRepository("r", "ann");
  sandbox.Write("r/.revctl.yaml", "version: 1\nlists: [{path: src/a.h}]\n");
  for (const std::string& text : {std::string("int main() { return 0; }\n"), std::string("enum X { SR_A = 1, SR_B = f(2) };\n"),
                                  std::string("\x7f" "ELF\0\1\2", 7), std::string("enum X { SR_A = 1,")}) {
    sandbox.Write("r/src/a.h", text);
    for (const auto& command : {std::vector<std::string>{"list"}, {"next"}, {"reserve", "SR_X"}, {"renumber"}}) {
      const std::string before = sandbox.Snapshot("r");
      auto result = sandbox.Revctl("r", command);
      INFO(text << result.err);
      CHECK(result.status == 2);
      CHECK(result.err.find("src/a.h:") != std::string::npos);
      CHECK(sandbox.Snapshot("r") == before);
    }
  }
  std::filesystem::remove(sandbox.Path("r/src/a.h"));
  std::filesystem::create_symlink("/etc/passwd", sandbox.Path("r/src/a.h"));
  Expect(sandbox, "r", {"list"}, {2, {"symbolic link"}});
  std::filesystem::remove_all(sandbox.Path("r/src"));
  sandbox.Write("elsewhere/a.h", Team::kListText);
  std::filesystem::create_symlink("../elsewhere", sandbox.Path("r/src"));
  Expect(sandbox, "r", {"reserve", "SR_X"}, {2, {"out of the repository"}});
}

TEST_CASE("bad input: a remote that is not there, or refuses", "[bad]") {
  Team team;
  SECTION("nobody answers") {
    team.sandbox.Git("ann", {"remote", "set-url", "origin", "git://127.0.0.1:" + std::to_string(FreePort()) + "/game.git"});
    for (const auto& command : {std::vector<std::string>{"reserve", "SR_X"}, {"next"}, {"renumber"}, {"check", "--fetch"}}) {
      Expect(team.sandbox, "ann", command, {3, {"remote origin cannot be reached"}});
    }
    CHECK(team.Revctl("ann", {"list"}).status == 0);  // local things go on
    CHECK(team.Revctl("ann", {"check"}).status == 0);
  }
  SECTION("it takes no pushes") {
    GitDaemon read_only(team.sandbox, "srv", GitDaemon::Access::ReadOnly);
    team.sandbox.Git("ann", {"remote", "set-url", "origin", read_only.Url("game.git")});
    Expect(team.sandbox, "ann", {"reserve", "SR_X"}, {3, {"refuses to move refs/revctl/ledger"}});
  }
  SECTION("a hook refuses") {
    team.sandbox.Write("srv/game.git/hooks/pre-receive", "#!/bin/sh\necho this namespace is closed >&2\nexit 1\n");
    std::filesystem::permissions(team.sandbox.Path("srv/game.git/hooks/pre-receive"), std::filesystem::perms::owner_all);
    Expect(team.sandbox, "ann", {"reserve", "SR_X"}, {3, {"this namespace is closed", "refs/heads/revctl-ledger"}});
  }
  SECTION("the named remote is not configured") {
    team.sandbox.Git("ann", {"remote", "rename", "origin", "upstream"});
    Expect(team.sandbox, "ann", {"list"}, {3, {"remote origin is not configured", "git config revctl.remote upstream"}});
    team.sandbox.Git("ann", {"config", "revctl.remote", "upstream"});
    CHECK(team.Revctl("ann", {"reserve", "SR_X"}).status == 0);
  }
  SECTION("the remote's name is hostile") {
    team.sandbox.Git("ann", {"config", "revctl.remote", "--upload-pack=touch pwned"});
    Expect(team.sandbox, "ann", {"list"}, {2, {"revctl.remote"}});
  }
}

TEST_CASE("bad input: nobody said who they are", "[bad]") {
  Team team;
  team.sandbox.Git("ann", {"config", "--unset", "user.email"});
  Expect(team.sandbox, "ann", {"reserve", "SR_X"}, {3, {"git config user.name"}});
}

TEST_CASE("bad input: a disk that takes nothing", "[bad]") {
  Team team;
  if (::geteuid() == 0) {
    // Root writes everywhere but into a folder that is none.
    std::filesystem::remove_all(team.sandbox.Path("ann/src"));
    team.sandbox.Write("ann/src", "a file where a folder was\n");
    CHECK(team.Revctl("ann", {"reserve", "SR_X"}).status == 2);
    return;
  }
  std::filesystem::permissions(team.sandbox.Path("ann/src"), std::filesystem::perms::owner_read | std::filesystem::perms::owner_exec);
  auto refused = team.Revctl("ann", {"reserve", "SR_X"});
  CHECK(refused.status == 3);
  CHECK(refused.err.find("is reserved, but the list could not be written") != std::string::npos);
  std::filesystem::permissions(team.sandbox.Path("ann/src"), std::filesystem::perms::owner_all);
  CHECK(team.Revctl("ann", {"reserve", "SR_X"}).status == 0);
}
