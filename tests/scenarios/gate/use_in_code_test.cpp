// Tests how the gate finds uses of revisions in sources (RV021, RV022): which list a name belongs
// to, and which text is not code.
#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "revctl/source_scan/source_code.h"
#include "tests/scenarios/team.h"

using namespace revctl::testing;
using revctl::commands::SourceCode;
using revctl::commands::Tree;

namespace {

/// Returns the findings about the use of revisions in code, such as "RV022 src/save.cpp:3 SR_X;
/// RV021 ...".
std::string Uses(const Team& team, std::vector<std::string> options = {}) {
  options.insert(options.begin(), {"check", "--json"});
  team.sandbox.Git("ann", {"add", "-A"});
  const auto run = team.Revctl("ann", options);
  INFO(run.out << run.err);
  REQUIRE(run.status <= 1);
  std::string out;
  const auto report = nlohmann::json::parse(run.out);
  for (const auto& finding : report.at("findings")) {
    const std::string rule = finding.at("rule");
    if (rule != "RV021" && rule != "RV022") continue;
    out += (out.empty() ? "" : "; ") + rule + " " + finding.at("file").get<std::string>() + ":" +
           std::to_string(finding.at("line").get<int>());
    if (const std::string name = finding.value("revision", ""); !name.empty()) out += " " + name;
  }
  return out;
}

/// A team with a second list, whose revision SR_NET_FIRST has landed.
struct TwoLists : Team {
  explicit TwoLists(const std::string& second_prefix) {
    sandbox.Write("ann/.revctl.yaml",
                  "version: 1\nlists:\n  - {path: src/master_version_list.h, name: save}\n  - "
                  "{path: src/net.h, name: net, prefix: " +
                      second_prefix + "}\n");
    sandbox.Write("ann/src/net.h", "enum Net {\n    SR_NET_FIRST=1,\n};\n");
    Land("ann");
  }
};

}  // namespace

TEST_CASE("use in code: multi-line comments and strings are not code", "[use]") {
  Team team;
  REQUIRE(team.Revctl("ann", {"reserve", "SR_BOSS"}).status == 0);
  team.sandbox.Write(
      "ann/src/save.cpp",
      "ADD(SR_FOULS, fouls);\n/* ADD(SR_BOSS, boss);\n   SR_TYPO, r.revision < 3 */\n"
      "auto s = R\"(SR_ODD\nADD(SR_BOSS, boss);\n)\";\n");
  CHECK(Uses(team) == "RV021 src/master_version_list.h:5 SR_BOSS");
  team.sandbox.Write("ann/src/save.cpp",
                     "ADD(SR_FOULS, fouls);\nif (c == '\"' && r.revision < 3) x();\nADD(\n    "
                     "SR_BOSS,\n    boss);\nADD(SR_TYPO, t);\n");
  CHECK(Uses(team) == "RV022 src/save.cpp:2");  // SR_TYPO is left to the compiler
  // The gate reports a file that cannot be tokenized, and does not treat its words as code.
  team.sandbox.Write("ann/src/save.cpp", "ADD(SR_FOULS, fouls);\nADD(SR_BOSS, b);\n/* and so on\n");
  CHECK(Uses(team) == "RV022 src/save.cpp:3; RV021 src/master_version_list.h:5 SR_BOSS");
  CHECK(team.Revctl("ann", {"check"})
            .out.find("src/save.cpp:3: note[RV022]: cannot parse this file as C++ (unterminated "
                      "comment)") != std::string::npos);
}

