// Tests renamed landed revisions: the gate rejects the rename, and `fix` preserves the meaning of
// the code or asks the user to decide.
#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "tests/scenarios/findings.h"
#include "tests/scenarios/landing_team.h"

using namespace revctl::testing;

namespace {

void Append(const Team& team, const std::string& person, const std::string& line) {
  std::string text = team.List(person);
  team.sandbox.Write(person + "/" + Team::kList,
                     text.insert(text.rfind("};"), "    " + line + "\n"));
}

/// Returns the rule, name and line of each error that `check` reports in Ann's clone, such as
/// "RV004 SR_X 5".
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

/// Landed code that depends on SR_FOULS.
constexpr const char* kCode = "ADD(SR_FOULS, fouls);\nif (r.revision < SR_FOULS) fouls = 0;\n";

/// A team whose landed code depends on SR_FOULS. Ann renames SR_FOULS in the list and, in some
/// tests, in the code as well.
struct Renaming : Team {
  Renaming() {
    InstallDriver("ann");
    sandbox.Write("ann/src/fouls.cpp", kCode);
    Land("ann");
    sandbox.Git("bob", {"pull", "-q"});
  }
  void InList(const std::string& from = "SR_FOULS", const std::string& to = "SR_FAULTS") const {
    Replace("src/master_version_list.h", from, to);
  }
  void InCode() const {
    Replace("src/fouls.cpp", "SR_FOULS", "SR_FAULTS");
    Replace("src/fouls.cpp", "SR_FOULS", "SR_FAULTS");
  }
  void Replace(const std::string& file, const std::string& from, const std::string& to) const {
    std::string text = sandbox.Read("ann/" + file);
    const std::size_t at = text.find(from);
    if (at == std::string::npos) throw std::runtime_error(file + " has no " + from + "\n" + text);
    sandbox.Write("ann/" + file, text.replace(at, from.size(), to));
  }
  std::string Code() const { return sandbox.Read("ann/src/fouls.cpp"); }
  /// Checks that `check` and `fix` ask the user to decide, and that `fix` changes nothing.
  void ExpectQuestion() const {
    const std::string before = sandbox.Snapshot("ann");
    const auto check = Revctl("ann", {"check"});
    const auto fixed = Revctl("ann", {"fix"});
    INFO(check.out << check.err << "fix:\n" << fixed.out << fixed.err);
    CHECK(check.status == 1);
    CHECK(Has(check.out, "error[RV005]: SR_FOULS (2, line 4 on origin/main at "));
    CHECK(Has(check.out, kDecision));
    CHECK_FALSE(Has(check.out, "revctl fix repairs"));
    CHECK(fixed.status == 1);
    CHECK(Has(fixed.out, kDecision));
    CHECK_FALSE(Has(fixed.out, "fix: revctl fix\n"));
    CHECK(sandbox.Snapshot("ann") == before);
  }
  static constexpr const char* kDecision =
      "fix: if SR_FAULTS is a new name for SR_FOULS: restore SR_FOULS = 2 and add SR_FAULTS = "
      "SR_FOULS below it\n     if it is a mistake: change SR_FAULTS back to SR_FOULS in the list "
      "and in the code\n     if it is a separate revision: remove its line, then run revctl "
      "reserve "
      "SR_FAULTS and revctl fix\n";
};

}  // namespace

TEST_CASE("rename: fix keeps the old name if the code only changed the name", "[fix][names]") {
  const Renaming team;
  team.InList();
  team.InCode();
  const std::string code = team.Code();
  SECTION("not committed yet") {}
  SECTION("committed") {
    team.sandbox.Git("ann", {"commit", "-q", "--no-verify", "-a", "-m", "a better word"});
  }
  SECTION("next to a pending revision") {
    REQUIRE(team.Revctl("ann", {"reserve", "SR_BOSS"}).status == 0);
    team.sandbox.Write("ann/src/boss.cpp", "ADD(SR_BOSS, boss);\n");
  }
  const bool pending = team.sandbox.Exists("ann/src/boss.cpp");
  const auto check = team.Revctl("ann", {"check"});
  INFO(check.out << check.err);
  CHECK(Has(check.out, "error[RV005]"));
  CHECK(Has(check.out, "fix: revctl fix\n"));
  CHECK(Has(check.out, "revctl fix repairs 1 of 1 finding"));
  const auto dry = team.Revctl("ann", {"fix", "--dry-run"});
  CHECK(Has(dry.out, "+    SR_FAULTS=SR_FOULS,\n"));
  const auto fixed = team.Revctl("ann", {"fix"});
  INFO(fixed.out << fixed.err);
  CHECK(fixed.status == 0);
  CHECK(Has(fixed.out, "restored the name SR_FOULS, and made SR_FAULTS an alias for it\n"));
  CHECK(team.List("ann") ==
        "#pragma once\nenum Revision {\n    SR_INITIAL=1,// ae: the beginning\n"
        "    SR_FOULS=2,// ae: fouls\n    SR_FAULTS=SR_FOULS,\n" +
            std::string(pending ? "    SR_BOSS=3,\n" : "") + "};\n");
  CHECK(team.Code() == code);
  CHECK(Check(team, "ann").empty());
  CHECK(Has(team.Revctl("ann", {"fix"}).err, "OK: nothing to fix"));
}

