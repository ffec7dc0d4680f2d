// whois, stale, doctor, codegen, explain, completions: what answers questions.
#include <algorithm>
#include <catch2/catch.hpp>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "revctl/session/session.h"
#include "tests/scenarios/team.h"

using namespace revctl::testing;

TEST_CASE("whois: name, number, lineage", "[tools]") {
  Team team;
  REQUIRE(team.Revctl("ann", {"reserve", "SR_BOSS", "-m", "the boss"}).status == 0);
  team.sandbox.Write("ann/src/save.cpp", "ADD(SR_BOSS, boss);\n");
  team.sandbox.CommitAll("ann", "boss");
  for (const char* what : {"SR_BOSS", "3"}) {
    const std::string text = team.Revctl("ann", {"whois", what}).out;
    INFO(text);
    CHECK(text.find("list     SR_BOSS = 3, src/master_version_list.h:5, pending") !=
          std::string::npos);
    CHECK(text.find("ledger   reserve SR_BOSS 3, ") != std::string::npos);
    CHECK(text.find("by ann <ann@studio.example>") != std::string::npos);
    CHECK(text.find("commit   SR_BOSS came with ") != std::string::npos);
    CHECK(text.find("code     src/save.cpp:1:ADD(SR_BOSS, boss);") != std::string::npos);
  }
  CHECK(team.Revctl("ann", {"whois", "SR_NONE"}).status == 1);
  // What only speaks of it is no code; a script may be.
  team.sandbox.Write(
      "ann/src/more.cpp",
      "/* the boss:\n   SR_BOSS */ auto s = R\"(\nSR_BOSS)\";\nADD(\n  SR_BOSS, b);\n");
  team.sandbox.Write("ann/tools/export.py", "if revision >= SR_BOSS:\n");
  const std::string code = team.Revctl("ann", {"whois", "SR_BOSS"}).out;
  INFO(code);
  CHECK(code.find("code     src/more.cpp:5:  SR_BOSS, b);") != std::string::npos);
  CHECK(code.find("src/more.cpp:2:") == std::string::npos);
  CHECK(code.find("src/more.cpp:3:") == std::string::npos);
  CHECK(code.find("code     tools/export.py:1:") != std::string::npos);
  // A stranger's comment does not steer the terminal.
  team.sandbox.Write("ann/src/save.cpp", "ADD(SR_BOSS, boss);  // \033[2J\n");
  const std::string shown = team.Revctl("ann", {"whois", "SR_BOSS"}).out;
  CHECK(shown.find('\033') == std::string::npos);
  CHECK(shown.find("// \\x1b[2J") != std::string::npos);
  team.sandbox.Write("ann/src/save.cpp", "ADD(SR_BOSS, boss);\n");
  CHECK(team.Revctl("ann", {"whois", "$(id)"}).status == 2);

  // The lineage of a file leads to the list that Ann had before she renumbered.
  const auto json = nlohmann::json::parse(team.Revctl("ann", {"list", "--json"}).out);
  const std::string lineage = json.at("lists").at(0).at("revisions").at(2).at("lineage");
  REQUIRE(team.Revctl("bob", {"reserve", "SR_STAMINA"}).status == 0);
  team.Land("bob");
  team.InstallDriver("ann");
  team.sandbox.Git("ann", {"pull", "-q", "--no-rebase", "--no-edit"});
  REQUIRE(team.Revctl("ann", {"renumber"}).status == 0);
  team.sandbox.CommitAll("ann", "renumbered");
  const std::string found = team.Revctl("ann", {"whois", lineage}).out;
  INFO(found);
  CHECK(found.find("SR_BOSS = 3 in ") != std::string::npos);
  CHECK(found.find("revctl whois " + lineage + " --output theirs.h") != std::string::npos);
  CHECK(found.find("convert FILE --written-with theirs.h --to-revision SR_BOSS") !=
        std::string::npos);
  // That list comes out as it was, for `convert --written-with`: as a table of C++, or as JSON.
  CHECK(team.Revctl("ann", {"whois", lineage, "--output", "old.json"}).status == 0);
  const auto old = nlohmann::json::parse(team.sandbox.Read("ann/old.json")).at("lists").at(0);
  CHECK(old.at("latest").at("name") == "SR_BOSS");
  CHECK(old.at("revisions").at(2).at("number") == 3);
  CHECK(old.at("revisions").at(2).at("lineage") == lineage);
  CHECK(team.Revctl("ann", {"whois", lineage, "--output", "old.h"}).status == 0);
  CHECK(team.sandbox.Read("ann/old.h").find("{\"SR_BOSS\", 3, 0x" + lineage + "u}") !=
        std::string::npos);
  CHECK(team.Revctl("ann", {"whois", lineage, "--output", "no/such/folder/old.h"}).status == 3);
  CHECK(team.Revctl("ann", {"whois", "SR_BOSS", "--output", "old.h"}).status == 2);
  CHECK(team.Revctl("ann", {"whois", "0123456789abcdef"}).status == 1);
}