TEST_CASE("use in code: lists with similar names do not affect each other", "[use]") {
  const bool same = GENERATE(false, true);
  INFO(same);
  TwoLists team(same ? "SR_" : "SR_NET_");
  team.sandbox.Write("ann/src/save.cpp", "ADD(SR_FOULS, fouls);\n");
  team.sandbox.Write("ann/src/both.cpp", "ADD(SR_FOULS, fouls);\nADD(SR_NET_FIRST, ping);\n");
  team.sandbox.Write("ann/src/net.cpp", "ADD(SR_NET_FIRST, ping);\n");
  CHECK(Uses(team) == "");
  CHECK(Uses(team, {"--list", "save"}) == "");
  CHECK(Uses(team, {"--list", "net"}) == "");

  // A bare number is reported for the lists that its file uses.
  team.sandbox.Write("ann/src/net.cpp", "ADD(SR_NET_FIRST, ping);\nif (r.revision < 7) x();\n");
  CHECK(Uses(team) == "RV022 src/net.cpp:2");
  CHECK(Uses(team, {"--list", "save"}) == "");
  team.sandbox.Write("ann/src/net.cpp", "");

  // Code that uses a pending revision of one list does not count as a use of the other list.
  REQUIRE(team.Revctl("ann", {"reserve", "--list", "save", "SR_BOSS"}).status == 0);
  REQUIRE(team.Revctl("ann", {"reserve", "--list", "net", "SR_NET_BOSS"}).status == 0);
  CHECK(Uses(team) == "RV021 src/master_version_list.h:5 SR_BOSS; RV021 src/net.h:3 SR_NET_BOSS");
  CHECK(Has(team.Revctl("ann", {"check", "--list", "net"}).out,
            "or run revctl abandon SR_NET_BOSS --list net\n"));
  team.sandbox.Write("ann/src/net.cpp", "ADD(SR_NET_BOSS, boss);\n");
  CHECK(Uses(team) == "RV021 src/master_version_list.h:5 SR_BOSS");
}

TEST_CASE("use in code: too many sources are an error", "[use]") {
  const revctl::git::Library library;
  Team team;
  for (const char* file : {"ann/src/a.cpp", "ann/src/b.cpp"})
    team.sandbox.Write(file, "ADD(SR_FOULS, fouls);\n" + std::string(1000, ' ') + "\n");
  team.sandbox.CommitAll("ann", "code");
  const auto opened = revctl::git::OpenRepository(team.sandbox.Path("ann"));
  REQUIRE(opened.ok());
  const auto tree = Tree::Commit(**opened, team.sandbox.Git("ann", {"rev-parse", "HEAD"}), "");
  const auto read = [&](std::size_t most) -> std::string {
    std::string paths;
    const auto done = revctl::commands::EachSource(
        tree, {"SR_F"}, {}, [&](const SourceCode& file) { paths += file.path() + " "; }, most);
    return done.ok() ? paths : done.error().message;
  };
  CHECK(Has(read(1500), "the sources that mention revisions exceed"));
  CHECK(Has(read(4000), "src/a.cpp src/b.cpp "));
}

TEST_CASE("use in code: more names than fit on a command line", "[use]") {
  Team team;
  std::string entries;
  for (int i = 0; i < 1500; ++i)
    entries +=
        "    " + std::string(100, 'A') + std::to_string(i) + " = " + std::to_string(i + 3) + ",\n";
  team.sandbox.Write("ann/.revctl.yaml",
                     "version: 1\nreservation: optional\nlists: [{path: src/master_version_list.h, "
                     "prefix: \"\", enum: Revision}]\n");
  team.Land("ann");
  std::string text = Team::kListText;
  team.sandbox.Write(std::string("ann/") + Team::kList, text.insert(text.find("};"), entries));
  team.sandbox.Write("ann/src/boss.cpp", "ADD(" + std::string(100, 'A') + "7, boss);\n");
  team.sandbox.CommitAll("ann", "many");
  const auto run = team.Revctl("ann", {"check", "--head", "HEAD", "--json"});
  CHECK(run.status == 0);
  CHECK(run.out.find(std::string(100, 'A') + "8 = 11") != std::string::npos);
  CHECK(run.out.find(std::string(100, 'A') + "7 = 10") == std::string::npos);
}

TEST_CASE("use in code: the enum tells apart equal names in two enums", "[use]") {
  Team team;
  team.sandbox.Write("ann/.revctl.yaml",
                     "version: 1\nlists:\n  - {path: src/master_version_list.h, name: save, "
                     "prefix: \"\", enum: Save}\n"
                     "  - {path: src/net.h, name: net, prefix: \"\", enum: Net}\n");
  team.sandbox.Write(std::string("ann/") + Team::kList, "enum class Save {\n    kFirst=1,\n};\n");
  team.sandbox.Write("ann/src/net.h", "enum class Net {\n    kFirst=1,\n};\n");
  team.Land("ann");
  REQUIRE(team.Revctl("ann", {"reserve", "--list", "save", "kBoss"}).status == 0);
  REQUIRE(team.Revctl("ann", {"reserve", "--list", "net", "kBoss"}).status == 0);
  team.sandbox.Write("ann/src/save.cpp", "ADD(Net::kBoss, boss);\n");
  CHECK(Uses(team) == "RV021 src/master_version_list.h:3 kBoss");
  team.sandbox.Write("ann/src/save.cpp",
                     "ADD(Net::kBoss, boss);\nADD(Save::kBoss, boss);\nNet::Reset();\n");
  CHECK(Uses(team) == "");
}