TEST_CASE("rename: the latest revision, which `current` names", "[fix][names]") {
  const Renaming team;
  team.sandbox.Write("ann/.revctl.yaml",
                     "version: 1\nlists: [{path: src/master_version_list.h, current: SR_NOW}]\n");
  team.InList("};\n", "    SR_NOW=SR_FOULS,\n};\n");
  team.Land("ann");
  team.InList();
  team.InList("SR_NOW=SR_FOULS", "SR_NOW=SR_FAULTS");
  team.InCode();
  const auto fixed = team.Revctl("ann", {"fix"});
  INFO(fixed.out << fixed.err << team.List("ann"));
  CHECK(fixed.status == 0);
  CHECK(Has(team.List("ann"), "    SR_FOULS=2,// ae: fouls\n    SR_FAULTS=SR_FOULS,\n"));
  CHECK(Check(team, "ann").empty());
}

TEST_CASE("rename: any other change in the code needs a person's decision", "[fix][names]") {
  const Renaming team;
  team.InList();
  SECTION("no code uses the new name") {}
  SECTION("some code uses the new name") { team.Replace("src/fouls.cpp", "SR_FOULS", "SR_FAULTS"); }
  SECTION("a new line uses the new name") {
    team.InCode();
    team.sandbox.Write("ann/src/faults.cpp", "ADD(SR_FAULTS, faults);\n");
  }
  SECTION("other code uses it") {
    team.sandbox.Write("ann/src/fouls.cpp", "ADD(SR_FAULTS, faults);\n");
  }
  SECTION("committed") {
    team.sandbox.Git("ann", {"commit", "-q", "--no-verify", "-a", "-m", "a better word"});
  }
  SECTION("copied first, and the old line removed in a second commit") {
    team.Replace("src/master_version_list.h", "SR_FAULTS=2,", "SR_FOULS=2,\n    SR_FAULTS=2,");
    team.sandbox.Git("ann", {"commit", "-q", "--no-verify", "-a", "-m", "both"});
    team.Replace("src/master_version_list.h", "    SR_FOULS=2,\n", "");
    team.sandbox.Git("ann", {"commit", "-q", "--no-verify", "-a", "-m", "one"});
  }
  team.ExpectQuestion();
}

TEST_CASE("rename: every way to resolve the question passes check", "[fix][names]") {
  const Renaming team;
  REQUIRE(team.Revctl("ann", {"reserve", "SR_BOSS"}).status == 0);
  team.sandbox.Write("ann/src/boss.cpp", "ADD(SR_BOSS, boss);\n");
  team.sandbox.CommitAll("ann", "boss");
  team.InList();
  team.InCode();
  team.sandbox.Write("ann/src/faults.cpp", "ADD(SR_FAULTS, faults);\n");
  team.ExpectQuestion();
  SECTION("it is a new name") {
    team.InList("SR_FAULTS=2,", "SR_FOULS=2,");
    team.InList("    SR_BOSS", "    SR_FAULTS=SR_FOULS,\n    SR_BOSS");
    CHECK(team.Revctl("ann", {"fix"}).status == 0);
    CHECK(team.Numbers("ann") == "SR_INITIAL=1 SR_FOULS=2 SR_BOSS=3");
  }
  SECTION("it was a mistake") {
    team.InList("SR_FAULTS", "SR_FOULS");
    team.sandbox.Write("ann/src/fouls.cpp", kCode);
    team.sandbox.Write("ann/src/faults.cpp", "ADD(SR_BOSS, faults);\n");
  }
  SECTION("it is a separate revision") {
    team.InList("    SR_FAULTS=2,// ae: fouls\n", "");
    const auto reserved = team.Revctl("ann", {"reserve", "SR_FAULTS"});
    INFO(reserved.out << reserved.err << team.List("ann"));
    REQUIRE(reserved.status == 0);
    CHECK(reserved.out == "SR_FAULTS = 4\n");
    const auto fixed = team.Revctl("ann", {"fix"});
    INFO(fixed.out << fixed.err << team.List("ann"));
    CHECK(fixed.status == 0);
    CHECK(team.Numbers("ann") == "SR_INITIAL=1 SR_FOULS=2 SR_BOSS=3 SR_FAULTS=4");
    CHECK(Has(team.List("ann"), "    SR_FOULS=2,// ae: fouls\n"));
  }
  CHECK(Check(team, "ann").empty());
}