TEST_CASE("whois: finds a name's commit behind rewritten lines", "[tools]") {
  Team team;
  REQUIRE(team.Revctl("ann", {"reserve", "SR_BOSS", "-m", "the boss"}).status == 0);
  team.Land("ann");
  const std::string brought = team.sandbox.Git("ann", {"rev-parse", "--short=10", "HEAD"});
  const std::string list = "ann/" + std::string(Team::kList);
  auto rewrite = [&](const std::string& from, const std::string& to) {
    std::string text = team.sandbox.Read(list);
    text.replace(text.find(from), from.size(), to);
    team.sandbox.Write(list, text);
    team.Land("ann");
  };
  rewrite("the boss", "the boss has phases");
  rewrite("    SR_BOSS", "\tSR_BOSS");
  rewrite("SR_INITIAL=1,", "SR_INITIAL = 1,");
  const std::string text = team.Revctl("ann", {"whois", "SR_BOSS"}).out;
  INFO(text);
  CHECK(text.find("commit   SR_BOSS came with " + brought) != std::string::npos);
}

TEST_CASE("stale: branches whose numbers can no longer land", "[tools]") {
  Team team;
  REQUIRE(team.Revctl("ann", {"reserve", "SR_BOSS"}).status == 0);
  team.sandbox.CommitAll("ann", "boss");
  team.sandbox.Git("ann", {"push", "-q", "origin", "HEAD:boss"});
  CHECK(team.Revctl("bob", {"stale", "--fetch"}).out.empty());
  REQUIRE(team.Revctl("bob", {"reserve", "SR_STAMINA"}).status == 0);
  team.Land("bob");
  const std::string text = team.Revctl("bob", {"stale", "--fetch"}).out;
  CHECK(text.find("boss: SR_BOSS = 3 can no longer land (origin/main is at 4)") !=
        std::string::npos);
  CHECK(nlohmann::json::parse(team.Revctl("bob", {"stale", "--json"}).out)
            .at("stale")
            .at(0)
            .at("branch") == "boss");
  // What the target has dropped since the branch began is not the branch's own.
  team.sandbox.Git("ann", {"push", "-q", "origin", "HEAD~:refs/heads/old"});
  std::string dropped = team.sandbox.Read("bob/" + std::string(Team::kList));
  const std::size_t at = dropped.find("    SR_FOULS");
  dropped.erase(at, dropped.find('\n', at) + 1 - at);
  team.sandbox.Write("bob/" + std::string(Team::kList), dropped);
  team.Land("bob");
  CHECK(team.Revctl("bob", {"stale", "--fetch"}).out == text);
}

