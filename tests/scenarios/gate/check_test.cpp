// Tests the gate in real clones: the changes that it rejects and accepts, and that it never
// modifies the clone.
#include <algorithm>
#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "tests/scenarios/findings.h"
#include "tests/scenarios/team.h"

using namespace revctl::testing;

namespace {

void Replace(const Team& team, const std::string& file, const std::string& from,
             const std::string& to) {
  std::string text = team.sandbox.Read(file);
  const std::size_t at = text.find(from);
  REQUIRE(at != std::string::npos);
  team.sandbox.Write(file, text.replace(at, from.size(), to));
}

}  // namespace

TEST_CASE("check: a reserved number above the landed ones is accepted", "[check]") {
  Team team;
  CHECK(Check(team, "ann").empty());
  REQUIRE(team.Revctl("ann", {"reserve", "SR_BOSS"}).status == 0);
  const std::string before = team.sandbox.Snapshot("ann");
  CHECK(Check(team, "ann").empty());
  CHECK(team.sandbox.Snapshot("ann") == before);
  auto text = team.Revctl("ann", {"check", "--fetch"});
  CHECK(text.status == 0);
}

TEST_CASE("check: rejects a late number, and fix moves it", "[check]") {
  Team team;
  team.InstallDriver("ann");
  REQUIRE(team.Revctl("ann", {"reserve", "SR_BOSS"}).status == 0);
  team.sandbox.CommitAll("ann", "boss");
  REQUIRE(team.Revctl("bob", {"reserve", "SR_STAMINA"}).status == 0);
  team.Land("bob");
  const std::string late = Check(team, "ann", {"--fetch"});
  CHECK(late.find("RV006") != std::string::npos);
  auto text = team.Revctl("ann", {"check", "--fetch"});
  CHECK(text.out.find("src/master_version_list.h:5: error[RV006]: ") != std::string::npos);
  CHECK(text.out.find("fix: revctl fix") != std::string::npos);
  team.sandbox.Git("ann", {"pull", "-q", "--rebase"});
  REQUIRE(team.Revctl("ann", {"fix"}).status == 0);
  CHECK(Check(team, "ann").empty());
}

TEST_CASE("check: a branch behind the target has deleted nothing", "[check]") {
  Team team;
  REQUIRE(team.Revctl("bob", {"reserve", "SR_STAMINA"}).status == 0);
  team.Land("bob");
  CHECK(Check(team, "ann", {"--fetch"}).empty());
}

TEST_CASE("check: numbers that were never reserved, or that others reserved", "[check]") {
  Team team;
  AddByHand(team, "ann", "SR_BOSS=3,");
  CHECK(Check(team, "ann").find("RV011") != std::string::npos);
  REQUIRE(team.Revctl("bob", {"reserve", "SR_STAMINA"}).status == 0);
  CHECK(Check(team, "ann", {"--fetch"}).find("RV011") != std::string::npos);
}

TEST_CASE("check: landed entries must not change", "[check]") {
  Team team;
  const std::string list = std::string("ann/") + Team::kList;
  SECTION("removed") {
    Replace(team, list, "    SR_FOULS=2,// ae: fouls\n", "");
    CHECK(Check(team, "ann") == "RV003");
  }
  SECTION("renumbered") {
    Replace(team, list, "SR_FOULS=2", "SR_FOULS=5");
    CHECK(Check(team, "ann") == "RV004");
  }
  SECTION("renamed") {
    Replace(team, list, "SR_FOULS", "SR_FAULTS");
    CHECK(Check(team, "ann").starts_with("RV005"));
  }
  SECTION("the whole file is removed") {
    team.sandbox.Git("ann", {"rm", "-q", Team::kList});
    CHECK(Check(team, "ann") == "RV016");
  }
  SECTION("the list is removed from the config") {
    team.sandbox.Write("ann/other.h", Team::kListText);
    team.sandbox.Write("ann/.revctl.yaml", "version: 1\nlists: [{path: other.h, name: other}]\n");
    CHECK(Check(team, "ann").find("RV003") != std::string::npos);
  }
}

