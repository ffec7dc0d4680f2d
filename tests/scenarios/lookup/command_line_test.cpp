// Tests the command line: help, completions, suggestions for typos, contradictory options, output
// files, -v, and progress.
#include <algorithm>
#include <catch2/catch.hpp>
#include <cstdlib>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "revctl/commands/table.h"
#include "tests/scenarios/team.h"

using namespace revctl::testing;

TEST_CASE("command line: options that contradict each other", "[command]") {
  Team team;
  for (const std::vector<std::string>& arguments :
       std::vector<std::vector<std::string>>{{"check", "--head", "HEAD", "--staged"},
                                             {"check", "--pushed", "origin", "--staged"},
                                             {"check", "--staged", "--fetch"},
                                             {"check", "--pushed", "origin", "--target", "HEAD"},
                                             {"check", "--json", "--format", "github"},
                                             {"list", "--json", "--format", "text"}}) {
    auto refused = team.Revctl("ann", arguments);
    INFO(arguments[0] << " " << arguments[1] << ": " << refused.err);
    CHECK(refused.status == 2);
    CHECK(refused.out.empty());
    CHECK(refused.err.find("cannot be combined") != std::string::npos);
  }
  CHECK(team.Revctl("ann", {"list", "--json", "--format", "json"}).status == 0);
}

TEST_CASE("command line: control characters in names are escaped", "[command]") {
  Team team;
  for (const std::vector<std::string>& arguments :
       std::vector<std::vector<std::string>>{{"reserve", "SR_A\nfix: rm -rf ."},
                                             {"show", "SR_A\nfix: rm -rf ."},
                                             {"fix", "--last", "SR_A\nfix: rm -rf ."},
                                             {"list", "--list", "SR_A\nfix: rm -rf ."},
                                             {"list", "SR_A\nfix: rm -rf ."},
                                             {"list", "--format", "SR_A\nfix: rm -rf ."}}) {
    auto refused = team.Revctl("ann", arguments);
    INFO(arguments[0] << ": " << refused.err);
    CHECK(refused.status == 2);
    CHECK(refused.err.find("\nfix: rm") == std::string::npos);
    CHECK(refused.err.find("SR_A\\x0afix") != std::string::npos);
  }
}

TEST_CASE("command line: every rejection prints its fix", "[command]") {
  Team team;
  const auto has_fix = [&](const std::vector<std::string>& arguments, const std::string& fix) {
    auto refused = team.Revctl("ann", arguments);
    INFO(arguments[0] << ": " << refused.out << refused.err);
    CHECK(refused.status != 0);
    CHECK((refused.out + refused.err).find("fix: " + fix) != std::string::npos);
  };
  has_fix({"fix", "--last", "SR_FOULS"}, "revctl fix");
  has_fix({"codegen", "--output", "no/such/folder/table.h"}, "mkdir -p ");
  team.sandbox.Write(std::string("ann/") + Team::kList,
                     "enum Revision {\n    SR_INITIAL=1,\n    SR_FOULS=1/0,\n};\n");
  has_fix({"check"}, "correct that line, or git checkout HEAD -- src/master_version_list.h");
  const auto ends_with = [&](const std::string& number) {
    team.sandbox.Write(std::string("ann/") + Team::kList,
                       "enum Revision : long long {\n    SR_INITIAL=1,\n    SR_FOULS=2,\n    "
                       "SR_LAST=" +
                           number + ",\n};\n");
  };
  ends_with("9223372036854775807");
  has_fix({"check"}, "revctl fix");
  ends_with("2147483647");
  has_fix({"reserve", "--dry-run"}, "remove the pending entry");
  std::filesystem::remove(team.sandbox.Path("ann/.revctl.yaml"));
  std::filesystem::create_directory(team.sandbox.Path("ann/.revctl.yaml"));
  has_fix({"list"}, "replace it with a regular file, or run git checkout -- ");
}

