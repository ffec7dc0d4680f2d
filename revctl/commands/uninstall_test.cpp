// uninstall takes away what install added, and nothing else.
#include <catch2/catch.hpp>

#include "revctl/commands/team_test.h"

using namespace revctl::testing;

TEST_CASE("uninstall: a line of .gitattributes that came with the clone stays", "[uninstall]") {
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
  CHECK(team.sandbox.Git("bob", {"config", "--get-regexp", "revctl"}) == "merge.revctl.recursive binary");
  team.sandbox.Git("bob", {"config", "merge.revctl.driver", "my-own %A"});
  CHECK(team.Revctl("bob", {"uninstall"}).status == 0);
  CHECK(team.sandbox.Git("bob", {"config", "merge.revctl.driver"}) == "my-own %A");
}

TEST_CASE("uninstall: in one of several work trees it says that all lose the driver", "[uninstall]") {
  Team team;
  REQUIRE(team.Revctl("bob", {"install"}).status == 0);
  team.sandbox.Git("bob", {"worktree", "add", "-q", "../bob_two"});
  auto gone = team.Revctl("bob_two", {"uninstall"});
  CHECK(gone.status == 0);
  CHECK(gone.out.find("belong to all 2 work trees") != std::string::npos);
  REQUIRE(team.Revctl("ann", {"install"}).status == 0);
  CHECK(team.Revctl("ann", {"uninstall"}).out.find("work trees") == std::string::npos);
}

TEST_CASE("uninstall: what was added in another work tree is gone from there, too", "[uninstall]") {
  Team team;
  const std::string line = team.sandbox.Read("bob/.gitattributes");
  team.sandbox.Git("bob", {"rm", "-q", ".gitattributes"});
  team.sandbox.Git("bob", {"commit", "-q", "-m", "none"});
  team.sandbox.Git("bob", {"worktree", "add", "-q", "../bob two", "-b", "two"});
  team.sandbox.Git("bob", {"worktree", "add", "-q", "../bob_three", "-b", "three"});
  team.sandbox.Write("bob_three/.gitattributes", line);
  team.sandbox.CommitAll("bob_three", "a branch that has it");
  const std::string before = team.sandbox.Snapshot("bob"), three = team.sandbox.Snapshot("bob_three");
  REQUIRE(team.Revctl("bob", {"install"}).status == 0);
  REQUIRE(team.sandbox.Read("bob/.gitattributes") == line);
  REQUIRE(team.Revctl("bob two", {"uninstall"}).status == 0);
  CHECK(team.sandbox.Snapshot("bob") == before);
  CHECK(team.sandbox.Snapshot("bob_three") == three);
  CHECK(team.sandbox.TryGit("bob", {"config", "--get-regexp", "revctl"}).out.empty());
}
