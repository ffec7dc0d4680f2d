// Tests `show` with a name, number, lineage or save file. It finds the list for any save file,
// provided that a commit or stash contains that list.
#include <catch2/catch.hpp>
#include <cstdint>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "revctl/session/session.h"
#include "tests/scenarios/team.h"

using namespace revctl::testing;

TEST_CASE("show: never overwrites a file, and blames no root of a shallow clone", "[show]") {
  Team team;
  const auto lineage_of = [&](const std::string& table) {
    const std::size_t at = table.find("0x");
    return table.substr(at + 2, 16);
  };
  const std::string lineage = lineage_of(team.Revctl("ann", {"codegen"}).out);
  INFO(lineage);
  team.sandbox.Write("ann/notes.txt", "mine\n");
  auto refused = team.Revctl("ann", {"show", lineage, "--output", "notes.txt"});
  CHECK(refused.status == 2);
  CHECK(refused.err.find("notes.txt: already exists") != std::string::npos);
  CHECK(team.sandbox.Read("ann/notes.txt") == "mine\n");
  REQUIRE(team.Revctl("ann", {"show", lineage, "--output", "theirs.h"}).status == 0);
  CHECK(team.Revctl("ann", {"show", lineage, "--output", "theirs.h"}).status ==
        0);  // writing an identical file again is allowed

  team.sandbox.Git("ann", {"commit", "-q", "--allow-empty", "-m", "of another person"});
  team.sandbox.Git("ann", {"push", "-q", "origin", "HEAD:main"});
  team.sandbox.Git(".", {"clone", "-q", "--depth=1", team.Url(), "shallow"});
  auto shallow = team.Revctl("shallow", {"show", "SR_FOULS"}).out;
  CHECK(shallow.find("came with") == std::string::npos);
  CHECK(shallow.find("git fetch --unshallow") != std::string::npos);
  CHECK(team.Revctl("ann", {"show", "SR_FOULS"}).out.find("SR_FOULS was added by") !=
        std::string::npos);
}

TEST_CASE("show: which revision wrote a save file, and which programs read it", "[show]") {
  Team team;
  const auto list =
      nlohmann::json::parse(team.Revctl("ann", {"list", "--json"}).out).at("lists")[0];
  const auto& fouls = list.at("revisions").at(1);
  const std::string lineage = fouls.at("lineage");
  const auto save = [&](std::uint32_t revision, std::uint64_t hash) {
    std::string bytes = "RVCT";
    for (int i = 0; i < 4; ++i) bytes += static_cast<char>(revision >> (8 * i) & 0xff);
    for (int i = 0; i < 8; ++i) bytes += static_cast<char>(hash >> (8 * i) & 0xff);
    team.sandbox.Write("ann/level.save", bytes + "payload");
    return team.Revctl("ann", {"show", "level.save"});
  };
  const std::uint64_t hash = std::stoull(lineage, nullptr, 16);
  const auto known = save(2, hash);
  INFO(known.out << known.err);
  CHECK(known.status == 0);
  CHECK(Has(known.out, "file     magic 'RVCT', revision 2, lineage " + lineage + "\n"));
  CHECK(Has(known.out,
            "file     written at SR_FOULS = 2 of src/master_version_list.h; "
            "programs at SR_FOULS or later can read it\n"));
  CHECK(Has(known.out, "landed   SR_FOULS = 2 on origin/main\n"));
  CHECK(Has(known.out, "commit   SR_FOULS was added by "));
  // A program without the generated table writes no lineage.
  CHECK(Has(save(2, 0).out, "programs at SR_FOULS or later can read it\n"));
  // A damaged header may contain any number, including negative ones.
  CHECK(Has(save(static_cast<std::uint32_t>(-5), hash).out, "revision -5, lineage "));
  CHECK(Has(save(static_cast<std::uint32_t>(-5), 0).err, "-5"));
  const auto foreign = save(2, hash ^ 1);
  INFO(foreign.out << foreign.err);
  CHECK(foreign.status == 1);
  CHECK_FALSE(Has(foreign.out, "was written at"));
  team.sandbox.Write("ann/short.save", "RVCT");
  CHECK(Has(team.Revctl("ann", {"show", "short.save"}).err, "too short for a save file"));
  CHECK(Has(team.Revctl("ann", {"show", "no.save"}).err,
            "is not a name, a number, a lineage (16 hex digits) or a file"));
}

