#pragma once
#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "tests/scenarios/team.h"

// Helpers that return the findings of `check` as a line of rule ids.
namespace revctl::testing {

/// Returns the rules of the errors in the output of `check --json`, in order, such as "RV006
/// RV011". If `warnings` is set, returns the rules of all findings.
inline std::string Rules(const base::ProcessResult& result, bool warnings = false) {
  const auto json = nlohmann::json::parse(result.out);
  std::string out;
  for (const auto& finding : json.at("findings")) {
    if (warnings || finding.at("severity") == "error")
      out += (out.empty() ? "" : " ") + finding.at("rule").get<std::string>();
  }
  return out;
}

/// Runs `check` and returns the rules of its errors. Fails the test if the exit code does not match
/// the errors.
inline std::string Check(const Team& team, const std::string& person,
                         std::vector<std::string> options = {},
                         const std::vector<std::string>& environment = {}) {
  options.insert(options.begin(), {"check", "--json"});
  const auto result = team.Revctl(person, options, environment);
  INFO(result.out << result.err);
  REQUIRE(result.status <= 1);
  const std::string rules = Rules(result);
  CHECK(result.status == (rules.empty() ? 0 : 1));
  return rules;
}

}  // namespace revctl::testing
