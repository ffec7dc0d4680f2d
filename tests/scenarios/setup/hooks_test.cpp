// Tests the hooks that `install` adds, in combination with the user's own hooks and hook folders.
#include <catch2/catch.hpp>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "revctl/session/session.h"
#include "tests/scenarios/team.h"

using namespace revctl::testing;

TEST_CASE("hooks: input that git would never write is an error", "[hooks]") {
  Team team;
  const std::string id(40, 'a');
  for (const std::string& input :
       {std::string("garbage\n"), id + " " + id + "\n", id + " main " + id + "\n", "\n" + id + "\n",
        "x " + id + "  " + id + "\n"}) {
    INFO(input);
    CHECK(team.sandbox.Revctl("srv/game.git", {"pre-receive"}, {}, input).status == 2);
    CHECK(team.sandbox.Revctl("ann", {"check", "--pushed", "origin"}, {}, input).status == 2);
  }
  CHECK(team.sandbox.Revctl("ann", {"check", "--pushed", "origin"}).status == 0);  // an empty push
  // git does not run pre-receive for an empty push, so empty input is an error.
  for (const char* stdin_of : {"</dev/null", "<&-", "<."}) {
    const auto unread = team.sandbox.Run(
        "srv/game.git", {"sh", "-c", "'" + ProgramPath() + "' pre-receive " + stdin_of});
    INFO(stdin_of << unread.err);
    CHECK(unread.status == 2);
    CHECK(unread.err.find("a command before revctl may have read them") != std::string::npos);
  }

  // The pushed ref may be an expression with spaces, which git passes to the hook unchanged.
  team.InstallDriver("ann");
  team.sandbox.CommitAll("ann", "attributes");
  team.sandbox.Write("ann/src/master_version_list.h",
                     "enum Revision {\n    SR_INITIAL=1,\n    SR_FOULS=7,\n};\n");
  team.sandbox.Git("ann", {"commit", "-qam", "renumbered by hand", "--no-verify"});
  auto pushed = team.sandbox.TryGit("ann", {"push", "origin", "HEAD^{/renumbered by hand}:main"});
  CHECK(pushed.status != 0);
  CHECK((pushed.out + pushed.err).find("RV004") != std::string::npos);
}

TEST_CASE("install: reports each obstacle with its fix", "[install]") {
  const Team team({"ann"});
  const auto has_fix = [&](const std::string& fix) {
    const auto refused = team.Revctl("ann", {"install"});
    INFO(refused.out << refused.err);
    CHECK(refused.status > 1);
    CHECK(refused.err.find("\nfix: " + fix) != std::string::npos);
  };
  const std::string hooks = team.sandbox.Path("ann/.git/hooks");
  std::filesystem::remove_all(hooks);
  team.sandbox.Write("ann/.git/hooks", "a file\n");
  has_fix("ls -ld ");
  std::filesystem::remove(hooks);
  std::filesystem::create_directories(hooks + "/pre-commit");
  has_fix("ls -ld ");
  std::filesystem::remove(hooks + "/pre-commit");
  team.sandbox.Git("ann", {"config", "core.hooksPath", ""});
  has_fix("git config core.hooksPath FOLDER");
  team.sandbox.Git("ann", {"config", "--unset-all", "core.hooksPath"});
  team.sandbox.Write("ann/.gitattributes", std::string(2 << 20, ' '));
  has_fix("ls -ld ");
}

TEST_CASE("hooks: a commit warns about what the push will reject", "[hooks]") {
  Team team({"ann"});
  team.InstallDriver("ann");
  REQUIRE(team.Revctl("ann", {"reserve", "SR_BOSS"}).status == 0);
  const auto fine = team.sandbox.TryGit("ann", {"commit", "-qam", "reserved"});
  CHECK(fine.status == 0);
  CHECK_FALSE(Has(fine.out + fine.err, "RV011"));
  AddByHand(team, "ann", "SR_HAND=9,");
  const auto said = team.sandbox.TryGit("ann", {"commit", "-qam", "by hand"});
  INFO(said.out << said.err);
  CHECK(said.status == 0);
  CHECK(Has(said.out + said.err, "warning[RV011]: SR_HAND (9) is not reserved"));
  CHECK(Has(said.out + said.err, "pushes to origin/main will fail until this is fixed"));
  CHECK(team.sandbox.TryGit("ann", {"push", "-q", "origin", "HEAD:main"}).status != 0);
  REQUIRE(team.Revctl("ann", {"fix"}).status == 0);
  team.sandbox.CommitAll("ann", "confirmed");
  CHECK(team.sandbox.TryGit("ann", {"push", "-q", "origin", "HEAD:main"}).status == 0);
}

