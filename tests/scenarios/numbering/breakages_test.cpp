// Tests `revctl fix` after every kind of damage to lists and goldens that occurs in the other
// scenarios. Afterwards, either `check` reports no errors, or `fix` exits with 1 and names the
// decision that is left to the user.
#include <catch2/catch.hpp>
#include <filesystem>
#include <functional>
#include <set>
#include <string>
#include <vector>

#include "tests/scenarios/findings.h"
#include "tests/scenarios/landing_team.h"
#include "tests/scenarios/record_text.h"
#include "tests/scenarios/team.h"

using namespace revctl::testing;

namespace {

/// A team whose list contains three landed revisions with goldens, a number at the start of each
/// comment, and an alias of the latest revision. Ann has reserved and committed SR_MINE = 4.
struct Sound : Team {
  static constexpr const char* kStart =
      "enum Revision {\n    SR_INITIAL = 1,  // 1: first\n    SR_FOULS = 2,  // 2: fouls\n"
      "    SR_BOSS = 3,  // 3: boss\n    SR_CURRENT = SR_BOSS,\n    SR_END\n};\n";
  const std::string list = std::string("ann/") + kList, code = "ann/src/fouls.cpp";

  Sound() {
    sandbox.Write("ann/.revctl.yaml",
                  "version: 1\nlists: [{path: src/master_version_list.h, golden: golden, current: "
                  "SR_CURRENT, sentinel: SR_END}]\n");
    sandbox.Write(list, kStart);
    int number = 0;
    for (const char* name : {"SR_INITIAL", "SR_FOULS", "SR_BOSS"}) Put("ann", name, ++number);
    sandbox.Write(code, "ADD(SR_FOULS, fouls);\n");
    Land("ann");
    sandbox.Git("bob", {"pull", "-q"});
    Reserve("ann", "SR_MINE", 4);
    sandbox.CommitAll("ann", "mine");
  }

