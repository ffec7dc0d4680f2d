// whois LINEAGE: the list that a stray file was written with, wherever it may still be found.
#include <catch2/catch.hpp>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "tests/scenarios/team.h"

using namespace revctl::testing;

namespace {

/// The lineage of the list's latest revision, as a file saved now would carry it.
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

TEST_CASE("whois: a list that a merge has thrown away", "[tools][lineage]") {
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
  const std::string found = team.Revctl("ann", {"whois", lineage}).out;
  CHECK(found.find("SR_GHOST = 3 in ") != std::string::npos);
}

TEST_CASE("whois: a list under the path that it had before", "[tools][lineage]") {
  Team team;
  WriteList(team, std::string("ann/") + Team::kList, "    SR_EARLY=3,\n");
  team.sandbox.CommitAll("ann", "early");
  const std::string lineage = LineageNow(team, "ann");
  // Moved with `.revctl.yaml`, and changed so much that git sees no renaming.
  team.sandbox.Git("ann", {"rm", "-q", "--cached", Team::kList});
  std::filesystem::remove(team.sandbox.Path(std::string("ann/") + Team::kList));
  team.sandbox.Write("ann/save/revisions.h",
                     "/*\n" + std::string(4000, '-') +
                         "\n*/\nenum Revision {\n  SR_INITIAL = 1,\n  SR_FOULS = 2,\n};\n");
  team.sandbox.Write("ann/.revctl.yaml", "version: 1\nlists: [{path: save/revisions.h}]\n");
  team.sandbox.CommitAll("ann", "moved");
  const std::string found = team.Revctl("ann", {"whois", lineage}).out;
  INFO(found);
  CHECK(found.find("SR_EARLY = 3 in ") != std::string::npos);
  CHECK(found.find(", src/master_version_list.h") != std::string::npos);
}

TEST_CASE("whois: the list of a stash is written out", "[tools][lineage]") {
  Team team;
  REQUIRE(team.Revctl("ann", {"reserve", "SR_P"}).out == "SR_P = 3\n");
  const std::string lineage = LineageNow(team, "ann");
  team.sandbox.Git("ann", {"stash", "-q"});
  CHECK(team.Revctl("ann", {"whois", lineage}).out.find("SR_P = 3 in ") != std::string::npos);
  REQUIRE(team.Revctl("ann", {"whois", lineage, "--output", "old.json"}).status == 0);
  const auto old =
      nlohmann::json::parse(team.sandbox.Read("ann/old.json")).at("lists").at(0).at("revisions");
  REQUIRE(old.size() == 3);
  CHECK(old.back().at("lineage") == lineage);
  CHECK(team.Revctl("ann", {"whois", "0123456789abcdef"}).status == 1);
}
