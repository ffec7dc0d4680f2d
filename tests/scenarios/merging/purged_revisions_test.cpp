// Tests that purged revisions stay purged, even if other branches still contain them.
#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "revctl/base/system/process.h"
#include "tests/scenarios/findings.h"
#include "tests/scenarios/record_text.h"
#include "tests/scenarios/team.h"

using namespace revctl::testing;

namespace {

/// A team in which Ann has landed revisions 1 to 5 and purged all revisions below 3. Bob's branch
/// began before the purge.
struct Purged : Team {
  std::string edited;  ///< Bob's list, with a different comment on SR_FOULS

  explicit Purged(bool bob_edits) {
    GuardServer();
    InstallDriver("ann");
    InstallDriver("bob");
    for (const std::string name : {"SR_A", "SR_B", "SR_C"})
      Revctl("ann", {"reserve", name, "-m", name});
    sandbox.CommitAll("ann", "a, b, c");
    sandbox.Git("ann", {"push", "-q", "origin", "HEAD:main"});
    sandbox.Git("bob", {"pull", "-q"});
    sandbox.Git("bob", {"checkout", "-q", "-b", "old"});
    sandbox.Write("bob/save.cpp", "ADD(SR_FOULS, b);\n");
    if (bob_edits) {
      std::string list = List("bob");
      list.replace(list.find("ae: fouls"), 9, "ae: fouls, all of them");
      sandbox.Write(std::string("bob/") + kList, list);
    } else {
      Revctl("bob", {"reserve", "SR_OLD", "-m", "old"});
      sandbox.Write("bob/save.cpp", "ADD(SR_FOULS, b);\nADD(SR_OLD, c);\n");
    }
    sandbox.CommitAll("bob", "old");
    auto purge = Revctl("ann", {"purge", "--below", "SR_A"});
    REQUIRE(purge.status == 0);
    sandbox.CommitAll("ann", "purge");
    sandbox.Git("ann", {"push", "-q", "origin", "HEAD:main"});
    sandbox.Git("bob", {"fetch", "-q"});
  }

  revctl::base::ProcessResult Push(const std::string& person) const {
    return sandbox.TryGit(person, {"push", "-q", "--no-verify", "origin", "HEAD:main"});
  }
  std::string LedgerTree() const {
    sandbox.TryGit("bob", {"fetch", "-q", "origin", "+refs/revctl/ledger:refs/test/ledger"});
    return sandbox.Git("bob", {"show", "refs/test/ledger:list.main"});
  }
};

}  // namespace

TEST_CASE("purge: an edit on an older branch does not restore the revision", "[purge]") {
  Purged team(true);
  auto merged = team.sandbox.TryGit("bob", {"merge", "--no-edit", "origin/main"});
  INFO(merged.out << merged.err << team.List("bob"));
  CHECK(merged.status == 0);
  CHECK((merged.out + merged.err)
            .find("SR_FOULS stays removed, because it was purged after landing") !=
        std::string::npos);
  CHECK(team.Numbers("bob") == "SR_A=3 SR_B=4 SR_C=5");
  auto renumbered = team.Revctl("bob", {"fix"});
  CHECK(renumbered.out.empty());
  auto check = team.Revctl("bob", {"check", "--fetch"});
  INFO(check.out << check.err);
  CHECK(check.status == 0);
}

TEST_CASE("purge: rebases, picks and merges of branches from before the purge", "[purge]") {
  Purged team(true);
  SECTION("rebase") {
    team.sandbox.Git("bob", {"rebase", "-q", "origin/main"});
    CHECK(team.Numbers("bob") == "SR_A=3 SR_B=4 SR_C=5");
  }
  SECTION("cherry-pick") {
    team.sandbox.Git("bob", {"checkout", "-q", "-B", "new", "origin/main"});
    team.sandbox.Git("bob", {"cherry-pick", "old"});
    CHECK(team.Numbers("bob") == "SR_A=3 SR_B=4 SR_C=5");
  }
  SECTION("a merge of two old branches keeps their common entries") {
    team.sandbox.Git("bob", {"checkout", "-q", "-b", "other", "old~1"});
    std::string list = team.List("bob");
    list.replace(list.find("ae: the beginning"), 17, "ae: the very beginning");
    team.sandbox.Write(std::string("bob/") + Team::kList, list);
    team.sandbox.CommitAll("bob", "other");
    team.sandbox.Git("bob", {"merge", "-q", "--no-edit", "old"});
    CHECK(team.Numbers("bob") == "SR_INITIAL=1 SR_FOULS=2 SR_A=3 SR_B=4 SR_C=5");
    CHECK(team.List("bob").find("the very beginning\n    SR_FOULS=2,// ae: fouls, all of them\n") !=
          std::string::npos);
    team.sandbox.Git("bob", {"merge", "-q", "--no-edit", "origin/main"});
    CHECK(team.Numbers("bob") == "SR_A=3 SR_B=4 SR_C=5");
  }
}