TEST_CASE("stale: what a branch did not add itself is none of its lines", "[tools]") {
  Team team;
  const auto entry = [&](const std::string& name) {
    REQUIRE(team.Revctl("ann", {"reserve", name}).status == 0);
    team.sandbox.CommitAll("ann", name);
  };
  // Two branches: one forked early, the other late, with many commits of the target between. The
  // target then drops entries that both still have.
  for (const char* name : {"SR_P", "SR_Q"}) entry(name);
  team.Land("ann");
  team.sandbox.Git("ann", {"checkout", "-q", "-b", "early"});
  entry("SR_EARLY");
  team.sandbox.Git("ann", {"push", "-q", "origin", "early"});
  team.sandbox.Git("ann", {"checkout", "-q", "main"});
  for (int i = 0; i < 10; ++i) {
    team.sandbox.Write("ann/notes.txt", std::to_string(i));
    team.sandbox.CommitAll("ann", "work " + std::to_string(i));
  }
  entry("SR_R");
  team.Land("ann");
  team.sandbox.Git("ann", {"checkout", "-q", "-b", "late"});
  entry("SR_LATE_1");
  entry("SR_LATE_2");
  team.sandbox.Git("ann", {"push", "-q", "origin", "late"});
  team.sandbox.Git("ann", {"checkout", "-q", "main"});
  entry("SR_S");
  const std::string list = "ann/" + std::string(Team::kList);
  std::string text = team.sandbox.Read(list);
  for (const char* dropped : {"    SR_P", "    SR_Q", "    SR_R"}) {
    const std::size_t at = text.find(dropped);
    REQUIRE(at != std::string::npos);
    text.erase(at, text.find('\n', at) + 1 - at);
  }
  team.sandbox.Write(list, text);
  team.Land("ann");
  const auto said = nlohmann::json::parse(team.Revctl("bob", {"stale", "--fetch", "--json"}).out);
  std::vector<std::string> lines;
  for (const auto& one : said.at("stale"))
    lines.push_back(one.at("branch").get<std::string>() + " " + one.at("name").get<std::string>());
  CHECK(lines == std::vector<std::string>{"early SR_EARLY", "late SR_LATE_1", "late SR_LATE_2"});
}

TEST_CASE("doctor: names what is missing and its mend", "[tools]") {
  Team team;
  REQUIRE(team.Revctl("ann", {"reserve", "SR_BOSS"}).status == 0);
  auto sick = team.Revctl("ann", {"doctor"});
  CHECK(sick.status == 1);
  CHECK(sick.out.find("missing  merge driver") != std::string::npos);
  CHECK(sick.out.find("fix: revctl install") != std::string::npos);
  REQUIRE(team.Revctl("ann", {"install"}).status == 0);
  auto well = team.Revctl("ann", {"doctor"});
  INFO(well.out);
  CHECK(well.status == 0);
  CHECK(nlohmann::json::parse(team.Revctl("ann", {"doctor", "--json"}).out).at("ok") == true);
}

TEST_CASE("doctor: a shallow clone, and a git that is too old", "[tools]") {
  Team team;
  team.sandbox.Write("ann/more", "a second commit\n");
  team.Land("ann");
  REQUIRE(team.Revctl("ann", {"reserve", "SR_BOSS"}).status == 0);
  const auto says = [&](const std::string& person, const std::vector<std::string>& environment,
                        const std::string& line) {
    const auto run = team.Revctl(person, {"doctor"}, environment);
    INFO(run.out << run.err);
    CHECK(run.out.find(line) != std::string::npos);
    return run.status;
  };
  team.sandbox.Git(".", {"clone", "-q", "--depth=1", team.Url(), "shallow"});
  team.sandbox.Git("shallow", {"config", "user.name", "ci"});
  team.sandbox.Git("shallow", {"config", "user.email", "ci@studio.example"});
  REQUIRE(team.Revctl("shallow", {"install"}).status == 0);
  CHECK(says("shallow", {},
             "missing  history: shallow: merge bases may be missing\n         fix: git fetch "
             "--unshallow\n") == 1);
  team.sandbox.Git("shallow", {"fetch", "-q", "--unshallow"});
  CHECK(says("shallow", {}, "ok       history: complete\n") == 0);

  // A git that calls itself old and does all the rest: nothing but its word is looked at.
  REQUIRE(team.Revctl("ann", {"install"}).status == 0);
  const auto git_that_says = [&](const std::string& version) {
    const char* path = std::getenv("PATH");
    team.sandbox.Write("old/git", "#!/bin/sh\n[ \"$*\" = --version ] && { echo '" + version +
                                      "'; exit; }\nPATH=${PATH#*:} exec git \"$@\"\n");
    std::filesystem::permissions(team.sandbox.Path("old/git"), std::filesystem::perms::owner_all);
    return std::vector<std::string>{"PATH=" + team.sandbox.Path("old") + ":" +
                                    (path == nullptr ? "" : path)};
  };
  CHECK(says("ann", git_that_says("git version 2.20.1"),
             "missing  git: 2.20\n         fix: install git 2.30 or newer\n") == 1);
  CHECK(says("ann", git_that_says("git version 2.29.3 (Vendor 7)"), "missing  git: 2.29\n") == 1);
  CHECK(says("ann", git_that_says("git version 1.9"), "missing  git: 1.9\n") == 1);
  CHECK(says("ann", git_that_says("version two"), "missing  git: says no version: version two") ==
        1);
  CHECK(says("ann", git_that_says("git version 2.30.0"), "ok       git: 2.30\n") == 0);
  CHECK(says("ann", git_that_says("git version 3.0.0.windows.1"), "ok       git: 3.0\n") == 0);
}