TEST_CASE("check: a duplicate name is reported at the newer line", "[check]") {
  Team team;
  const std::string list = std::string("ann/") + Team::kList;
  SECTION("below") { AddByHand(team, "ann", "SR_FOULS=3,"); }
  SECTION("above") { Replace(team, list, "    SR_FOULS=2", "    SR_FOULS=3,\n    SR_FOULS=2"); }
  const int newer = Has(team.List("ann"), "SR_FOULS=3,\n    SR_FOULS=2") ? 4 : 5;
  const auto said = team.Revctl("ann", {"check"});
  INFO(said.out);
  CHECK(Has(said.out, "src/master_version_list.h:" + std::to_string(newer) +
                          ": error[RV002]: SR_FOULS is 3 here and 2 at "));
}

TEST_CASE("check: contradictory conflict markers are left to a person", "[check]") {
  Team team;
  const std::string list = std::string("ann/") + Team::kList;
  Replace(team, list, "};\n",
          "<<<<<<< ours\n    SR_BOSS=3,// a\n=======\n    SR_BOSS=3,// b\n>>>>>>> theirs\n};\n");
  auto said = team.Revctl("ann", {"check"});
  INFO(said.out << said.err);
  CHECK(Has(said.out, "the two sides contradict each other"));
  CHECK(Has(said.out, "fix: keep one of the two sides, then run revctl fix\n"));
  CHECK_FALSE(Has(said.out, "revctl fix repairs"));
  team.sandbox.Git("ann", {"add", "."});
  CHECK_FALSE(Has(team.Revctl("ann", {"check", "--staged"}).out, "revctl fix repairs"));
  Replace(team, list, "// b\n", "// a\n");
  said = team.Revctl("ann", {"check"});
  INFO(said.out << said.err);
  CHECK(Has(said.out, "fix: revctl fix\n"));
  CHECK(Has(said.out, "revctl fix repairs 1 of 1 finding"));
}

TEST_CASE("check: in a shallow clone, first fetch the history, then merge", "[check]") {
  Team team;
  REQUIRE(team.Revctl("ann", {"reserve", "SR_BOSS"}).status == 0);
  team.Land("ann");
  const std::string old = team.sandbox.Git("ann", {"rev-parse", "HEAD~1"});
  // The clone contains both commits, but not the history between them.
  team.sandbox.Git(".", {"clone", "-q", "--depth", "1", team.Url(), "cat"});
  team.sandbox.Git("cat", {"config", "user.name", "cat"});
  team.sandbox.Git("cat", {"config", "user.email", "cat@studio.example"});
  team.sandbox.Git("cat", {"fetch", "-q", "--depth", "1", "origin", old});
  team.sandbox.Git("cat", {"checkout", "-q", "-b", "mine", old});
  AddByHand(team, "cat", "SR_MINE=9,");
  team.sandbox.CommitAll("cat", "mine");
  const auto said = team.Revctl("cat", {"check", "--base", old});
  INFO(said.out << said.err);
  CHECK(Has(said.out, "error[RV017]"));
  CHECK(Has(said.out,
            "fix: this clone is shallow, and git cannot merge without the full history: "
            "git fetch --unshallow && git merge origin/main"));
  // The printed command works.
  const auto ran = team.sandbox.Run(
      "cat", {"sh", "-c", "git fetch -q --unshallow && git merge --no-edit origin/main"});
  INFO(ran.out << ran.err);
  CHECK_FALSE(Has(ran.err, "unrelated histories"));
}

TEST_CASE("check: conflict markers, and files that are not lists", "[check]") {
  Team team;
  const std::string list = std::string("ann/") + Team::kList;
  SECTION("markers") {
    Replace(team, list, "    SR_FOULS=2,",
            "<<<<<<< ours\n    SR_FOULS=2,\n=======\n>>>>>>> theirs\n   ");
    CHECK(Check(team, "ann") == "RV015");
  }
  SECTION("not an enum") {
    team.sandbox.Write(list, "int main() {}\n");
    CHECK(Check(team, "ann") == "RV016");
    CHECK(team.Revctl("ann", {"list"}).status == 2);
  }
}