  void Put(const std::string& person, const std::string& name, int number) const {
    sandbox.Write(person + "/golden/" + name + ".yaml", Record(name, number, {}, "Of" + name));
  }
  void Reserve(const std::string& person, const std::string& name, int number) const {
    const auto run = Revctl(person, {"reserve", name});
    if (run.status != 0) throw std::runtime_error(run.err);
    Put(person, name, number);
    sandbox.Write(person + "/src/use_" + name + ".cpp", "int use_" + name + " = " + name + ";\n");
  }
  /// Has Bob reserve and land SR_BOBS = 5, so that Ann's SR_MINE = 4 is late.
  void LandBobs() const {
    Reserve("bob", "SR_BOBS", 5);
    Land("bob");
    sandbox.Git("ann", {"fetch", "-q"});
  }
  /// Merges as in a clone without the merge driver. The merge may stop at a conflict.
  void MergePlainly(const std::string& how = "merge") const {
    sandbox.TryGit(
        "ann", {"-c", "merge.revctl.driver=false", "-c", "core.editor=true", how, "origin/main"});
  }
  void Edit(const std::string& from, const std::string& to) const {
    std::string text = sandbox.Read(list);
    const std::size_t at = text.find(from);
    if (at == std::string::npos) throw std::runtime_error("the list has no " + from + "\n" + text);
    sandbox.Write(list, text.replace(at, from.size(), to));
  }
  void Delete(const std::string& file) const {
    std::filesystem::remove(sandbox.Path("ann/" + file));
  }
};

/// The line of Ann's pending revision, as `reserve` writes it.
const std::string kMine = "    SR_MINE = 4,  // 4:\n";

const std::string kFouls = "    SR_FOULS = 2,  // 2: fouls\n";

struct Breakage {
  const char* name;
  std::function<void(const Sound&)> damage;
  const char* decision = "";  ///< the decision that `fix` names; "" if it repairs everything
};

const std::vector<Breakage>& Breakages() {
  static const std::vector<Breakage> all{
      {"nothing is broken", [](const Sound&) {}},
      {"conflict markers of a merge",
       [](const Sound& s) {
         s.LandBobs();
         s.MergePlainly();
       }},
      {"conflict markers of a rebase",
       [](const Sound& s) {
         s.LandBobs();
         s.MergePlainly("rebase");
       }},
      {"conflict markers that were committed",
       [](const Sound& s) {
         s.LandBobs();
         s.MergePlainly();
         s.sandbox.CommitAll("ann", "oops");
       }},
      {"conflict markers around one name with two meanings",
       [](const Sound& s) {
         s.Edit(kMine,
                "<<<<<<< ours\n    SR_MINE = 4,  // 4: a\n=======\n    SR_MINE = 4,  // 4: b\n"
                ">>>>>>> theirs\n");
       },
       "RV015"},
      {"a late number",
       [](const Sound& s) {
         s.LandBobs();
         s.sandbox.Git("ann", {"merge", "-q", "--no-edit", "-s", "ours", "origin/main"});
         s.sandbox.Git("ann", {"checkout", "-q", "origin/main", "--", "golden/SR_BOBS.yaml",
                               "src/use_SR_BOBS.cpp"});
         s.Edit("    SR_MINE = 4", "    SR_BOBS = 5,\n    SR_MINE = 4");
       }},
      {"a number that a landed revision has",
       [](const Sound& s) { s.Edit("SR_MINE = 4", "SR_MINE = 3"); }},
      {"a number that a person chose",
       [](const Sound& s) { s.Edit("SR_MINE = 4", "SR_MINE = 40"); }},
      {"a number that no save file can hold",
       [](const Sound& s) { s.Edit("SR_MINE = 4", "SR_MINE = 5000000000"); }},
      {"a pending entry above a landed one",
       [](const Sound& s) {
         s.Edit(kMine, "");
         s.Edit("    SR_BOSS = 3", kMine + "    SR_BOSS = 3");
       }},
      {"a landed entry was dropped",
       [](const Sound& s) { s.Edit("    SR_FOULS = 2,  // 2: fouls\n", ""); }},
      {"a landed entry was dropped and committed",
       [](const Sound& s) {
         s.Edit("    SR_FOULS = 2,  // 2: fouls\n", "");
         s.sandbox.CommitAll("ann", "drop");
       }},
      {"a landed entry has another number",
       [](const Sound& s) { s.Edit("SR_FOULS = 2", "SR_FOULS = 7"); }},
      {"a landed entry has another name",
       [](const Sound& s) { s.Edit("SR_FOULS = 2", "SR_FOUL = 2"); },
       "revctl reserve SR_FOUL and revctl fix"},
      {"a landed entry has another name, and the code moved along",
       [](const Sound& s) {
         s.Edit("SR_FOULS = 2", "SR_FOUL = 2");
         s.sandbox.Write(s.code, "ADD(SR_FOUL, fouls);\n");
       }},
      {"a landed entry has another name, and other code uses it",
       [](const Sound& s) {
         s.Edit("SR_FOULS = 2", "SR_FOUL = 2");
         s.sandbox.Write(s.code, "ADD(SR_FOUL, other);\n");
         s.sandbox.CommitAll("ann", "foul");
       },
       "RV005"},
      {"a landed entry has another name and number",
       [](const Sound& s) { s.Edit("SR_FOULS = 2", "SR_FOUL = 8"); }, "RV005"},
      {"a landed entry has another name, and the branch is behind",
       [](const Sound& s) {
         s.Edit("SR_FOULS = 2", "SR_FOUL = 2");
         s.sandbox.CommitAll("ann", "foul");
         s.LandBobs();
       },
       "RV005"},
      {"a reserved revision replaced a landed one",
       [](const Sound& s) {
         s.Edit(kMine, "");
         s.Edit(kFouls, "    SR_MINE = 2,  // 2: mine\n");
       }},
      {"an entry was inserted above a reserved one",
       [](const Sound& s) {
         s.Edit(kMine, "    SR_NEW = 4,  // 4: new\n" + kMine);
         s.Put("ann", "SR_NEW", 5);
         s.sandbox.Write("ann/src/new.cpp", "ADD(SR_NEW, x);\n");
       }},
      {"a pending entry was inserted above the landed one of its name",
       [](const Sound& s) { s.Edit(kFouls, "    SR_FOULS = 6,  // 6: x\n" + kFouls); }, "RV002"},
      {"two landed entries changed places",
       [](const Sound& s) {
         s.Edit("    SR_FOULS = 2,  // 2: fouls\n", "");
         s.Edit("    SR_CURRENT", "    SR_FOULS = 2,  // 2: fouls\n    SR_CURRENT");
       }},
      {"an entry is there twice", [](const Sound& s) { s.Edit(kFouls, kFouls + kFouls); }},
      {"one name has two numbers",
       [](const Sound& s) { s.Edit(kFouls, kFouls + "    SR_FOULS = 6,  // 6: x\n"); }, "RV002"},
      {"current lags behind",
       [](const Sound& s) { s.Edit("SR_CURRENT = SR_MINE", "SR_CURRENT = SR_BOSS"); }},
      {"current was removed", [](const Sound& s) { s.Edit("    SR_CURRENT = SR_MINE,\n", ""); }},
      {"the sentinel is not last",
       [](const Sound& s) {
         s.Edit("    SR_END\n", "");
         s.Edit("    SR_MINE = 4", "    SR_END,\n    SR_MINE = 4");
       }},
      {"the sentinel is above a landed revision",
       [](const Sound& s) {
         s.Edit("    SR_END\n", "");
         s.Edit("    SR_BOSS = 3", "    SR_END,\n    SR_BOSS = 3");
       },
       "RV013"},
      {"the sentinel was removed", [](const Sound& s) { s.Edit("    SR_END\n", ""); }},
      {"a comment begins with another number",
       [](const Sound& s) { s.Edit("// 4:", "// 9: mine"); }},
      {"the list cannot be read", [](const Sound& s) { s.Edit("SR_MINE = 4", "SR_MINE = )"); },
       "RV016"},
      {"the list was removed", [](const Sound& s) { s.Delete(Team::kList); }, "RV016"},
      {"a revision without the prefix",
       [](const Sound& s) { s.Edit("    SR_CURRENT", "    RS_NEW = 5,\n    SR_CURRENT"); },
       "RV009"},
      {"a golden of a landed revision is missing",
       [](const Sound& s) { s.Delete("golden/SR_FOULS.yaml"); }},
      {"goldens of a landed revision were removed by a commit",
       [](const Sound& s) {
         s.Delete("golden/SR_BOSS.yaml");
         s.sandbox.CommitAll("ann", "gone");
       }},
      {"a revert took a landed revision with its goldens",
       [](const Sound& s) {
         s.Edit("    SR_FOULS = 2,  // 2: fouls\n", "");
         s.Delete("golden/SR_FOULS.yaml");
         s.sandbox.CommitAll("ann", "Revert fouls");
       }},
      {"a golden of a landed revision was edited",
       [](const Sound& s) {
         s.sandbox.Write("ann/golden/SR_FOULS.yaml", Record("SR_FOULS", 2, {}, "Another"));
       },
       "git checkout"},
      {"a pending revision has no goldens",
       [](const Sound& s) {
         s.Delete("golden/SR_MINE.yaml");
         s.sandbox.CommitAll("ann", "no goldens");
       },
       "RV020"},
  };
  return all;
}

/// Returns the rule, file and revision of each finding of `check`.
std::set<std::string> Found(const Team& team) {
  std::set<std::string> out;
  const auto json =
      nlohmann::json::parse(team.Revctl("ann", {"check", "--json"}).out, nullptr, false);
  if (json.is_discarded()) return out;
  for (const auto& finding : json.at("findings"))
    out.insert(finding.at("rule").get<std::string>() + " " + finding.value("file", "") + " " +
               finding.value("revision", ""));
  return out;
}

/// Returns how many findings `fix` will fix, according to the last line of `check`.
std::size_t Promised(const std::string& said) {
  static constexpr std::string_view kLine = "revctl fix repairs ";
  const std::size_t at = said.rfind(kLine);
  return at == std::string::npos ? 0 : std::stoul(said.substr(at + kLine.size()));
}

}  // namespace