TEST_CASE("doctor: hooks in a folder of the user's own", "[tools]") {
  Team team;
  REQUIRE(team.Revctl("bob", {"reserve", "SR_BOSS"}).status == 0);
  team.sandbox.Git("bob", {"config", "core.hooksPath", team.sandbox.Path("hooks")});
  const auto installed = team.Revctl("bob", {"install"});
  CHECK(installed.out.find("no hooks: core.hooksPath is " + team.sandbox.Path("hooks")) !=
        std::string::npos);
  CHECK_FALSE(team.sandbox.Exists("hooks"));  // other repositories', too
  const auto report = nlohmann::json::parse(team.Revctl("bob", {"doctor", "--json"}).out);
  int told = 0;
  for (const auto& check : report.at("checks")) {
    const std::string what = check.at("what"), fix = check.at("fix");
    if (!what.ends_with(" hook")) continue;
    CHECK(check.at("ok") == false);
    const std::string name = what.substr(0, what.find(' ')),
                      lead = "a line in " + team.sandbox.Path("hooks/") + name +
                             ", which has to be executable: ";
    REQUIRE(fix.starts_with(lead));
    // As it stands there, in a hook that goes on to do something else.
    team.sandbox.Write("hooks/" + name, "#!/bin/sh\n" + fix.substr(lead.size()) + "\ntrue\n");
    std::filesystem::permissions(team.sandbox.Path("hooks/" + name),
                                 std::filesystem::perms::owner_all);
    ++told;
  }
  CHECK(told == 2);
  const auto well = team.Revctl("bob", {"doctor"});
  INFO(well.out);
  CHECK(well.status == 0);
  // And they do what ours do: what is wrong is not committed.
  std::string list = team.List("bob");
  team.sandbox.Write(std::string("bob/") + Team::kList,
                     list.replace(list.find("SR_FOULS=2"), 10, "SR_FOULS=7"));
  const auto commit = team.sandbox.TryGit("bob", {"commit", "-am", "wrong"});
  CHECK(commit.status != 0);
  CHECK((commit.out + commit.err).find("RV004") != std::string::npos);
}

TEST_CASE("doctor: a server that takes no ref beside the ledger", "[tools]") {
  Team team;
  const std::string hook = "srv/game.git/hooks/update",
                    none =
                        team.sandbox.Git("srv/game.git", {"for-each-ref", "--format=%(refname)"});
  REQUIRE(team.Revctl("ann", {"install"}).status == 0);
  CHECK(team.Revctl("ann", {"doctor"}).out.find("ok       pushing beside the ledger: allowed") !=
        std::string::npos);
  CHECK(team.sandbox.Git("srv/game.git", {"for-each-ref", "--format=%(refname)"}) ==
        none);  // nothing stays
  CHECK(team.sandbox.Git("ann", {"status", "--porcelain"}).empty());
  team.sandbox.Write(hook,
                     "#!/bin/sh\ncase $1 in refs/heads/*|refs/tags/*) exit 0;; esac\necho 'only "
                     "branches and tags here' >&2\nexit 1\n");
  std::filesystem::permissions(team.sandbox.Path(hook), std::filesystem::perms::owner_all);
  auto sick = team.Revctl("ann", {"doctor"});
  INFO(sick.out);
  CHECK(sick.status == 1);
  CHECK(sick.out.find("missing  pushing beside the ledger: remote origin refuses refs/revctl/probe "
                      "(hook declined):\n") != std::string::npos);
  CHECK(sick.out.find("only branches and tags here") != std::string::npos);
  CHECK(sick.out.find("fix: a host that takes branches only: `ledger: refs/heads/revctl-ledger` in "
                      ".revctl.yaml\n") != std::string::npos);
  team.sandbox.Write("ann/.revctl.yaml",
                     std::string(Team::kConfig) + "ledger: refs/heads/revctl-ledger\n");
  REQUIRE(team.Revctl("ann", {"reserve", "SR_BOSS"}).status == 0);
  CHECK(team.Revctl("ann", {"doctor"}).status == 0);
  // Where no number has to be reserved, no ledger has to be pushed.
  team.sandbox.Write("ann/.revctl.yaml", std::string(Team::kConfig) + "reservation: optional\n");
  CHECK(team.Revctl("ann", {"doctor"}).out.find("pushing") == std::string::npos);
}