TEST_CASE("check: an inserted entry shifts landed implicit numbers", "[check]") {
  Team team;
  team.sandbox.Write(std::string("ann/") + Team::kList,
                     "enum R {\n    SR_A = 1,\n    SR_B,\n    SR_C,\n    SR_D,\n    SR_E\n};\n");
  team.Land("ann");
  Replace(team, std::string("ann/") + Team::kList, "    SR_C,", "    SR_NEW,\n    SR_C,");
  CHECK(Check(team, "ann").find("RV004") != std::string::npos);

  // A clean text merge can be wrong: one side adds an entry at the end, the other in the middle.
  team.sandbox.Git("ann", {"checkout", "-q", "--", "."});
  team.sandbox.Git("bob", {"pull", "-q"});
  Replace(team, std::string("bob/") + Team::kList, "    SR_B,", "    SR_X,\n    SR_B,");
  team.sandbox.CommitAll("bob", "in the middle");
  Replace(team, std::string("ann/") + Team::kList, "    SR_E\n", "    SR_E,\n    SR_F\n");
  team.Land("ann");
  CHECK(Check(team, "bob", {"--fetch"}).find("RV004") != std::string::npos);
}

TEST_CASE("check: the target's policy applies", "[check]") {
  Team team;
  AddByHand(team, "ann", "SR_BOSS=3,");
  team.sandbox.Write("ann/.revctl.yaml", std::string(Team::kConfig) + "reservation: optional\n");
  auto judged = team.Revctl("ann", {"check", "--json"});
  CHECK(Rules(judged).find("RV011") != std::string::npos);
  CHECK(Rules(judged, true).find("RV024") != std::string::npos);

  // An allowance applies once it has landed. The gate reports allowances that are unused or
  // expired.
  team.sandbox.Git("ann", {"checkout", "-q", "--", "."});
  team.sandbox.Write("ann/.revctl.yaml",
                     std::string(Team::kConfig) +
                         "allow:\n  - {rule: RV011, name: SR_BOSS, reason: agreed}\n"
                         "  - {rule: RV011, name: SR_OLD, reason: agreed, until: 2020-01-31}\n");
  team.Land("ann");
  AddByHand(team, "ann", "SR_BOSS=3,");
  auto allowed = team.Revctl("ann", {"check", "--json"});
  CHECK(Rules(allowed).empty());
  CHECK(Rules(allowed, true).find("RV025") != std::string::npos);
  team.sandbox.Git("ann", {"checkout", "-q", "--", "."});
  const std::string unused = Rules(team.Revctl("ann", {"check", "--json"}), true);
  CHECK(unused == "RV025 RV025");
}

TEST_CASE("check: use of revisions in code", "[check]") {
  Team team;
  REQUIRE(team.Revctl("ann", {"reserve", "SR_BOSS"}).status == 0);
  team.sandbox.Write("ann/src/save.cpp",
                     "ADD(SR_FOULS, fouls);\nif (r.revision < 2) x();\n// SR_BOSS\n"
                     "log(\"SR_BOSS\");\n");
  team.sandbox.Git("ann", {"add", "-A"});
  auto warned = team.Revctl("ann", {"check", "--json"});
  CHECK(warned.status == 0);
  const std::string rules = Rules(warned, true);
  CHECK(rules == "RV022 RV021");
  team.sandbox.Write("ann/src/save.cpp",
                     "ADD(SR_BOSS, boss);\nADD(3, y);\nif (2 <= ar->revision) x();\nREM(2, "
                     "SR_FOULS, int, z, 0);\nADD(SR_FOULS, q[2]);\n"
                     "if (count < 2 && revision_count > 3) x();\n");
  CHECK(Rules(team.Revctl("ann", {"check", "--json"}), true) == "RV022 RV022 RV022");
  team.sandbox.Write("ann/src/save.cpp", "ADD(SR_BOSS, boss);\n");
  CHECK(Rules(team.Revctl("ann", {"check", "--json"}), true).empty());
}

TEST_CASE("check: use in code with a list that has no prefix", "[check]") {
  Team team;
  team.sandbox.Write(
      "ann/.revctl.yaml",
      "version: 1\nlists: [{path: src/master_version_list.h, prefix: \"\", enum: Revision}]\n");
  team.sandbox.Write(std::string("ann/") + Team::kList,
                     "enum class Revision {\n    kInitial=1,\n    kFouls=2,\n};\n");
  team.Land("ann");
  REQUIRE(team.Revctl("ann", {"reserve", "kBoss"}).status == 0);
  const auto judged = [&](const std::string& code) {
    team.sandbox.Write("ann/src/save.cpp", code);
    team.sandbox.Git("ann", {"add", "-A"});
    return Rules(team.Revctl("ann", {"check", "--json"}), true);
  };
  CHECK(judged("ADD(kFouls, fouls);\n") == "RV021");
  CHECK(judged("ADD(kFouls, fouls);\nx = Revision::kBoss;\n").empty());
  CHECK(judged("ADD(kBoss, boss);\nif (r.revision < 2) x();\nRevision::Parse(x);\n") == "RV022");
}