TEST_CASE("fix: repairs every known breakage or names the decision", "[fix][breakages]") {
  for (const Breakage& breakage : Breakages()) {
    INFO(breakage.name);
    const Sound team;
    breakage.damage(team);
    const std::string before = team.sandbox.Exists(team.list) ? team.List("ann") : "";
    const auto before_check = team.Revctl("ann", {"check"});
    const auto found = Found(team);
    const auto dry = team.Revctl("ann", {"fix", "--dry-run"});
    INFO(before << before_check.out << "dry run:\n" << dry.out << dry.err);
    CHECK((team.sandbox.Exists(team.list) ? team.List("ann") : "") == before);
    const auto fixed = team.Revctl("ann", {"fix"});
    INFO("fix: " << fixed.out << fixed.err << team.Revctl("ann", {"list"}).out);
    // `fix` must fix at least as many findings as `check` promises.
    std::size_t gone = 0;
    const auto left = Found(team);
    for (const std::string& one : found) gone += left.contains(one) ? 0 : 1;
    CHECK(Promised(before_check.out) <= gone);
    const std::string decision = breakage.decision;
    if (decision.empty()) {
      CHECK(fixed.status == 0);
      CHECK(Check(team, "ann") == "");
      CHECK(Has(fixed.err, "OK: "));
      // A second run finds nothing to fix.
      const auto again = team.Revctl("ann", {"fix"});
      CHECK(again.out.empty());
      CHECK(Has(again.err, "OK: nothing to fix"));
    } else {
      CHECK(fixed.status == 1);
      CHECK(Has(fixed.out, decision));
      CHECK(Has(fixed.out, "fix: "));
      CHECK_FALSE(Has(dry.err, "OK: "));
      CHECK_FALSE(Has(fixed.out, "fix: revctl fix\n"));
    }
  }
}