TEST_CASE("purge: an entry restored by hand is rejected", "[purge]") {
  Purged team(true);
  team.sandbox.Git("bob", {"merge", "-q", "--no-edit", "origin/main"});
  std::string list = team.List("bob");
  SECTION("its former number") {
    list.insert(list.find("    SR_A"), "    SR_FOULS=2,// ae: fouls\n");
  }
  SECTION("a new number") { list.insert(list.rfind("};"), "    SR_FOULS=6,// ae: fouls\n"); }
  team.sandbox.Write(std::string("bob/") + Team::kList, list);
  team.sandbox.TryGit("bob", {"commit", "-qam", "back", "--no-verify"});
  auto check = team.Revctl("bob", {"check", "--fetch"});
  INFO(check.out << check.err);
  CHECK(check.status == 1);
  CHECK(check.out.find("error[RV002]: SR_FOULS (") != std::string::npos);
  CHECK(check.out.find("RV006") == std::string::npos);
  CHECK(check.out.find("fix: revctl fix\n") != std::string::npos);
  auto pushed = team.Push("bob");
  CHECK(pushed.status != 0);
  CHECK(pushed.err.find("RV002") != std::string::npos);
  // A purged name cannot be reused, so `fix` removes the line.
  const auto fixed = team.Revctl("bob", {"fix"});
  CHECK(fixed.status == 0);
  CHECK(fixed.out.find("SR_FOULS is removed, because it was purged after landing") !=
        std::string::npos);
  CHECK(team.Numbers("bob") == "SR_A=3 SR_B=4 SR_C=5");
  const auto named = team.Revctl("bob", {"fix", "--last", "SR_FOULS"});
  CHECK(named.status == 1);
  CHECK(named.err.find("SR_FOULS landed on origin/main and was later purged") != std::string::npos);
}

TEST_CASE("purge: no other revision can get the name", "[purge]") {
  Purged team(false);
  for (const std::string person : {"ann", "bob"}) {
    auto reserved = team.Revctl(person, {"reserve", "SR_FOULS"});
    CHECK(reserved.status == 1);
    CHECK(reserved.err.find("SR_FOULS landed on origin/main and was later purged") !=
          std::string::npos);
  }
  CHECK(team.Revctl("bob", {"abandon", "SR_FOULS"}).status == 1);
}

TEST_CASE("purge: check and fix change nothing on an older branch", "[purge]") {
  Purged team(false);
  const std::string list = team.List("bob"), ledger = team.LedgerTree();
  auto check = team.Revctl("bob", {"check"});
  INFO(check.out << check.err);
  CHECK(check.out.find("RV006") == std::string::npos);
  CHECK(check.out.find("RV023") == std::string::npos);  // this branch changes no lineages
  CHECK(check.out.find("revctl fix") == std::string::npos);
  auto renumbered = team.Revctl("bob", {"fix"});
  CHECK(renumbered.out.empty());
  CHECK(team.List("bob") == list);
  CHECK(team.LedgerTree() == ledger);
  CHECK(team.Revctl("bob", {"status"}).out.find("SR_FOULS") == std::string::npos);
  CHECK(team.Revctl("bob", {"list"}).out.find("provisional") == std::string::npos);
  team.sandbox.Git("bob", {"merge", "-q", "--no-edit", "origin/main"});
  CHECK(team.Numbers("bob") == "SR_A=3 SR_B=4 SR_C=5 SR_OLD=6");
  check = team.Revctl("bob", {"check", "--fetch"});
  INFO(check.out << check.err);
  CHECK(check.status == 0);
}

TEST_CASE("purge: main moves on while the purge is on a branch", "[purge]") {
  Team team;
  team.InstallDriver("ann");
  team.sandbox.Git("ann", {"checkout", "-q", "-b", "smaller"});
  REQUIRE(team.Revctl("ann", {"purge", "--below", "SR_FOULS"}).status == 0);
  team.sandbox.CommitAll("ann", "purge");
  team.Revctl("bob", {"reserve", "SR_NEW"});
  team.Land("bob");
  team.sandbox.Git("ann", {"fetch", "-q"});
  team.sandbox.Git("ann", {"merge", "-q", "--no-edit", "origin/main"});
  CHECK(team.Numbers("ann") == "SR_FOULS=2 SR_NEW=3");
  auto check = team.Revctl("ann", {"check"});
  INFO(check.out << check.err);
  CHECK(check.status == 0);
}