TEST_CASE("check: counts the lines after the first three", "[check]") {
  Team team;
  std::string code = "ADD(SR_FOULS, fouls);\n";
  for (int i = 0; i < 23; ++i) code += "if (r.revision < " + std::to_string(i) + ") x();\n";
  team.sandbox.Write("ann/src/save.cpp", code);
  team.sandbox.Git("ann", {"add", "-A"});
  const std::string text = team.Revctl("ann", {"check"}).out;
  CHECK(text.find("\n  22 more with the same cause:\n") != std::string::npos);
  CHECK(text.find("\n  and 20 more\n") != std::string::npos);
  CHECK(text.find("warning[RV022]") == text.rfind("warning[RV022]"));
  // The GitHub output contains one annotation per cause.
  const std::string github = team.Revctl("ann", {"check", "--format", "github"}).out;
  CHECK(std::count(github.begin(), github.end(), '\n') == 1);
}

TEST_CASE("check: output formats", "[check]") {
  Team team;
  AddByHand(team, "ann", "SR_BOSS=2,");
  CHECK(team.Revctl("ann", {"check", "--format", "github"}).out.starts_with("::error "));
  CHECK(
      nlohmann::json::parse(team.Revctl("ann", {"check", "--format", "sarif"}).out).at("version") ==
      "2.1.0");
  CHECK(team.Revctl("ann", {"check", "--format", "junit"}).out.find("<testsuite") !=
        std::string::npos);
  CHECK(nlohmann::json::parse(team.Revctl("ann", {"check", "--format", "gitlab"}).out).is_array());
  CHECK(team.Revctl("ann", {"check", "--format", "xml"}).status == 2);
}

TEST_CASE("check: hooks reject all errors, but late numbers only on landing", "[check]") {
  Team team;
  team.InstallDriver("ann");
  REQUIRE(team.Revctl("ann", {"reserve", "SR_BOSS"}).status == 0);
  team.sandbox.CommitAll("ann", "boss");  // runs the pre-commit hook
  REQUIRE(team.Revctl("bob", {"reserve", "SR_STAMINA"}).status == 0);
  team.Land("bob");
  team.sandbox.Git("ann", {"fetch", "-q"});
  team.sandbox.Git("ann",
                   // late numbers are accepted on a feature branch
                   {"push", "-q", "origin", "HEAD:refs/heads/feature"});
  team.sandbox.Git("ann", {"pull", "-q", "--no-rebase", "--no-edit"});
  team.sandbox.Git("ann", {"push", "-q", "--no-verify", "origin", "HEAD:refs/heads/merged"});
  auto refused = team.sandbox.TryGit("ann", {"push", "origin", "HEAD:main"});
  INFO(team.List("ann"));
  CHECK(refused.status != 0);
  CHECK((refused.out + refused.err).find("RV0") != std::string::npos);
  REQUIRE(team.Revctl("ann", {"fix"}).status == 0);
  team.sandbox.CommitAll("ann", "renumbered");
  CHECK(team.sandbox.TryGit("ann", {"push", "origin", "HEAD:main"}).status == 0);

  Replace(team, std::string("ann/") + Team::kList, "SR_FOULS=2", "SR_FOULS=9");
  team.sandbox.Git("ann", {"add", "-A"});
  auto commit = team.sandbox.TryGit("ann", {"commit", "-q", "-m", "wrong"});
  CHECK(commit.status != 0);
  CHECK((commit.out + commit.err).find("RV004") != std::string::npos);
  CHECK(team.sandbox.TryGit("ann", {"commit", "-q", "-m", "wrong"}, {"REVCTL=0"}).status == 0);
}