TEST_CASE("fix: each repairable finding names fix, and check counts them", "[fix]") {
  const Sound team;
  team.Edit("    SR_FOULS = 2,  // 2: fouls\n", "");
  team.Edit("SR_CURRENT = SR_MINE", "SR_CURRENT = SR_BOSS");
  team.sandbox.Write("ann/golden/SR_BOSS.yaml", Record("SR_BOSS", 3, {}, "Another"));
  const auto check = team.Revctl("ann", {"check"});
  INFO(check.out << check.err);
  CHECK(Has(check.out, "fix: revctl fix\n"));
  CHECK(Has(check.out, "revctl fix repairs 3 of 4 findings\n"));
  // `fix` fixes exactly as many findings as the last line of `check` promises.
  const auto fixed = team.Revctl("ann", {"fix"});
  CHECK(fixed.status == 1);
  CHECK(Check(team, "ann") == "RV019");
  const auto after = team.Revctl("ann", {"check"});
  CHECK_FALSE(Has(after.out, "revctl fix repairs"));
}

TEST_CASE("fix: landed numbers do not change if the target is gone", "[fix]") {
  const Team team;
  REQUIRE(team.Revctl("ann", {"reserve", "SR_BOSS"}).status == 0);
  const std::string list = team.List("ann");
  team.sandbox.Git("srv/game.git", {"branch", "-m", "main", "trunk"});
  const std::string refs = team.sandbox.Git("srv/game.git", {"show-ref"});
  // The state of the last fetch still shows which revisions have landed.
  const auto gone = team.Revctl("ann", {"fix"});
  INFO(gone.out << gone.err);
  CHECK(gone.status == 0);
  CHECK(Has(gone.err, "origin/main does not exist"));
  CHECK(team.List("ann") == list);
  // With a wrong target, nothing shows which revisions have landed.
  team.sandbox.Write("ann/.revctl.yaml", std::string(Team::kConfig) + "target: mian\n");
  const auto unknown = team.Revctl("ann", {"fix"});
  INFO(unknown.out << unknown.err);
  CHECK(unknown.status == 3);
  CHECK(Has(unknown.err, "origin/mian does not exist"));
  CHECK(Has(unknown.err, "correct `target` in .revctl.yaml"));
  CHECK(team.List("ann") == list);
  CHECK(team.sandbox.Git("srv/game.git", {"show-ref"}) == refs);
}

TEST_CASE("fix: a dry run prints the exact bytes of its patch", "[fix]") {
  const Team team;
  const std::string crlf = "enum Revision {\r\n    SR_INITIAL=1,\r\n    SR_FOULS=2,\r\n};\r\n";
  team.sandbox.Git("ann", {"config", "core.autocrlf", "false"});
  team.sandbox.Write(std::string("ann/") + Team::kList, crlf);
  team.sandbox.CommitAll("ann", "CRLF");
  team.sandbox.Git("ann", {"push", "-q", "--no-verify", "origin", "HEAD:main"});
  team.sandbox.Git("ann", {"fetch", "-q"});
  team.sandbox.Write(std::string("ann/") + Team::kList,
                     "enum Revision {\r\n    SR_INITIAL=1,\r\n    SR_FOULS=9,\r\n};\r\n");
  team.sandbox.Write("ann.patch", team.Revctl("ann", {"fix", "--dry-run"}).out);
  const auto applied = team.sandbox.Run("ann", {"git", "apply", "../ann.patch"});
  INFO(applied.err << team.sandbox.Read("ann.patch"));
  CHECK(applied.status == 0);
  CHECK(team.List("ann") == crlf);
}