TEST_CASE("purge: names accumulate from purge to purge", "[purge]") {
  Purged team(true);
  CHECK(team.sandbox.Read("ann/.revctl.yaml").find("purged: [\"SR_FOULS\", \"SR_INITIAL\"]") !=
        std::string::npos);
  REQUIRE(team.Revctl("ann", {"purge", "--below", "SR_C"}).status == 0);
  CHECK(team.sandbox.Read("ann/.revctl.yaml")
            .find("purged: [\"SR_A\", \"SR_B\", \"SR_FOULS\", \"SR_INITIAL\"]") !=
        std::string::npos);
  CHECK(team.Numbers("ann") == "SR_C=5");
  // Removing a name from `purged` is a config change that reviewers should see.
  team.sandbox.CommitAll("ann", "purge again");
  std::string config = team.sandbox.Read("ann/.revctl.yaml");
  team.sandbox.Git("ann", {"push", "-q", "origin", "HEAD:main"});
  config.erase(config.find("\"SR_FOULS\", "), 12);
  team.sandbox.Write("ann/.revctl.yaml", config);
  team.sandbox.CommitAll("ann", "forget");
  CHECK(
      team.Revctl("ann", {"check"}).out.find("this change edits the policy (lists.main.purged)") !=
      std::string::npos);
}

TEST_CASE("purge: fix removes what a plain merge restored", "[purge]") {
  Purged team(false);
  team.sandbox.Git("bob", {"checkout", "-q", "main"});
  team.sandbox.Git("bob", {"merge", "-q", "--ff-only", "origin/main"});
  const std::string purged = team.List("bob");
  std::string brought_back = purged;
  brought_back.insert(brought_back.find("    SR_A="), "    SR_FOULS=2,// ae: fouls\n");
  team.sandbox.Write(std::string("bob/") + Team::kList, brought_back);
  auto resolved = team.Revctl("bob", {"fix"});
  INFO(resolved.out << resolved.err);
  CHECK(resolved.status == 0);
  CHECK(resolved.out.find("SR_FOULS is removed") != std::string::npos);
  CHECK(team.List("bob") == purged);
}

TEST_CASE("purge: a release from before the purge stays usable", "[purge]") {
  Team team;
  team.GuardServer();
  team.sandbox.Write("ann/.revctl.yaml",
                     std::string(Team::kConfig) + "releases: [\"release/*\"]\n");
  for (const char* name : {"SR_A", "SR_B"})
    REQUIRE(team.Revctl("ann", {"reserve", name}).status == 0);
  team.sandbox.CommitAll("ann", "a, b");
  team.sandbox.Git("ann", {"push", "-q", "origin", "HEAD:main"});
  team.sandbox.Git("ann", {"push", "-q", "origin", "HEAD:release/1"});
  team.sandbox.Git("bob", {"fetch", "-q"});
  team.sandbox.Git("bob", {"checkout", "-q", "-b", "fix", "origin/release/1"});
  const auto push = [&] {
    const auto pushed =
        team.sandbox.TryGit("bob", {"push", "--no-verify", "origin", "fix:release/1"});
    return pushed.status == 0 ? "" : pushed.err;
  };
  const auto check = [&] {
    const auto checked = team.Revctl("bob", {"check", "--target", "origin/release/1"});
    return checked.status == 0 ? "" : checked.out;
  };
  REQUIRE(team.Revctl("ann", {"purge", "--below", "SR_A"}).status == 0);
  team.sandbox.CommitAll("ann", "purge");
  team.sandbox.Git("ann", {"push", "-q", "origin", "HEAD:main"});
  team.sandbox.Git("bob", {"fetch", "-q"});
  team.sandbox.Write("bob/fix.cpp", "// fixes it\n");
  team.sandbox.CommitAll("bob", "fix");
  CHECK(check().empty());
  CHECK(push().empty());
  // The remaining revisions must match main's. Revisions that main has never contained are not
  // treated as purged.
  std::string list = team.List("bob");
  SECTION("its own revision after the others") {
    list.insert(list.rfind("};"), "    SR_HOTFIX=5,\n");
  }
  SECTION("its own revision among the purged ones") {
    list.insert(list.find("    SR_INITIAL"), "    SR_HOTFIX=0,\n");
  }
  team.sandbox.Write(std::string("bob/") + Team::kList, list);
  team.sandbox.CommitAll("bob", "hotfix");
  CHECK(check().find("SR_HOTFIX is not in the list on origin/main") != std::string::npos);
  CHECK(push().find("SR_HOTFIX is not in the list on main") != std::string::npos);
}

