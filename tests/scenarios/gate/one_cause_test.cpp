// Tests that text output combines findings with a common cause into one, and that JSON output keeps
// every finding.
#include <fmt/core.h>

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "tests/scenarios/findings.h"
#include "tests/scenarios/team.h"

using namespace revctl::testing;

namespace {

constexpr int kMany = 40;

std::string NameOf(int number) { return "SR_R" + std::to_string(number); }

/// Returns a list of `kMany` revisions. `line` returns the line for each entry.
template <class Line>
std::string ListOf(Line line) {
  std::string text = "#pragma once\nenum Revision {\n";
  for (int i = 1; i <= kMany; ++i) text += line(i);
  return text + "};\n";
}

std::string Entry(int i, int number, const std::string& comment = "") {
  return "    " + NameOf(i) + " = " + std::to_string(number) + "," + comment + "\n";
}

std::string Config(const std::string& more = "") {
  return "version: 1\nreservation: optional\nlists: [{path: src/master_version_list.h" + more +
         "}]\n";
}

/// Lands a list of kMany revisions, and a config with the extra keys `more` for that list.
void LandMany(const Team& team, const std::string& more = "") {
  team.sandbox.Write("ann/.revctl.yaml", Config(more));
  team.sandbox.Write(std::string("ann/") + Team::kList,
                     ListOf([](int i) { return Entry(i, i, "  // " + std::to_string(i)); }));
  team.Land("ann");
  team.sandbox.Git("ann", {"fetch", "-q"});
}

std::size_t Count(const std::string& text, const std::string& what) {
  std::size_t count = 0;
  for (auto at = text.find(what); at != std::string::npos; at = text.find(what, at + 1)) ++count;
  return count;
}

/// Checks Ann's list. The text output must contain one finding for the rule and the number of
/// further findings, and the JSON output must contain `all` findings.
void OneFinding(const Team& team, const std::string& severity_and_rule, std::size_t all,
                const std::string& first) {
  const auto text = team.Revctl("ann", {"check"});
  INFO(text.out << text.err);
  CHECK(Count(text.out, severity_and_rule) == 1);
  CHECK_THAT(text.out,
             Catch::Contains(first) &&
                 Catch::Contains(fmt::format("\n  {} more with the same cause:\n", all - 1)) &&
                 Catch::Contains(fmt::format("\n  and {} more\n", all - 3)));
  CHECK(Count(text.out, "\n") < 25);
  const auto json = nlohmann::json::parse(team.Revctl("ann", {"check", "--json"}).out);
  std::size_t kept = 0;
  for (const auto& finding : json.at("findings"))
    kept += severity_and_rule.find(finding.at("rule").get<std::string>()) != std::string::npos;
  CHECK(kept == all);
}

}  // namespace

TEST_CASE("one cause: many landed entries are missing", "[check][fold]") {
  const Team team;
  LandMany(team);
  team.sandbox.Write(std::string("ann/") + Team::kList,
                     ListOf([](int i) { return i == 1 ? Entry(1, 1) : std::string(); }));
  OneFinding(team, "error[RV003]", kMany - 1, "SR_R2 (2, line 4 on origin/main");
}

TEST_CASE("one cause: many landed entries are renumbered", "[check][fold]") {
  const Team team;
  LandMany(team);
  team.sandbox.Write(std::string("ann/") + Team::kList,
                     ListOf([](int i) { return Entry(i, i + 100); }));
  OneFinding(team, "error[RV004]", kMany, "SR_R1 (1, line 3 on origin/main");
}

TEST_CASE("one cause: many numbers in comments are outdated", "[check][fold]") {
  const Team team;
  LandMany(team);
  std::string list = team.List("ann");
  std::string pending;
  for (int i = kMany + 1; i <= kMany + 30; ++i)
    pending += Entry(i, i, "  // " + std::to_string(i + 1));
  team.sandbox.Write(std::string("ann/") + Team::kList, list.insert(list.find("};"), pending));
  OneFinding(team, "warning[RV010]", 30, "SR_R41 is 41, but its comment says 42");
}

TEST_CASE("one cause: many pending revisions are unreserved or unused in code", "[check][fold]") {
  const Team team;
  const std::string list = ListOf([](int i) { return Entry(i, i + 2); });
  team.sandbox.Write(std::string("ann/") + Team::kList,
                     "#pragma once\nenum Revision {\n    SR_INITIAL=1,// ae: the beginning\n"
                     "    SR_FOULS=2,// ae: fouls\n" +
                         list.substr(list.find("    ")));
  OneFinding(team, "error[RV011]", kMany, "SR_R1 (3) is not reserved");
}

TEST_CASE("one cause: many pending revisions have no goldens", "[check][fold]") {
  const Team team;
  team.sandbox.Write("ann/.revctl.yaml", Config(", golden: golden"));
  team.sandbox.Write("ann/golden/SR_INITIAL.yaml", "version: 1\n");  // as if recorded by a harness
  team.Land("ann");
  const std::string list = ListOf([](int i) { return Entry(i, i + 2); });
  team.sandbox.Write(std::string("ann/") + Team::kList,
                     "#pragma once\nenum Revision {\n    SR_INITIAL=1,// ae: the beginning\n"
                     "    SR_FOULS=2,// ae: fouls\n" +
                         list.substr(list.find("    ")));
  team.sandbox.CommitAll("ann", "many");
  OneFinding(team, "error[RV020]", kMany, "SR_R1 has no goldens");
}

TEST_CASE("one cause: many goldens of landed revisions are edited", "[check][fold]") {
  const Team team;
  const auto write = [&](const std::string& text) {
    for (int i = 1; i <= kMany; ++i) team.sandbox.Write("ann/golden/" + NameOf(i) + ".yaml", text);
  };
  write("version: 1\n");
  LandMany(team, ", golden: golden");
  write("version: 2\n");
  OneFinding(team, "error[RV019]", kMany, "of the landed SR_R1 was edited");
  const auto text = team.Revctl("ann", {"check"});
  CHECK_THAT(
      text.out,
      Catch::Contains("The other findings have similar fixes; --format json lists all of them."));
}