TEST_CASE("show: name, number, lineage", "[show]") {
  Team team;
  REQUIRE(team.Revctl("ann", {"reserve", "SR_BOSS", "-m", "the boss"}).status == 0);
  team.sandbox.Write("ann/src/save.cpp", "ADD(SR_BOSS, boss);\n");
  team.sandbox.CommitAll("ann", "boss");
  for (const char* what : {"SR_BOSS", "3"}) {
    const std::string text = team.Revctl("ann", {"show", what}).out;
    INFO(text);
    CHECK(text.find("list     SR_BOSS = 3, src/master_version_list.h:5, pending") !=
          std::string::npos);
    CHECK(text.find("ledger   reserve SR_BOSS 3, ") != std::string::npos);
    CHECK(text.find("by ann <ann@studio.example>") != std::string::npos);
    CHECK(text.find("commit   SR_BOSS was added by ") != std::string::npos);
    CHECK(text.find("code     src/save.cpp:1:ADD(SR_BOSS, boss);") != std::string::npos);
  }
  CHECK(team.Revctl("ann", {"show", "SR_NONE"}).status == 1);
  // Comments and strings do not count as code, but scripts do.
  team.sandbox.Write(
      "ann/src/more.cpp",
      "/* the boss:\n   SR_BOSS */ auto s = R\"(\nSR_BOSS)\";\nADD(\n  SR_BOSS, b);\n");
  team.sandbox.Write("ann/tools/export.py", "if revision >= SR_BOSS:\n");
  const std::string code = team.Revctl("ann", {"show", "SR_BOSS"}).out;
  INFO(code);
  CHECK(code.find("code     src/more.cpp:5:  SR_BOSS, b);") != std::string::npos);
  CHECK(code.find("src/more.cpp:2:") == std::string::npos);
  CHECK(code.find("src/more.cpp:3:") == std::string::npos);
  CHECK(code.find("code     tools/export.py:1:") != std::string::npos);
  // Escape sequences in comments do not reach the terminal.
  team.sandbox.Write("ann/src/save.cpp", "ADD(SR_BOSS, boss);  // \033[2J\n");
  const std::string shown = team.Revctl("ann", {"show", "SR_BOSS"}).out;
  CHECK(shown.find('\033') == std::string::npos);
  CHECK(shown.find("// \\x1b[2J") != std::string::npos);
  team.sandbox.Write("ann/src/save.cpp", "ADD(SR_BOSS, boss);\n");
  CHECK(team.Revctl("ann", {"show", "$(id)"}).status == 2);

  // A file's lineage identifies the list as it was before Ann renumbered it.
  const auto json = nlohmann::json::parse(team.Revctl("ann", {"list", "--json"}).out);
  const std::string lineage = json.at("lists").at(0).at("revisions").at(2).at("lineage");
  REQUIRE(team.Revctl("bob", {"reserve", "SR_STAMINA"}).status == 0);
  team.Land("bob");
  team.InstallDriver("ann");
  team.sandbox.Git("ann", {"pull", "-q", "--no-rebase", "--no-edit"});
  REQUIRE(team.Revctl("ann", {"fix"}).status == 0);
  team.sandbox.CommitAll("ann", "renumbered");
  const std::string found = team.Revctl("ann", {"show", lineage}).out;
  INFO(found);
  CHECK(found.find("SR_BOSS = 3 in ") != std::string::npos);
  CHECK(found.find("revctl show " + lineage + " --output theirs.h") != std::string::npos);
  CHECK(found.find("convert FILE --written-with theirs.h --to-revision SR_BOSS") !=
        std::string::npos);
  // The list can be exported as C++ or JSON for `convert --written-with`.
  CHECK(team.Revctl("ann", {"show", lineage, "--output", "old.json"}).status == 0);
  const auto old = nlohmann::json::parse(team.sandbox.Read("ann/old.json")).at("lists").at(0);
  CHECK(old.at("latest").at("name") == "SR_BOSS");
  CHECK(old.at("revisions").at(2).at("number") == 3);
  CHECK(old.at("revisions").at(2).at("lineage") == lineage);
  CHECK(team.Revctl("ann", {"show", lineage, "--output", "old.h"}).status == 0);
  CHECK(team.sandbox.Read("ann/old.h").find("{\"SR_BOSS\", 3, 0x" + lineage + "u}") !=
        std::string::npos);
  CHECK(team.Revctl("ann", {"show", lineage, "--output", "no/such/folder/old.h"}).status == 3);
  CHECK(team.Revctl("ann", {"show", "SR_BOSS", "--output", "old.h"}).status == 2);
  CHECK(team.Revctl("ann", {"show", "0123456789abcdef"}).status == 1);
}