TEST_CASE("codegen: a table, with and without policy or repository", "[tools]") {
  Sandbox sandbox;
  sandbox.Write("d/src/list.h", Team::kListText);
  CHECK(sandbox.Revctl("d", {"codegen", "--file", "src/list.h", "--output", "table.h"}).status ==
        0);
  const std::string table = sandbox.Read("d/table.h");
  CHECK(table.find("SR_FOULS") != std::string::npos);
  sandbox.Write("d/.revctl.yaml", "version: 1\nlists: [{path: src/list.h, oldest: SR_FOULS}]\n");
  CHECK(sandbox.Revctl("d/src", {"codegen"}).out.find("#include \"list.h\"") != std::string::npos);
  CHECK(sandbox.Revctl("d", {"codegen", "--list", "none"}).status == 2);
  sandbox.Write("d/src/list.h", "int x;\n");
  CHECK(sandbox.Revctl("d", {"codegen", "--file", "src/list.h", "--output", "table.h"}).status ==
        2);
  CHECK(sandbox.Read("d/table.h") == table);
}

/// 24 lines of 80 columns, with an example.
static void FitsScreen(const std::string& command, const std::string& text) {
  INFO("revctl " << command << " --help\n" << text);
  CHECK(std::count(text.begin(), text.end(), '\n') <= 24);
  CHECK(text.find("Example:") != std::string::npos);
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) CHECK(line.size() <= 80);
}

TEST_CASE("explain, help, completions: made from one table", "[tools]") {
  Sandbox sandbox;
  CHECK(sandbox.Revctl(".", {"explain", "rv006"}).out.starts_with("RV006: "));
  CHECK(sandbox.Revctl(".", {"explain", "RV999"}).status == 2);
  // Its help names the first and last rule of each kind.
  const std::string all = "\n" + sandbox.Revctl(".", {"explain"}).out,
                    words = sandbox.Revctl(".", {"explain", "--help"}).out;
  for (const char* kind : {"\nRV", "\nGH"}) {
    for (const std::size_t at : {all.find(kind), all.rfind(kind)}) {
      REQUIRE(at != all.npos);
      CHECK_THAT(words, Catch::Contains(all.substr(at + 1, 5)));
    }
  }
  const std::string help = sandbox.Revctl(".", {"--help"}).out;
  FitsScreen("", help);
  const revctl::cli::Program program = revctl::commands::RevctlProgram();
  for (const revctl::cli::Command* command : program.commands) {
    const std::string name(command->name);
    auto own = sandbox.Revctl(".", {name, "--help"});
    CHECK(own.status == 0);
    CHECK(own.out.find("usage: revctl " + name) != std::string::npos);
    FitsScreen(name, own.out);
    if (!command->hidden)
      CHECK(help.find(command->seldom ? " " + name : "  " + name + " ") != std::string::npos);
  }
  sandbox.Write("c.bash", sandbox.Revctl(".", {"completions", "bash"}).out);
  auto complete = [&](const std::string& line) {
    return sandbox
        .Run(".", {"bash", "-c",
                   ". ./c.bash; COMP_WORDS=(" + line +
                       "); COMP_CWORD=$((${#COMP_WORDS[@]}-1)); _revctl; echo ${COMPREPLY[@]}"})
        .out;
  };
  CHECK(complete("revctl res") == "reserve resolve\n");
  CHECK(complete("revctl reserve --off") == "--offline\n");
  CHECK(complete("revctl check --format s") == "sarif\n");
  CHECK(complete("revctl explain RV00").find("RV006") != std::string::npos);
  CHECK(sandbox.Revctl(".", {"completions", "zsh"}).out.starts_with("#compdef revctl"));
  CHECK(sandbox.Revctl(".", {"completions", "fish"}).out.find("-l offline") != std::string::npos);
  const std::string man = sandbox.Revctl(".", {"completions", "man"}).out;
  CHECK(man.find(".SS revctl reserve NAME") != std::string::npos);
  CHECK(sandbox.Revctl(".", {"completions", "tcsh"}).status == 2);
}
