// Tests that `uninstall` removes everything that `install` added, and nothing else.
#include <catch2/catch.hpp>
#include <filesystem>

#include "tests/scenarios/team.h"

using namespace revctl::testing;

namespace {

/// A team in which Bob's clone has no `.gitattributes`, so that `install` has to set up everything.
struct Unset : Team {
  Unset() {
    sandbox.Git("bob", {"rm", "-q", ".gitattributes"});
    sandbox.Git("bob", {"commit", "-q", "-m", "none"});
  }
  void Hook(const std::string& name, const std::string& text, unsigned mode = 0755) const {
    const std::string path = "bob/.git/hooks/" + name;
    sandbox.Write(path, text);
    std::filesystem::permissions(sandbox.Path(path), static_cast<std::filesystem::perms>(mode));
  }
};

}  // namespace

TEST_CASE("uninstall: removes the driver, hooks and attributes", "[uninstall]") {
  Unset team;
  const std::string tree = team.sandbox.Snapshot("bob"),
                    config = team.sandbox.Git("bob", {"config", "--local", "--list"});
  REQUIRE(team.Revctl("bob", {"install"}).status == 0);
  CHECK(team.Revctl("bob", {"install"}).out.empty());
  CHECK(team.sandbox.Exists("bob/.gitattributes"));
  REQUIRE(team.Revctl("bob", {"uninstall"}).status == 0);
  CHECK(team.sandbox.Snapshot("bob") == tree);
  CHECK(team.sandbox.Git("bob", {"config", "--local", "--list"}) == config);
  CHECK_FALSE(team.sandbox.Exists("bob/.git/hooks/pre-commit"));
  CHECK_FALSE(team.sandbox.Exists("bob/.git/hooks/pre-push"));
  CHECK(team.Revctl("bob", {"uninstall"}).out.empty());
}

TEST_CASE("uninstall: keeps the user's lines in hooks and attributes", "[uninstall]") {
  Unset team;
  const std::string mine = "#!/usr/bin/env bash\nexit 0\n", push = "#!/bin/sh\nexec cat\n";
  team.Hook("pre-commit", mine);
  team.Hook("pre-push", push, 0700);
  team.sandbox.Write("bob/.gitattributes", "*.png binary\n");
  REQUIRE(team.Revctl("bob", {"install"}).status == 0);
  CHECK(team.sandbox.Read("bob/.git/hooks/pre-commit") != mine);
  CHECK(team.sandbox.Git("bob", {"check-attr", "merge", "--", Team::kList}).ends_with(": revctl"));
  REQUIRE(team.Revctl("bob", {"uninstall"}).status == 0);
  CHECK(team.sandbox.Read("bob/.git/hooks/pre-commit") == mine);
  CHECK(team.sandbox.Read("bob/.git/hooks/pre-push") == push);
  CHECK(team.sandbox.Read("bob/.gitattributes") == "*.png binary\n");
}

TEST_CASE("uninstall: keeps committed lines of .gitattributes", "[uninstall]") {
  Unset team;
  REQUIRE(team.Revctl("bob", {"install"}).status == 0);
  const std::string attributes = team.sandbox.Read("bob/.gitattributes");
  team.sandbox.CommitAll("bob", "attributes");
  const auto gone = team.Revctl("bob", {"uninstall"});
  CHECK(gone.status == 0);
  CHECK(gone.out.find(".gitattributes: keeps revctl's lines") != std::string::npos);
  CHECK(team.sandbox.Read("bob/.gitattributes") == attributes);
  CHECK(team.sandbox.Git("bob", {"status", "--porcelain"}).empty());
  CHECK(team.Revctl("bob", {"uninstall"}).out.empty());
}

TEST_CASE("uninstall: keeps the user's own keys and driver", "[uninstall]") {
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

TEST_CASE("install: leaves a hook alone that it cannot edit", "[uninstall]") {
  Unset team;
  std::string why;
  SECTION("a hook in another language") {
    team.Hook("pre-commit", "#!/usr/bin/awk -f\nBEGIN { exit 0 }\n");
    why = " is not a shell script";
  }
  SECTION("a hook that is a symbolic link") {
    team.Hook("tools", "#!/bin/sh\nexit 0\n");
    std::filesystem::create_symlink("tools", team.sandbox.Path("bob/.git/hooks/pre-commit"));
    why = " is a symbolic link";
  }
  SECTION("a hook that git does not run") {
    team.Hook("pre-commit", "#!/bin/sh\nexit 0\n", 0644);
    why = " is not executable";
  }
  const std::string before = team.sandbox.Read("bob/.git/hooks/pre-commit");
  const auto installed = team.Revctl("bob", {"install"});
  CHECK(installed.status == 0);
  CHECK(installed.out.find("no pre-commit hook, because ") != std::string::npos);
  CHECK(installed.out.find(why) != std::string::npos);
  CHECK(team.sandbox.Read("bob/.git/hooks/pre-commit") == before);
  CHECK(team.sandbox.Exists("bob/.git/hooks/pre-push"));
  const auto doctor = team.Revctl("bob", {"doctor"});
  CHECK(doctor.out.find("missing  pre-commit hook: ") != std::string::npos);
  CHECK(doctor.out.find("fix: add this line to ") != std::string::npos);
}

TEST_CASE("install: the user's hook keeps its options and input", "[uninstall]") {
  Team team;
  const auto hook = [&](const std::string& name, const std::string& text) {
    team.sandbox.WriteExecutable("ann/.git/hooks/" + name, text);
  };
  const std::string shell = GENERATE("#!/bin/sh -eu\n", "#!/bin/bash -eu\n");
  hook("pre-commit", shell + "echo \"$(basename \"$0\")\" >>../log\n");
  hook("pre-push", shell + "while read -r ref id to old; do echo \"$ref $to\" >>../log; done\n");
  REQUIRE(team.Revctl("ann", {"install"}).status == 0);
  team.sandbox.Write("ann/notes", "x\n");
  team.sandbox.CommitAll("ann", "notes");
  team.sandbox.Git("ann", {"push", "-q", "origin", "HEAD:main"});
  CHECK(team.sandbox.Read("log") == "pre-commit\nHEAD refs/heads/main\n");
  team.sandbox.Git("ann", {"push", "-q", "origin", "HEAD:main"});  // an empty push adds nothing to
                                                                   // the log
  CHECK(team.sandbox.Read("log") == "pre-commit\nHEAD refs/heads/main\n");
}