TEST_CASE("use in code: getters, and entries of other enums", "[use]") {
  Team team;
  team.sandbox.Write("ann/.revctl.yaml",
                     "version: 1\nlists:\n  - {path: src/master_version_list.h, name: save, "
                     "prefix: \"\", enum: Save}\n");
  team.sandbox.Write(std::string("ann/") + Team::kList,
                     "enum class Save {\n    kNone=0,\n    kFirst,\n};\n");
  team.Land("ann");
  REQUIRE(team.Revctl("ann", {"reserve", "kBoss"}).status == 0);
  // A single comparison with a revision makes getMinorVersion a getter of the revision everywhere.
  // getSize is not a getter.
  team.sandbox.Write("ann/src/load.cpp",
                     "if (th.getMinorVersion() < Save::kFirst) old();\n"
                     "if (th.getMinorVersion() >= 338) x();\n"
                     "if (338 <= file->getMinorVersion()) x();\n"
                     "if (th.getSize() >= 338 || size < 4) x();\n");
  // kBoss belongs to a different enum here.
  team.sandbox.Write("ann/src/side.cpp", "if (side == BattleSide::kBoss) y();\n");
  CHECK(Uses(team) ==
        "RV022 src/load.cpp:2; RV022 src/load.cpp:3; RV021 src/master_version_list.h:4 kBoss");
  // A revision also counts as used if code names it through an alias of its enum.
  team.sandbox.Write("ann/src/side.cpp", "using V = game::Save;\nADD(V::kBoss, boss);\n");
  team.sandbox.Write("ann/src/load.cpp", "if (th.getMinorVersion() < Save::kFirst) old();\n");
  CHECK(Uses(team).empty());
}

TEST_CASE("use in code: the config names getters", "[use]") {
  for (const bool named : {false, true}) {
    Team team;
    team.sandbox.Write("ann/.revctl.yaml",
                       std::string("version: 1\nlists:\n  - {path: src/master_version_list.h, "
                                   "name: save, prefix: \"\", enum: Save") +
                           (named ? ", getters: [getMinorVersion]" : "") + "}\n");
    team.sandbox.Write(std::string("ann/") + Team::kList, "enum class Save {\n    kFirst=1,\n};\n");
    team.Land("ann");
    // In a file that names no revision, only configured getters are recognized.
    team.sandbox.Write("ann/src/load.cpp",
                       "if (size() < 4) old();\nif (th.getMinorVersion() < 338) old();\n");
    CHECK(Uses(team) == (named ? "RV022 src/load.cpp:2" : ""));
  }
}

TEST_CASE("use in code: a version argument, before its setting has landed", "[use]") {
  Team team;
  team.sandbox.Write("ann/src/load.cpp", "void Cpu::DoState() { sw.DoEx(&a, 2, 0);\n}\n");
  team.Land("ann");
  team.sandbox.Write("ann/.revctl.yaml",
                     "version: 1\nlists: [{path: src/master_version_list.h, getters: "
                     "[\"DoEx#2\"]}]\n");
  team.sandbox.Write("ann/src/load.cpp",
                     "void Cpu::DoState() { sw.DoEx(&a, 2, 0);\n"
                     "  sw.DoEx(&b, 3, 77);\n  sw.DoEx(&c, SR_FOULS, 77); }\n");
  CHECK(Uses(team) == "RV022 src/load.cpp:2");
  team.sandbox.Write("ann/.revctl.yaml",
                     "version: 1\nlists: [{path: src/master_version_list.h, getters: "
                     "[\"DoEx#0\"]}]\n");
  CHECK(team.Revctl("ann", {"check"}).status == 2);
}

TEST_CASE("use in code: findings that the target already has are not new", "[use]") {
  Team team;
  const std::string old =
      "if (r.revision < SR_FOULS) a();\r\n  if (r.revision < 2) b();\nif (v < SR_FOULS) c();\n";
  team.sandbox.Write("ann/src/load.cpp", old);
  CHECK(Uses(team) == "RV022 src/load.cpp:2");
  team.Land("ann");
  CHECK(Uses(team).empty());
  // A moved line is not reported as new, but an added line is.
  team.sandbox.Write("ann/src/load.cpp", "// old files\n\t" + old + "if (r.revision < 1) d();\n");
  CHECK(Uses(team) == "RV022 src/load.cpp:5");
}