TEST_CASE("check: a release must not add revisions by itself", "[check]") {
  Team team;
  team.sandbox.Write("ann/.revctl.yaml",
                     std::string(Team::kConfig) + "releases: [\"release/*\"]\n");
  team.Land("ann");
  team.sandbox.Git("ann", {"push", "-q", "origin", "HEAD:release/1"});
  for (const char* name : {"SR_BOSS", "SR_STAMINA"})
    REQUIRE(team.Revctl("ann", {"reserve", name}).status == 0);
  team.Land("ann");
  team.sandbox.Git("bob", {"fetch", "-q"});
  team.sandbox.Git("bob", {"checkout", "-q", "-b", "fix", "origin/release/1"});
  CHECK(Check(team, "bob", {"--target", "origin/release/1"}).empty());
  AddByHand(team, "bob", "SR_STAMINA=4,");
  CHECK(Check(team, "bob", {"--target", "origin/release/1"}) == "RV018");
  team.sandbox.Write(std::string("bob/") + Team::kList, team.List("ann"));
  CHECK(Check(team, "bob", {"--target", "origin/release/1"}).empty());
  AddByHand(team, "bob", "SR_HOTFIX=5,");
  CHECK(Check(team, "bob", {"--target", "origin/release/1"}) == "RV018");
}

TEST_CASE("check: missing information is an error that names it", "[check]") {
  Team team;
  CHECK(team.Revctl("ann", {"check", "--target", "nowhere"}).status == 3);
  team.sandbox.Git("ann", {"update-ref", "-d", "refs/remotes/origin/main"});
  auto unknown = team.Revctl("ann", {"check"});
  CHECK(unknown.status == 3);
  CHECK(unknown.err.find("fix: revctl check --fetch") != std::string::npos);
  CHECK(Check(team, "ann", {"--fetch"}).empty());

  team.sandbox.Git("bob", {"checkout", "-q", "-b", "feature"});
  for (int i = 0; i < 3; ++i) {
    team.sandbox.Write("bob/x" + std::to_string(i), "x");
    team.sandbox.CommitAll("bob", "work");
  }
  team.sandbox.Git("bob", {"push", "-q", "--no-verify", "origin", "HEAD:feature"});
  team.sandbox.Write("ann/y", "y");
  team.Land("ann");
  team.sandbox.Git(".", {"clone", "-q", "--depth=1", "--branch=feature", team.Url(), "shallow"});
  team.sandbox.Git("shallow", {"config", "user.name", "ci"});
  team.sandbox.Git("shallow", {"config", "user.email", "ci@x"});
  CHECK(team.sandbox.Revctl("shallow", {"check", "--fetch"}).status == 0);
}

TEST_CASE("check: `oldest` must name a revision of the list", "[check]") {
  Team team;
  const auto with = [&](const std::string& oldest) {
    team.sandbox.Write(
        "ann/.revctl.yaml",
        "version: 1\nlists: [{path: src/master_version_list.h, oldest: " + oldest + "}]\n");
  };
  with("SR_INITIAL");
  team.Land("ann");
  with("SR_FOULS");
  CHECK(Check(team, "ann").empty());
  with("SR_NONE");
  CHECK(Check(team, "ann") == "RV016");
}

TEST_CASE("check: the target's config also determines how the list is parsed", "[check]") {
  Team team;
  // The target's prefix applies. Otherwise, a change could remove landed entries by redefining the
  // prefix.
  team.sandbox.Write("ann/.revctl.yaml",
                     "version: 1\nlists: [{path: src/master_version_list.h, prefix: XX_}]\n");
  team.sandbox.Write(std::string("ann/") + Team::kList, "enum Revision {\n    XX_A=1,\n};\n");
  CHECK_FALSE(Check(team, "ann").empty());
  team.sandbox.Write("ann/.revctl.yaml", std::string(Team::kConfig) + "nonsense: [\n");
  CHECK(team.Revctl("ann", {"check"}).status == 2);
}