TEST_CASE("purge: aliases of dropped revisions are removed or moved", "[purge]") {
  Team team;
  const std::string list = "ann/" + std::string(Team::kList);
  team.sandbox.Write(list,
                     "enum Revision {\n    SR_A = 1,\n    MINIMAL = SR_A,  // readable\n    SR_B,\n"
                     "    RELEASE_1 = SR_B,\n    SR_C,\n    SR_D,\n    CURRENT = SR_D\n};\n");
  team.Land("ann");
  auto purge = team.Revctl("ann", {"purge", "--below", "SR_C"});
  INFO(purge.out << purge.err);
  REQUIRE(purge.status == 0);
  CHECK(
      purge.out.find(
          "MINIMAL now names SR_C\nRELEASE_1 is dropped, because it named a dropped revision\n") !=
      std::string::npos);
  CHECK(team.sandbox.Read(list) ==
        "enum Revision {\n    SR_C = 3,\n    MINIMAL = SR_C,  // readable\n    SR_D,\n"
        "    CURRENT = SR_D\n};\n");
}

TEST_CASE("purge: all other lineages stay the same", "[check]") {
  Team team;
  team.sandbox.Write(std::string("ann/") + Team::kList,
                     "enum R {\n    SR_A = 1,\n    SR_B = 2,\n    SR_C = 3,\n    SR_D = 4,\n};\n");
  team.sandbox.Write("ann/src/save.cpp",
                     "REM(SR_A, SR_B, int, x, 0);\nADD(SR_C, c);\nif (r.revision < R::SR_C) d.c = "
                     "1;\nif (SR_C <= r.revision) y();\n");
  team.sandbox.Git("ann", {"add", "-A"});
  team.sandbox.Git("ann", {"commit", "-q", "--no-verify", "-m", "list"});
  team.sandbox.Git("ann", {"push", "-q", "--no-verify", "origin", "HEAD:main"});
  auto lineages = [&] {
    std::string out;
    const auto json = nlohmann::json::parse(team.Revctl("ann", {"list", "--json"}).out);
    for (const auto& revision : json.at("lists").at(0).at("revisions")) {
      if (revision.at("number") >= 3) out += revision.at("lineage").get<std::string>() + " ";
    }
    return out;
  };
  const std::string before = lineages(), list = team.List("ann");
  auto purged = team.Revctl("ann", {"purge", "--below", "SR_C"});
  INFO(purged.out << purged.err);
  CHECK(purged.status == 0);
  CHECK(purged.out.find("dropped 2 revisions below SR_C: SR_A SR_B") != std::string::npos);
  CHECK(purged.out.ends_with(
      "code that still names dropped revisions:\n  src/save.cpp:1:REM(SR_A, "
      "SR_B, int, x, 0);\ncode that is now dead, because it only handled files older than SR_C:\n  "
      "src/save.cpp:3:if (r.revision < R::SR_C) d.c = 1;\n"));
  CHECK(team.Numbers("ann") == "SR_C=3 SR_D=4");
  CHECK(lineages() == before);
  CHECK(Check(team, "ann").empty());
  // Complete a purge that was killed after writing the config and before writing the list.
  const std::string config = team.sandbox.Read("ann/.revctl.yaml");
  team.sandbox.Write(std::string("ann/") + Team::kList, list);
  CHECK(team.Revctl("ann", {"purge", "--below", "SR_C"}).status == 0);
  CHECK(team.sandbox.Read("ann/.revctl.yaml") == config);
  CHECK(lineages() == before);
  CHECK(team.Revctl("ann", {"purge", "--below", "SR_NONE"}).status == 2);
}

TEST_CASE("purge: names imported files that no longer load", "[purge]") {
  Team team;
  std::string record = Record("SR_INITIAL", 1, {}, "game::Level");
  const auto put = [&](const std::string& from, const std::string& to) {
    record.replace(record.find(from), from.size(), to);
  };
  put("by: record", "by: import");
  put("cases: []",
      "cases:\n  - type: \"game::Level\"\n    name: campaign\n    size: 0\n"
      "    hash: \"ef46db3751d8e999\"\n    values: {}");
  team.sandbox.Write("ann/golden/SR_INITIAL+0123456789abcdef.yaml", record);
  team.sandbox.Write("ann/.revctl.yaml",
                     "version: 1\nlists: [{path: src/master_version_list.h, golden: golden}]\n");
  const auto purge = team.Revctl("ann", {"purge", "--below", "SR_FOULS", "--dry-run"});
  INFO(purge.out << purge.err);
  CHECK(purge.status == 0);
  CHECK_THAT(purge.out,
             Catch::Contains("imported files older than SR_FOULS, which no longer load:\n"
                             "  SR_INITIAL/campaign (golden/SR_INITIAL+0123456789abcdef.yaml)\n"));
  CHECK_THAT(purge.out, Catch::Contains("revctl purge --below SR_INITIAL"));
}