TEST_CASE("show: finds a name's commit beneath later edits of its line", "[show]") {
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
  const std::string text = team.Revctl("ann", {"show", "SR_BOSS"}).out;
  INFO(text);
  CHECK(text.find("commit   SR_BOSS was added by " + brought) != std::string::npos);
}

namespace {

/// Returns the lineage of the list's latest revision, which a file saved now would contain.
std::string LineageNow(const Team& team, const std::string& person) {
  return nlohmann::json::parse(team.Revctl(person, {"list", "--json"}).out)
      .at("lists")
      .at(0)
      .at("revisions")
      .back()
      .at("lineage");
}

void WriteList(const Team& team, const std::string& file, const std::string& entries) {
  team.sandbox.Write(file,
                     "#pragma once\nenum Revision {\n    SR_INITIAL=1,// ae: the beginning\n    "
                     "SR_FOULS=2,// ae: fouls\n" +
                         entries + "};\n");
}

}  // namespace

TEST_CASE("show: a list that a merge has discarded", "[show][lineage]") {
  Team team;
  team.sandbox.Git("ann", {"checkout", "-q", "-b", "ghost"});
  WriteList(team, std::string("ann/") + Team::kList, "    SR_GHOST=3,\n");
  team.sandbox.CommitAll("ann", "ghost");
  const std::string lineage = LineageNow(team, "ann");
  WriteList(team, std::string("ann/") + Team::kList, "");
  team.sandbox.CommitAll("ann", "no ghost");
  team.sandbox.Git("ann", {"checkout", "-q", "main"});
  team.sandbox.Git("ann", {"merge", "-q", "-s", "ours", "--no-edit", "ghost"});
  team.sandbox.Git("ann", {"branch", "-q", "-D", "ghost"});
  team.sandbox.Git("ann", {"reflog", "expire", "--expire=all", "--all"});
  const std::string found = team.Revctl("ann", {"show", lineage}).out;
  CHECK(found.find("SR_GHOST = 3 in ") != std::string::npos);
}

TEST_CASE("show: a list at its former path", "[show][lineage]") {
  Team team;
  WriteList(team, std::string("ann/") + Team::kList, "    SR_EARLY=3,\n");
  team.sandbox.CommitAll("ann", "early");
  const std::string lineage = LineageNow(team, "ann");
  // The change to `.revctl.yaml` also moves the list, and changes the list so much that git does
  // not detect a rename.
  team.sandbox.Git("ann", {"rm", "-q", "--cached", Team::kList});
  std::filesystem::remove(team.sandbox.Path(std::string("ann/") + Team::kList));
  team.sandbox.Write("ann/save/revisions.h",
                     "/*\n" + std::string(4000, '-') +
                         "\n*/\nenum Revision {\n  SR_INITIAL = 1,\n  SR_FOULS = 2,\n};\n");
  team.sandbox.Write("ann/.revctl.yaml", "version: 1\nlists: [{path: save/revisions.h}]\n");
  team.sandbox.CommitAll("ann", "moved");
  const std::string found = team.Revctl("ann", {"show", lineage}).out;
  INFO(found);
  CHECK(found.find("SR_EARLY = 3 in ") != std::string::npos);
  CHECK(found.find(", src/master_version_list.h") != std::string::npos);
}

TEST_CASE("show: exports the list in a stash", "[show][lineage]") {
  Team team;
  REQUIRE(team.Revctl("ann", {"reserve", "SR_P"}).out == "SR_P = 3\n");
  const std::string lineage = LineageNow(team, "ann");
  team.sandbox.Git("ann", {"stash", "-q"});
  CHECK(team.Revctl("ann", {"show", lineage}).out.find("SR_P = 3 in ") != std::string::npos);
  REQUIRE(team.Revctl("ann", {"show", lineage, "--output", "old.json"}).status == 0);
  const auto old =
      nlohmann::json::parse(team.sandbox.Read("ann/old.json")).at("lists").at(0).at("revisions");
  REQUIRE(old.size() == 3);
  CHECK(old.back().at("lineage") == lineage);
  CHECK(team.Revctl("ann", {"show", "0123456789abcdef"}).status == 1);
}