TEST_CASE("RV017: a host's merge button would produce wrong numbers") {
  Team team;
  const std::string
      head = "enum Revision {\n    SR_INITIAL=1,\n    SR_FOULS,\n    SR_A,\n    SR_B,\n    SR_C,\n",
      end = "};\n";
  team.sandbox.Write(std::string("ann/") + Team::kList, head + end);
  team.Land("ann");
  team.sandbox.Git("bob", {"pull", "-q"});
  REQUIRE(team.Revctl("ann", {"reserve", "SR_BOSS"}).out == "SR_BOSS = 6\n");
  team.sandbox.CommitAll("ann", "boss");
  CHECK(Rules(team.Revctl("ann", {"check", "--json"}), true).find("RV017") == std::string::npos);
  std::string list = team.List("bob");
  SECTION("a clean merge, shifted by a line inserted above") {
    list.insert(list.find("    SR_FOULS"), "    SR_EARLY,\n");
  }
  SECTION("a merge with a conflict") { list.insert(list.rfind(end), "    SR_STAMINA,\n"); }
  team.sandbox.Write(std::string("bob/") + Team::kList, list);
  team.Land("bob");
  team.sandbox.Git("ann", {"fetch", "-q"});
  CHECK(Rules(team.Revctl("ann", {"check", "--json"}), true).find("RV017") != std::string::npos);
}

TEST_CASE("RV023: the lineage changes although no line does") {
  Team team;
  CHECK(Rules(team.Revctl("ann", {"check", "--json"}), true).empty());
  team.sandbox.Write("ann/.revctl.yaml",
                     "version: 1\nlists: [{path: src/master_version_list.h, lineage_root: "
                     "\"0123456789abcdef\"}]\n");
  CHECK(Rules(team.Revctl("ann", {"check", "--json"}), true).find("RV023") != std::string::npos);
}

TEST_CASE("check --output: writes files in several formats next to the text", "[check]") {
  Team team;
  std::string list = team.List("ann");
  list.insert(list.rfind("};"), "    SR_BOSS=2,\n");
  team.sandbox.Write(std::string("ann/") + Team::kList, list);
  const auto plain = team.Revctl("ann", {"check"});
  REQUIRE(plain.status == 1);
  const auto both = team.Revctl(
      "ann", {"check", "--format", "sarif", "--output", "a.sarif", "--output", "junit=b.xml"});
  CHECK(both.status == 1);
  CHECK(both.out == plain.out);
  CHECK(team.sandbox.Read("ann/a.sarif") == team.Revctl("ann", {"check", "--format", "sarif"}).out);
  CHECK(team.sandbox.Read("ann/b.xml") == team.Revctl("ann", {"check", "--format", "junit"}).out);
  const auto rules =
      nlohmann::json::parse(team.sandbox.Read("ann/a.sarif"))["runs"][0]["tool"]["driver"]["rules"];
  CHECK(rules[0]["id"] == "RV001");
  CHECK(rules[0]["shortDescription"]["text"] == "two revisions have the same number");
  CHECK(Has(rules[0]["help"]["text"], "How to fix it: Run revctl fix"));
  const auto github = team.Revctl("ann", {"check", "--format", "github", "--output", "text=c.txt"});
  CHECK(github.out.starts_with("::error "));
  CHECK(team.sandbox.Read("ann/c.txt") == plain.out);
  CHECK(team.Revctl("ann", {"check", "--output", "json=x", "--output", "x"}).status == 2);
  CHECK(team.Revctl("ann", {"check", "--output", "no/folder/x"}).status == 3);
}

TEST_CASE("check: during a merge, checks the commit that will conclude it", "[check]") {
  Team team;
  REQUIRE(team.Revctl("ann", {"reserve", "SR_BOSS"}).status == 0);
  team.Land("ann");
  REQUIRE(team.Revctl("bob", {"reserve", "SR_STAMINA"}).status == 0);
  team.sandbox.CommitAll("bob", "stamina");
  team.sandbox.Git("bob", {"fetch", "-q"});
  REQUIRE(team.sandbox.TryGit("bob", {"merge", "--no-edit", "origin/main"}).status == 1);
  REQUIRE(team.Revctl("bob", {"fix"}).status == 0);
  const auto before = team.Revctl("bob", {"check"});
  INFO(before.out << before.err);
  CHECK(before.status == 0);
  CHECK(Has(before.err, "checking the commit that will conclude it"));
  CHECK_FALSE(Has(before.out, "git merge"));
  team.sandbox.Git("bob", {"commit", "-qam", "merged"});
  const auto after = team.Revctl("bob", {"check"});
  CHECK(after.status == 0);
  CHECK_FALSE(Has(after.err, "git commit"));
}
