// The gate over other names for revisions: what is landed stays, and what is new and used by code a
// person must declare.
#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "revctl/commands/team_test.h"

using namespace revctl::testing;

namespace {

void Append(const Team& team, const std::string& person, const std::string& line) {
  std::string text = team.List(person);
  team.sandbox.Write(person + "/" + Team::kList,
                     text.insert(text.rfind("};"), "    " + line + "\n"));
}

/// `check` in ann's clone: "RV027 SR_X 5", rule, name and line of each error.
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

TEST_CASE("RV027: a landed revision's new name is declared or refused", "[check][names]") {
  Team team;
  Append(team, "ann", "SR_BOSS=SR_FOULS,");
  CHECK(Found(team).empty());  // a word for people, so far
  team.sandbox.Write("ann/src/boss.cpp",
                     "// SR_BOSS\nint x;\nADD(SR_BOSS, phases);\nADD(SR_BOSS, more);\n");
  CHECK(Found(team) == "RV027 SR_BOSS 5");
  CHECK(team.Revctl("ann", {"check"})
            .out.find("src/boss.cpp:3), and only another name for SR_FOULS (2)") !=
        std::string::npos);
  // The hook before a commit, and the server, which has no work tree.
  team.sandbox.Git("ann", {"add", "-A"});
  CHECK(Found(team, {"--staged"}) == "RV027 SR_BOSS 5");
  team.GuardServer();
  team.sandbox.Git("ann", {"commit", "-q", "--no-verify", "-m", "boss"});
  const auto push =
      team.sandbox.Run("ann", {"git", "push", "-q", "--no-verify", "origin", "HEAD:main"});
  CHECK(push.status != 0);
  CHECK(push.err.find("RV027") != std::string::npos);
  // Declared in the same change it counts for nothing yet; declared before, it is meant.
  team.sandbox.Write(
      "ann/.revctl.yaml",
      "version: 1\nlists: [{path: src/master_version_list.h, aliases: [SR_BOSS]}]\n");
  CHECK(Found(team) == "RV027 SR_BOSS 5");
  team.sandbox.Git("ann", {"stash", "-q"});
  team.sandbox.Git("ann", {"checkout", "-q", "-b", "policy", "origin/main"});
  team.sandbox.Git("ann", {"stash", "pop", "-q"});
  team.Land("ann");
  team.sandbox.Git("ann", {"checkout", "-q", "-"});
  team.sandbox.Git("ann", {"merge", "-q", "--no-edit", "policy"});
  CHECK(Found(team).empty());
  team.sandbox.Git("ann", {"push", "-q", "origin", "HEAD:main"});
  // Landed, it is as frozen as what it names.
  std::string text = team.List("ann");
  team.sandbox.Write(std::string("ann/") + Team::kList,
                     text.replace(text.find("=SR_FOULS"), 9, "=SR_INITIAL"));
  CHECK(Found(team) == "RV004 SR_BOSS 5");
}
