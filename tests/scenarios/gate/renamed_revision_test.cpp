// The gate rejects renaming landed revisions.
#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "tests/scenarios/team.h"

using namespace revctl::testing;

namespace {

void Append(const Team& team, const std::string& person, const std::string& line) {
  std::string text = team.List(person);
  team.sandbox.Write(person + "/" + Team::kList,
                     text.insert(text.rfind("};"), "    " + line + "\n"));
}

/// Returns rule, name and line of each error of `check` in ann's clone: "RV004 SR_X 5".
std::string Found(const Team& team, std::vector<std::string> options = {}) {
  options.insert(options.begin(), {"check", "--json"});
  const auto result = team.Revctl("ann", options);
  std::string out;
  INFO(result.out << result.err);
  const auto findings = nlohmann::json::parse(result.out).at("findings");
  for (const auto& finding : findings) {
    if (finding.at("severity") != "error") continue;
    out += (out.empty() ? "" : ", ") + finding.at("rule").get<std::string>() + " " +
           finding.at("revision").get<std::string>() + " " +
           std::to_string(finding.at("line").get<int>());
  }
  CHECK(result.status == (out.empty() ? 0 : 1));
  return out;
}

}  // namespace

TEST_CASE("a new name of a landed revision is frozen once it has landed", "[check][names]") {
  Team team;
  Append(team, "ann", "SR_BOSS=SR_FOULS,");
  team.sandbox.Write("ann/src/boss.cpp", "ADD(SR_BOSS, phases);\n");
  CHECK(Found(team).empty());
  team.Land("ann");
  std::string text = team.List("ann");
  team.sandbox.Write(std::string("ann/") + Team::kList,
                     text.replace(text.find("=SR_FOULS"), 9, "=SR_INITIAL"));
  CHECK(Found(team) == "RV004 SR_BOSS 5");
}