TEST_CASE("fix: a dry run prints a patch that git can apply", "[fix]") {
  const Sound team;
  team.LandBobs();
  team.sandbox.TryGit("ann", {"-c", "merge.revctl.driver=false", "merge", "-q", "origin/main"});
  team.Delete("golden/SR_FOULS.yaml");
  const auto dry = team.Revctl("ann", {"fix", "--dry-run"});
  INFO(dry.out << dry.err);
  CHECK(dry.status == 0);
  CHECK(Has(dry.out, "+++ b/src/master_version_list.h"));
  CHECK(Has(dry.out, "+++ b/golden/SR_FOULS.yaml"));
  CHECK(Has(dry.err, "SR_MINE 4 -> 6\n"));
  CHECK_FALSE(team.sandbox.Exists("ann/golden/SR_FOULS.yaml"));
  team.sandbox.Write("ann.patch", dry.out);
  const auto applied = team.sandbox.Run("ann", {"git", "apply", "../ann.patch"});
  INFO(applied.err);
  CHECK(applied.status == 0);
  const std::string patched = team.List("ann");
  CHECK(team.Revctl("ann", {"fix"}).status == 0);
  CHECK(team.List("ann") == patched);
}

TEST_CASE("fix: as JSON, for one list given by path, and offline", "[fix]") {
  const Sound team;
  team.Edit("SR_MINE = 4", "SR_MINE = 3");
  const auto json = nlohmann::json::parse(team.Revctl("ann", {"fix", "--dry-run", "--json"}).out);
  CHECK(json.at("version") == 1);
  CHECK(json.at("dry_run") == true);
  CHECK(json.at("files").at(0) == Team::kList);
  CHECK(json.at("renumbered").at(0).at("name") == "SR_MINE");
  CHECK(json.at("renumbered").at(0).at("to") == 4);
  const auto other = team.Revctl("ann", {"fix", "src/other.h"});
  CHECK(other.status == 2);
  CHECK(Has(other.err, "is not a list in .revctl.yaml"));
  CHECK(team.Revctl("ann", {"fix", Team::kList}).out == "SR_MINE 3 -> 4\n");
  // Without the server, repairs that need no new number still work.
  team.sandbox.Git("ann", {"remote", "set-url", "origin", "git://127.0.0.1:1/game.git"});
  team.Edit("    SR_FOULS = 2,  // 2: fouls\n", "");
  const auto offline = team.Revctl("ann", {"fix"});
  INFO(offline.out << offline.err);
  CHECK(offline.status == 0);
  CHECK(Has(team.List("ann"), "    SR_FOULS = 2,  // 2: fouls\n"));
  team.Edit("SR_MINE = 4", "SR_MINE = 9");
  team.Edit("    SR_FOULS = 2,  // 2: fouls\n", "");
  const auto number = team.Revctl("ann", {"fix"});
  CHECK(number.status == 3);
  CHECK(Has(team.List("ann"), "    SR_FOULS = 2,  // 2: fouls\n"));
}

TEST_CASE("fix: pending files that are missing, stale, or entries in the list", "[fix][fold]") {
  const LandingTeam team({"ann"});
  team.Branch("ann", "one", {"SR_ONE"});
  REQUIRE(team.HostMerges("one").status == 0);
  team.sandbox.Git("ann", {"checkout", "-q", "-B", "two", "origin/main"});
  team.sandbox.Git("ann", {"fetch", "-q"});
  team.sandbox.Git("ann", {"reset", "-q", "--hard", "origin/main"});
  REQUIRE(team.Revctl("ann", {"fix"}).status == 0);
  std::filesystem::remove(team.sandbox.Path("ann/" + std::string(kFolder) + "SR_ONE.yaml"));
  CHECK(Has(team.Revctl("ann", {"check"}).out, "fix: revctl fix\n"));
  auto fixed = team.Revctl("ann", {"fix"});
  INFO(fixed.out << fixed.err);
  CHECK(fixed.status == 0);
  CHECK(Has(fixed.out, "SR_ONE.yaml: restored"));
  // A handwritten entry becomes a pending file.
  AddByHand(team, "ann", "SR_TWO = 3,");
  fixed = team.Revctl("ann", {"fix"});
  INFO(fixed.out << fixed.err << team.List("ann"));
  CHECK(fixed.status == 0);
  CHECK(Has(fixed.out, "SR_TWO: moved to " + std::string(kFolder) + "SR_TWO.yaml"));
  CHECK_FALSE(Has(team.List("ann"), "SR_TWO"));
  // `fix` restores the lines that include the pending revisions.
  std::string text = team.List("ann");
  const std::size_t begin = text.find("#if"), end = text.find('\n', text.find("#endif")) + 1;
  REQUIRE(begin != std::string::npos);
  team.sandbox.Write("ann/" + std::string(Team::kList), text.erase(begin, end - begin));
  fixed = team.Revctl("ann", {"fix"});
  INFO(fixed.out << fixed.err << team.List("ann"));
  CHECK(fixed.status == 0);
  CHECK(Has(team.List("ann"), "master_version_list.pending.inc"));
  CHECK(Check(team, "ann") == "");
}
