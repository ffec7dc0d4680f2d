// uninstall takes away what install added, and nothing else.
#include <catch2/catch.hpp>
#include <filesystem>
#include <map>

#include "revctl/commands/team_test.h"

using namespace revctl::testing;

namespace {

/// Everything under .git that says how it works, with its bytes and modes; not objects, logs and
/// the like, which grow anyway.
std::map<std::string, std::string> SetUp(const Sandbox& sandbox, const std::string& git_dir) {
  std::map<std::string, std::string> files;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(sandbox.Path(git_dir))) {
    const std::string name = entry.path().lexically_relative(sandbox.Path(git_dir)).string();
    if (name != "config" && !name.starts_with("hooks") && !name.starts_with("info")) continue;
    const auto mode =
        static_cast<unsigned>(std::filesystem::symlink_status(entry.path()).permissions());
    files[name] = std::to_string(mode) + "\n" +
                  (entry.is_regular_file() ? sandbox.Read(git_dir + "/" + name) : "folder");
  }
  return files;
}

/// What is not the same, as it is now; empty where all is.
std::string Difference(std::map<std::string, std::string> before,
                       const std::map<std::string, std::string>& now) {
  std::string out;
  for (const auto& [name, text] : now) {
    const auto was = before.extract(name);
    if (was.empty() || was.mapped() != text) out += "== " + name + " " + text + "\n";
  }
  for (const auto& [name, text] : before) out += "gone: " + name + "\n";
  return out;
}

}  // namespace

TEST_CASE("uninstall: .git is as it was before, bytes and modes", "[uninstall]") {
  Team team;
  team.sandbox.Git("bob", {"rm", "-q", ".gitattributes"});  // so that install has everything to do
  team.sandbox.Git("bob", {"commit", "-q", "-m", "none"});
  const std::string config = team.sandbox.Read("bob/.git/config");
  SECTION("as git makes a clone") {}
  SECTION("without hooks and info") {
    std::filesystem::remove_all(team.sandbox.Path("bob/.git/hooks"));
    std::filesystem::remove_all(team.sandbox.Path("bob/.git/info"));
  }
  SECTION("with hooks of the user's, of any mode") {
    for (const auto& [name, mode] : std::map<std::string, unsigned>{
             {"pre-commit", 0755}, {"pre-push", 0700}}) {
      team.sandbox.Write("bob/.git/hooks/" + name, "#!/bin/sh\n# " + name + "\nexit 0\n");
      std::filesystem::permissions(team.sandbox.Path("bob/.git/hooks/" + name),
                                   static_cast<std::filesystem::perms>(mode));
    }
  }
  SECTION("a config of another mode, without a final newline") {
    team.sandbox.Write("bob/.git/config", config + "[alias]\n\tst = status  # short");
    std::filesystem::permissions(team.sandbox.Path("bob/.git/config"),
                                 static_cast<std::filesystem::perms>(0640));
  }
  SECTION("a config with sections of ours, empty or the user's") {
    team.sandbox.Write(
        "bob/.git/config",
        config +
            "# mine\n[merge \"revctl\"]\n\t# kept\n[revctl]\n[merge \"other\"]\n\tdriver = true\n");
  }
  SECTION("notes of the user's in info/attributes") {
    team.sandbox.Write("bob/.git/info/attributes", "*.bin -diff");
  }
  const auto before = SetUp(team.sandbox, "bob/.git");
  const std::string tree = team.sandbox.Snapshot("bob");
  REQUIRE(team.Revctl("bob", {"install"}).status == 0);
  REQUIRE(SetUp(team.sandbox, "bob/.git") != before);
  REQUIRE(team.sandbox.Snapshot("bob") != tree);
  REQUIRE(team.Revctl("bob", {"uninstall"}).status == 0);
  CHECK(Difference(before, SetUp(team.sandbox, "bob/.git")) == "");
  CHECK(team.sandbox.Snapshot("bob") == tree);
}

TEST_CASE("uninstall: a .gitattributes line from the clone stays", "[uninstall]") {
  Team team;
  const std::string attributes = team.sandbox.Read("bob/.gitattributes");
  REQUIRE(team.Revctl("bob", {"install"}).status == 0);
  auto gone = team.Revctl("bob", {"uninstall"});
  CHECK(gone.status == 0);
  CHECK(gone.out.find("stays") != std::string::npos);
  CHECK(team.sandbox.Read("bob/.gitattributes") == attributes);
  CHECK(team.sandbox.Git("bob", {"status", "--porcelain"}).empty());
  CHECK(team.Revctl("bob", {"uninstall"}).out.empty());
}

TEST_CASE("uninstall: what the user has set beside ours stays", "[uninstall]") {
  Team team;
  REQUIRE(team.Revctl("bob", {"install"}).status == 0);
  team.sandbox.Git("bob", {"config", "merge.revctl.recursive", "binary"});
  REQUIRE(team.Revctl("bob", {"uninstall"}).status == 0);
  CHECK(team.sandbox.Git("bob", {"config", "--get-regexp", "revctl"}) ==
        "merge.revctl.recursive binary");
  team.sandbox.Git("bob", {"config", "merge.revctl.driver", "my-own %A"});
  CHECK(team.Revctl("bob", {"uninstall"}).status == 0);
  CHECK(team.sandbox.Git("bob", {"config", "merge.revctl.driver"}) == "my-own %A");
}

TEST_CASE("uninstall: warns that all work trees lose the driver", "[uninstall]") {
  Team team;
  REQUIRE(team.Revctl("bob", {"install"}).status == 0);
  team.sandbox.Git("bob", {"worktree", "add", "-q", "../bob_two"});
  auto gone = team.Revctl("bob_two", {"uninstall"});
  CHECK(gone.status == 0);
  CHECK(gone.out.find("belong to all 2 work trees") != std::string::npos);
  REQUIRE(team.Revctl("ann", {"install"}).status == 0);
  CHECK(team.Revctl("ann", {"uninstall"}).out.find("work trees") == std::string::npos);
}

TEST_CASE("uninstall: removes what another work tree added", "[uninstall]") {
  Team team;
  const std::string line = team.sandbox.Read("bob/.gitattributes");
  team.sandbox.Git("bob", {"rm", "-q", ".gitattributes"});
  team.sandbox.Git("bob", {"commit", "-q", "-m", "none"});
  team.sandbox.Git("bob", {"worktree", "add", "-q", "../bob two", "-b", "two"});
  team.sandbox.Git("bob", {"worktree", "add", "-q", "../bob_three", "-b", "three"});
  team.sandbox.Write("bob_three/.gitattributes", line);
  team.sandbox.CommitAll("bob_three", "a branch that has it");
  const std::string before = team.sandbox.Snapshot("bob"),
                    three = team.sandbox.Snapshot("bob_three");
  REQUIRE(team.Revctl("bob", {"install"}).status == 0);
  REQUIRE(team.sandbox.Read("bob/.gitattributes") == line);
  REQUIRE(team.Revctl("bob two", {"uninstall"}).status == 0);
  CHECK(team.sandbox.Snapshot("bob") == before);
  CHECK(team.sandbox.Snapshot("bob_three") == three);
  CHECK(team.sandbox.TryGit("bob", {"config", "--get-regexp", "revctl"}).out.empty());
}