TEST_CASE("help and version; near misses of commands, options and names") {
  Team team;
  const auto err = [&](const std::vector<std::string>& line, int status) {
    const auto said = team.Revctl("ann", line);
    INFO(said.out << said.err);
    CHECK(said.status == status);
    return said.err;
  };
  const auto out = [&](const std::vector<std::string>& line) {
    const auto said = team.Revctl("ann", line);
    CHECK(said.status == 0);
    return said.out;
  };
  CHECK(out({"help"}) == out({"--help"}));
  CHECK(out({"help", "reserve"}) == out({"reserve", "--help"}));
  CHECK(out({"version"}) == out({"--version"}));
  CHECK(out({"version"}).starts_with("revctl "));
  CHECK(Has(err({"resreve"}, 2), "there is no command 'resreve'; did you mean reserve?"));
  CHECK(Has(err({"-q", "lsit"}, 2), "did you mean list?"));
  CHECK(Has(err({"help", "chek"}, 2), "did you mean check?"));
  for (const auto& [word, line] :
       std::vector<std::pair<std::string, std::string>>{{"renumber", "fix"},
                                                        {"resolve", "fix"},
                                                        {"whois", "show"},
                                                        {"next", "reserve --dry-run"},
                                                        {"stale", "status --branches"},
                                                        {"convert-numbers", "init --numbers MODE"}})
    CHECK(Has(err({word}, 2), "there is no command '" + word + "'; use revctl " + line));
  CHECK(Has(err({"reserve"}, 2), "missing NAME of the new revision"));
  CHECK(Has(err({"frobnicate"}, 2), "there is no command 'frobnicate'\n"));
  CHECK(Has(err({"check", "--fetsh"}, 2),
            "revctl check has no option '--fetsh'; did you mean --fetch?\nfix: revctl check "
            "--help"));
  CHECK(Has(err({"check", "--traget=x"}, 2), "did you mean --target?"));
  CHECK(Has(err({"explain", "RV0O6"}, 2), "there is no rule 'RV0O6'; did you mean RV006?"));
  CHECK(out({"explain", "gh001"}).starts_with("GH001: "));
  CHECK(Has(err({"show", "SR_FOUL"}, 1), "did you mean SR_FOULS?"));
  CHECK(Has(err({"fix", "--last", "SR_FUOLS"}, 2), "did you mean SR_FOULS?"));
  CHECK(Has(err({"abandon", "SR_FUOLS"}, 1), "did you mean SR_FOULS?"));
}

TEST_CASE("an unwritable result is an error and leaves no file behind") {
  Team team;
  REQUIRE(team.Revctl("ann", {"install"}).status == 0);
  const auto run = [&](const std::string& command, const std::string& outputs) {
    return team.sandbox.Run("ann",
                            {"sh", "-c", "exec '" + ProgramPath() + "' " + command + outputs});
  };
  const std::string before = team.sandbox.Snapshot("ann");
  for (const char* command :
       {"", "help", "version", "help check", "list", "list --json", "reserve --dry-run", "status",
        "check --json", "check --explain", "show SR_FOULS", "status --branches --json", "codegen",
        "explain", "explain RV001", "completions bash", "completions schema"}) {
    INFO(command);
    REQUIRE(run(command, "").status == 0);
    for (const char* outputs : {" >/dev/full", " >&-", " <&- >&-"}) {
      const auto lost = run(command, outputs);
      CHECK(lost.status == 3);
      CHECK(lost.err.find("revctl: cannot write to stdout") != std::string::npos);
    }
    CHECK(run(command, " <&- >&- 2>&-").status == 3);
    CHECK(run(command, " 2>&-").out == run(command, "").out);
  }
  CHECK(team.sandbox.Snapshot("ann") == before);
  // Despite the error, the number is reserved, and reserved only once.
  CHECK(run("reserve SR_X", " >&- 2>&-").status == 3);
  CHECK(run("reserve SR_X", "").out == "SR_X = 3\n");
  CHECK(team.Revctl("bob", {"reserve", "--dry-run"}).out == "4\n");
}

TEST_CASE("completions schema: lists all keys of the parser, with their values", "[completions]") {
  Sandbox sandbox;
  const auto schema = nlohmann::json::parse(sandbox.Revctl(".", {"completions", "schema"}).out);
  CHECK(schema["$schema"] == "http://json-schema.org/draft-07/schema#");
  const auto& root = schema["allOf"][0];
  CHECK(root["additionalProperties"] == false);
  CHECK(root["required"] == nlohmann::json({"version", "lists"}));
  CHECK(root["properties"]["reservation"]["enum"] == nlohmann::json({"required", "optional"}));
  CHECK(root["properties"]["lists"]["items"]["required"] == nlohmann::json({"path"}));
  CHECK(root["properties"]["land"]["allOf"][0]["properties"]["by"]["enum"] ==
        nlohmann::json({"merge", "rebase"}));
  CHECK(root["properties"]["releases"]["type"] == "array");
}