TEST_CASE("doctor: hooks in the user's own folder", "[doctor]") {
  Team team;
  REQUIRE(team.Revctl("bob", {"reserve", "SR_BOSS"}).status == 0);
  team.sandbox.Git("bob", {"config", "core.hooksPath", team.sandbox.Path("hooks")});
  const auto installed = team.Revctl("bob", {"install"});
  CHECK(installed.out.find("no hooks, because core.hooksPath is " + team.sandbox.Path("hooks")) !=
        std::string::npos);
  CHECK_FALSE(
      team.sandbox.Exists("hooks"));  // not created, because other repositories may share it
  const auto report = nlohmann::json::parse(team.Revctl("bob", {"doctor", "--json"}).out);
  int told = 0;
  for (const auto& check : report.at("checks")) {
    const std::string what = check.at("what"), fix = check.at("fix");
    if (!what.ends_with(" hook")) continue;
    CHECK(check.at("ok") == false);
    const std::string name = what.substr(0, what.find(' ')),
                      lead = "add this line to " + team.sandbox.Path("hooks/") + name +
                             ", and make it executable: ";
    REQUIRE(fix.starts_with(lead));
    // Paste the fix into a hook that has further commands.
    team.sandbox.WriteExecutable("hooks/" + name,
                                 "#!/bin/sh\n" + fix.substr(lead.size()) + "\ntrue\n");
    ++told;
  }
  CHECK(told == 2);
  const auto well = team.Revctl("bob", {"doctor"});
  INFO(well.out);
  CHECK(well.status == 0);
  // These hooks work like those that `install` adds: they reject a bad commit.
  std::string list = team.List("bob");
  team.sandbox.Write(std::string("bob/") + Team::kList,
                     list.replace(list.find("SR_FOULS=2"), 10, "SR_FOULS=7"));
  const auto commit = team.sandbox.TryGit("bob", {"commit", "-am", "wrong"});
  CHECK(commit.status != 0);
  CHECK((commit.out + commit.err).find("RV004") != std::string::npos);
}

TEST_CASE("install: a hook that depends on its own name still rejects commits", "[install]") {
  Team team;
  auto hook = [&](const std::string& name, const std::string& text) {
    team.sandbox.WriteExecutable("ann/.git/hooks/" + name, text);
  };
  SECTION("a hook that runs a folder of hooks") {
    hook("pre-commit", "#!/bin/sh -e\nfor h in \"$0\".d/*; do \"$h\" \"$@\"; done\n");
    hook("pre-commit.d/10-scan", "#!/bin/sh\necho scanned; exit 1\n");
  }
  SECTION("one script with several names") {
    hook("tools",
         "#!/usr/bin/env bash\ncase $(basename \"$0\") in pre-commit) echo scanned; exit 7 ;; "
         "esac\n");
    std::filesystem::create_symlink("tools", team.sandbox.Path("ann/.git/hooks/pre-commit"));
  }
  SECTION("not a shell script") {
    hook("pre-commit", "#!/usr/bin/awk -f\nBEGIN { print \"scanned\"; exit 1 }\n");
  }
  CHECK(team.sandbox.TryGit("ann", {"commit", "--allow-empty", "-m", "x"}).status == 1);
  REQUIRE(team.Revctl("ann", {"install"}).status == 0);
  auto refused = team.sandbox.TryGit("ann", {"commit", "--allow-empty", "-m", "x"});
  CHECK(refused.status == 1);
  CHECK((refused.out + refused.err).find("scanned") != std::string::npos);
}