TEST_CASE("rename: land stops before joining a target that has moved", "[land][names]") {
  const Renaming team;
  team.sandbox.Git("ann", {"checkout", "-q", "-b", "words"});
  team.InList();
  if (GENERATE(false, true)) team.InCode();
  team.sandbox.Git("ann", {"commit", "-q", "--no-verify", "-a", "-m", "a better word"});
  const std::string head = team.sandbox.Git("ann", {"rev-parse", "HEAD"});
  const std::string main = team.sandbox.Git("srv/game.git", {"rev-parse", "main"});
  auto land = team.Revctl("ann", {"land"});
  INFO(land.out << land.err);
  CHECK(land.status == 1);
  CHECK(Has(land.out + land.err, "RV005"));
  REQUIRE(team.Revctl("bob", {"reserve", "SR_BOSS"}).status == 0);
  team.Land("bob");
  land = team.Revctl("ann", {"land"});
  INFO(land.out << land.err);
  CHECK(land.status == 1);
  CHECK(Has(land.out + land.err, "RV005"));
  CHECK(team.sandbox.Git("ann", {"rev-parse", "HEAD"}) == head);
  CHECK(team.sandbox.Git("srv/game.git", {"log", "-1", "--format=%s", "main"}) == "work of bob");
  CHECK(main != head);
}

TEST_CASE("rename: with numbers at landing", "[fix][names][fold]") {
  const LandingTeam team({"ann"});
  team.sandbox.Write("ann/src/fouls.cpp", kCode);
  team.sandbox.CommitAll("ann", "code");
  team.sandbox.Git("ann", {"push", "-q", "--no-verify", "origin", "HEAD:main"});
  team.sandbox.Git("ann", {"fetch", "-q"});
  const auto replace = [&](const std::string& file, const std::string& from,
                           const std::string& to) {
    std::string text = team.sandbox.Read("ann/" + file);
    for (std::size_t at = text.find(from); at != std::string::npos; at = text.find(from, at + 1))
      text.replace(at, from.size(), to);
    team.sandbox.Write("ann/" + file, text);
  };
  replace(Team::kList, "SR_FOULS", "SR_FAULTS");
  SECTION("fix preserves the meaning") {
    replace("src/fouls.cpp", "SR_FOULS", "SR_FAULTS");
    const auto fixed = team.Revctl("ann", {"fix"});
    INFO(fixed.out << fixed.err << team.List("ann"));
    CHECK(fixed.status == 0);
    CHECK(Has(team.List("ann"), "    SR_FOULS=2,// ae: fouls\n    SR_FAULTS=SR_FOULS,\n"));
    CHECK_FALSE(team.sandbox.Exists("ann/" + std::string(kFolder) + "SR_FAULTS.yaml"));
  }
  SECTION("fix asks the user") {
    const std::string before = team.List("ann");
    const auto check = team.Revctl("ann", {"check"});
    const auto fixed = team.Revctl("ann", {"fix"});
    INFO(check.out << check.err << fixed.out << fixed.err << team.List("ann"));
    CHECK(Has(check.out, "error[RV005]"));
    CHECK(fixed.status == 1);
    CHECK(Has(fixed.out, "if SR_FAULTS is a new name for SR_FOULS: "));
    CHECK(team.List("ann") == before);
    // The user decides that SR_FAULTS is a new revision.
    replace(Team::kList, "    SR_FAULTS=2,// ae: fouls\n", "");
    const auto reserved = team.Revctl("ann", {"reserve", "SR_FAULTS"});
    INFO(reserved.out << reserved.err);
    CHECK(reserved.status == 0);
    const auto again = team.Revctl("ann", {"fix"});
    INFO(again.out << again.err << team.List("ann"));
    CHECK(again.status == 0);
    CHECK(Has(team.List("ann"), "    SR_FOULS=2,// ae: fouls\n"));
    CHECK_FALSE(Has(team.List("ann"), "SR_FAULTS"));
    CHECK(team.sandbox.Exists("ann/" + std::string(kFolder) + "SR_FAULTS.yaml"));
  }
  CHECK(Check(team, "ann").empty());
}

TEST_CASE("rename: a new name for a landed revision is frozen once it lands", "[check][names]") {
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