TEST_CASE("-v prints every git command in the form that a shell accepts") {
  Team team;
  const auto said = team.Revctl("ann", {"-v", "reserve", "SR_X", "-m", "it's"});
  INFO(said.err);
  CHECK(said.out == "SR_X = 3\n");
  CHECK(Has(said.err, "+ git "));
  CHECK(Has(said.err, " push --porcelain --no-verify "));
  CHECK_FALSE(Has(team.Revctl("ann", {"reserve", "SR_Y"}).err, "+ git"));
}

namespace {

/// Checks that the help fits on an 80x24 terminal and contains an example.
void FitsScreen(const std::string& command, const std::string& text) {
  INFO("revctl " << command << " --help\n" << text);
  CHECK(std::count(text.begin(), text.end(), '\n') <= 24);
  CHECK(text.find("Example:") != std::string::npos);
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) CHECK(line.size() <= 80);
}

}  // namespace

TEST_CASE("codegen: writes the table with and without a config or repository", "[codegen]") {
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

TEST_CASE("command line: the number of options is limited", "[command]") {
  const auto program = revctl::commands::RevctlProgram();
  std::size_t commands = 0, options = 0;
  for (const auto& group : program.groups) {
    for (const auto& name : group.commands) {
      ++commands;
      options += program.Find(name)->options.size();
    }
  }
  CHECK(commands == 15);
  CHECK(options <= 45);
}

TEST_CASE("explain, help, completions: all come from one table", "[explain]") {
  Sandbox sandbox;
  CHECK(sandbox.Revctl(".", {"explain", "rv006"}).out.starts_with("RV006: "));
  CHECK(sandbox.Revctl(".", {"explain", "RV999"}).status == 2);
  // The help names the first and the last rule of each kind.
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
  const std::string all_commands = sandbox.Revctl(".", {"help", "--all"}).out;
  const revctl::cli::Program program = revctl::commands::RevctlProgram();
  for (const revctl::cli::Command* command : program.commands) {
    const std::string name(command->name);
    auto own = sandbox.Revctl(".", {name, "--help"});
    CHECK(own.status == 0);
    CHECK(own.out.find("usage: revctl " + name) != std::string::npos);
    FitsScreen(name, own.out);
    CHECK(Has(all_commands, "\n  " + name + " "));
    if (command->hidden) CHECK_FALSE(Has(help, "\n  " + name + " "));
  }
  // The help lists 15 commands in four groups, and no hidden command.
  std::size_t shown = 0;
  CHECK(program.groups.size() == 4);
  for (const revctl::cli::CommandGroup& group : program.groups) {
    CHECK(Has(help, "\n" + std::string(group.title) + ":\n"));
    for (const std::string_view name : group.commands) {
      const revctl::cli::Command* command = program.Find(name);
      REQUIRE(command != nullptr);
      CHECK_FALSE(command->hidden);
      CHECK(Has(help, "\n  " + std::string(name) + " "));
      ++shown;
    }
  }
  CHECK(shown == 15);
  sandbox.Write("c.bash", sandbox.Revctl(".", {"completions", "bash"}).out);
  auto complete = [&](const std::string& line) {
    return sandbox
        .Run(".", {"bash", "-c",
                   ". ./c.bash; COMP_WORDS=(" + line +
                       "); COMP_CWORD=$((${#COMP_WORDS[@]}-1)); _revctl; echo ${COMPREPLY[@]}"})
        .out;
  };
  CHECK(complete("revctl res") == "reserve\n");
  CHECK(complete("revctl reserve --off") == "--offline\n");
  CHECK(complete("revctl check --format s") == "sarif\n");
  CHECK(complete("revctl explain RV00").find("RV006") != std::string::npos);
  CHECK(sandbox.Revctl(".", {"completions", "zsh"}).out.starts_with("#compdef revctl"));
  CHECK(sandbox.Revctl(".", {"completions", "fish"}).out.find("-l offline") != std::string::npos);
  const std::string man = sandbox.Revctl(".", {"completions", "man"}).out;
  CHECK(man.find(".B revctl help\n.I COMMAND") != std::string::npos);
  CHECK(sandbox.Revctl(".", {"completions", "tcsh"}).status == 2);
}

TEST_CASE("terminal: a command shows that it is waiting only on a terminal", "[terminal]") {
  Team team;
  team.sandbox.WriteExecutable("srv/game.git/hooks/pre-receive", "#!/bin/sh\nsleep 1.5\n");
  auto on_terminal = [&](const std::string& command) {
    return team.sandbox.Run("ann",
                            {"script", "-qec", "'" + ProgramPath() + "' " + command, "/dev/null"});
  };
  auto told = on_terminal("reserve SR_BOSS");
  INFO(told.out);
  CHECK(told.status == 0);
  CHECK(told.out.find("asking origin for a number (1 s)") != std::string::npos);
  CHECK(told.out.find("SR_BOSS = 3") != std::string::npos);
  // The progress line is erased before the result is printed.
  CHECK(told.out.find(" \rSR_BOSS = 3") != std::string::npos);
  // Commands that release or fix numbers also show progress.
  CHECK(on_terminal("abandon SR_BOSS").out.find("asking origin to release a number (1 s)") !=
        std::string::npos);
  team.sandbox.Write(std::string("ann/") + Team::kList,
                     std::string(Team::kListText)
                         .replace(std::string(Team::kListText).rfind("};"), 0, "    SR_HAND=9,\n"));
  auto renumbered = on_terminal("fix");
  CHECK(renumbered.out.find("asking origin for numbers (1 s)") != std::string::npos);
  CHECK(renumbered.out.find("SR_HAND = 9 confirmed") != std::string::npos);
  CHECK(on_terminal("-q reserve SR_QUIET").out.find("asked") == std::string::npos);
  auto piped = team.Revctl("ann", {"reserve", "SR_PIPED"});
  CHECK(piped.out == "SR_PIPED = 11\n");
  CHECK(piped.err.empty());
}

TEST_CASE("terminal: a long check shows its progress only on a terminal", "[terminal]") {
  Team team;
  const auto file = [&](const std::string& name, const std::string& text) {
    team.sandbox.Write("ann/src/" + name, text);
  };
  team.sandbox.Write("ann/.revctl.yaml", std::string(Team::kConfig) + "releases: [release]\n");
  file("a.cpp", "bool a(int revision) { return revision < SR_FOULS; }\n");
  file("b.cpp", "bool b(int revision) { return revision < SR_FOULS; }\n");
  team.Land("ann");
  team.sandbox.Git("ann", {"push", "-q", "--no-verify", "origin", "HEAD:release"});
  team.sandbox.Git("ann", {"branch", "release"});
  std::string list = Team::kListText;
  team.sandbox.Write(std::string("ann/") + Team::kList,
                     list.replace(list.rfind("};"), 0, "    SR_WALLS=3,\n"));
  file("walls.cpp", "bool walls(int revision) { return revision < SR_WALLS; }\n");
  team.Land("ann");
  // The release contains the entry but not its code. revctl searches the release's sources first,
  // then the target's.
  team.sandbox.Git("ann", {"fetch", "-q"});
  team.sandbox.Git("ann", {"checkout", "-q", "release"});
  team.sandbox.Write(std::string("ann/") + Team::kList, list);
  team.sandbox.CommitAll("ann", "walls");
  team.sandbox.WriteExecutable("slow/git",
                               "#!/bin/sh\ncase \" $* \" in *' grep '*) sleep 1.5 ;; esac\n"
                               "PATH=${PATH#*:} exec git \"$@\"\n");
  const std::vector<std::string> slow{"PATH=" + team.sandbox.Path("slow") + ":" +
                                      std::string(std::getenv("PATH"))};
  const auto shown = team.sandbox.Run(
      "ann", {"script", "-qec", "'" + ProgramPath() + "' check --head HEAD", "/dev/null"}, slow);
  INFO(shown.out);
  CHECK(shown.out.find("checking (1 s)") != std::string::npos);
  CHECK(shown.out.find("checking: 2 of 3 sources, ") != std::string::npos);
  CHECK(shown.out.find(" a second, ") != std::string::npos);
  CHECK(shown.out.find(" s left") != std::string::npos);
  CHECK(shown.out.find(" \r\x1b[1m" + std::string(Team::kList)) != std::string::npos);
  const auto piped = team.sandbox.Revctl("ann", {"check", "--head", "HEAD"}, slow);
  CHECK(piped.out.find("RV021") != std::string::npos);
  CHECK((piped.out + piped.err).find("checking") == std::string::npos);
}

TEST_CASE("command line: options before a command's arguments", "[command]") {
  Team team;
  CHECK(team.Revctl("ann", {"reserve", "-m", "the boss", "SR_BOSS"}).out == "SR_BOSS = 3\n");
  CHECK(team.List("ann").find("SR_BOSS=3,// a: the boss") != std::string::npos);
  CHECK(team.Revctl("ann", {"show", "--list", "main", "SR_BOSS"}).status == 0);
  CHECK(team.Revctl("ann", {"--format", "json", "show", "SR_BOSS"}).status == 0);
}
