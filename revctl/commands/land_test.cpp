// land: one command from "done" to "on the target", over a real server.
#include <catch2/catch.hpp>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "revctl/commands/team_test.h"

using namespace revctl::testing;

namespace {

bool Has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

/// A team whose target says how it lands.
struct Landers : Team {
  explicit Landers(const std::string& land) {
    sandbox.Write("ann/.revctl.yaml", std::string(kConfig) + "land: {" + land + "}\n");
    sandbox.Git("ann", {"commit", "-q", "-a", "-m", "how we land"});
    sandbox.Git("ann", {"push", "-q", "origin", "HEAD:main"});
    sandbox.Git("bob", {"pull", "-q"});
  }
  /// A branch of one commit for each revision, that uses it.
  void Branch(const std::string& person, const std::string& branch,
              const std::vector<std::string>& revisions) const {
    sandbox.Git(person, {"checkout", "-q", "-b", branch});
    for (const std::string& name : revisions) {
      const auto reserved = Revctl(person, {"reserve", name});
      if (reserved.status != 0) throw std::runtime_error(reserved.err);
      sandbox.Write(person + "/src/" + name + ".cpp", "ADD(" + name + ", x);\n");
      sandbox.CommitAll(person, name);
    }
  }
  std::string Main(const std::string& what = "main") const {
    return sandbox.Git("srv/game.git", {"rev-parse", what});
  }
  std::string Subjects(const std::string& range, bool first_parent = false) const {
    std::vector<std::string> log = {"log", "--format=%s", "--reverse"};
    if (first_parent) log.push_back("--first-parent");
    log.push_back(range);
    return sandbox.Git("srv/game.git", log);
  }
  std::string HeadOf(const std::string& person) const {
    return sandbox.Git(person, {"rev-parse", "HEAD"});
  }
  bool Clean(const std::string& person) const {
    return sandbox.Git(person, {"status", "--porcelain"}).empty();
  }
};

}  // namespace

TEST_CASE("land: by rebase, behind what another has landed, in the branch's order", "[land]") {
  Landers team("by: rebase, verify: \"echo verified >> ../verified\"");
  team.Branch("ann", "boss", {"SR_BOSS", "SR_BOSS_TWO"});
  team.Branch("bob", "stamina", {"SR_STAMINA"});
  auto first = team.Revctl("bob", {"land"});
  INFO(first.err);
  CHECK(first.status == 0);
  CHECK(first.out ==
        "landed SR_STAMINA = 5 on origin/main at " + team.Main().substr(0, 10) + "\n");
  CHECK(Has(first.err, "verify: echo verified >> ../verified\n"));
  CHECK(team.sandbox.Read("verified") == "verified\n");

  const std::string before = team.Main();
  auto second = team.Revctl("ann", {"land", "--json"});
  INFO(second.err);
  CHECK(second.status == 0);
  const auto json = nlohmann::json::parse(second.out);
  CHECK(json.at("landed") == true);
  CHECK(json.at("branch") == "boss");
  CHECK(json.at("commit") == team.Main());
  CHECK(json.at("revisions").at(1).at("name") == "SR_BOSS_TWO");
  CHECK(json.at("revisions").at(1).at("number") == 7);
  CHECK(team.Numbers("ann") == "SR_INITIAL=1 SR_FOULS=2 SR_STAMINA=5 SR_BOSS=6 SR_BOSS_TWO=7");
  CHECK(team.HeadOf("ann") == team.Main());
  CHECK(team.Subjects(before + "..main") == "SR_BOSS\nSR_BOSS_TWO");
  CHECK(team.Clean("ann"));
  CHECK_FALSE(team.sandbox.Exists("ann/.git/revctl-land"));
  // Nothing is left to land; a branch without a revision lands as well.
  CHECK(Has(team.Revctl("ann", {"land"}).out, "nothing to land: origin/main has all of boss"));
  team.sandbox.Write("ann/README", "words\n");
  team.sandbox.CommitAll("ann", "words");
  CHECK(Has(team.Revctl("ann", {"land", "-q"}).out, "landed boss on origin/main at "));
}

TEST_CASE("land: by merge, the target's own history is one commit for each landing", "[land]") {
  Landers team("by: merge");
  team.Branch("ann", "boss", {"SR_BOSS", "SR_BOSS_TWO"});
  team.Branch("bob", "stamina", {"SR_STAMINA"});
  const std::string before = team.Main();
  REQUIRE(team.Revctl("bob", {"land"}).status == 0);
  auto landed = team.Revctl("ann", {"land"});
  INFO(landed.err);
  CHECK(landed.status == 0);
  CHECK(landed.out ==
        "landed SR_BOSS = 6, SR_BOSS_TWO = 7 on origin/main at " + team.Main().substr(0, 10) +
            "\n");
  CHECK(team.Subjects(before + "..main", true) == "Merge branch 'stamina'\nMerge branch 'boss'");
  CHECK(team.HeadOf("ann") == team.Main());
  CHECK(team.Clean("ann"));
  CHECK(team.Main("main^{tree}") == team.sandbox.Git("ann", {"write-tree"}));
}
