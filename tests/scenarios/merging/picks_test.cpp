// Tests cherry-picks, rebases, stashes and reverts whose base is newer than the branch. A pending
// revision whose number has landed in the meantime gets a new number, as in a merge. It never
// becomes a second name for the landed revision.
#include <catch2/catch.hpp>

#include "tests/scenarios/team.h"

using namespace revctl::testing;

namespace {

/// A team in which Bob has used number 3 offline on his branch `boss`, and Ann has landed SR_CAVE =
/// 3 and SR_DOOR = 4, each in its own commit.
struct OldBranch : Team {
  OldBranch() {
    InstallDriver("ann");
    InstallDriver("bob");
    sandbox.Git("bob", {"checkout", "-q", "-b", "boss"});
    REQUIRE(
        Revctl("bob", {"reserve", "SR_BOSS", "--offline", "-m", "the boss has phases"}).status ==
        5);
    sandbox.Write("bob/src/boss.cpp", "ADD(SR_BOSS, phases);\n");
    sandbox.CommitAll("bob", "boss");
    LandOne("SR_CAVE");
    LandOne("SR_DOOR");
    sandbox.Git("bob", {"fetch", "-q"});
  }
  void LandOne(const std::string& name) {
    REQUIRE(Revctl("ann", {"reserve", name, "-m", name}).status == 0);
    Land("ann");
  }
  void Expect(const std::string& numbers) {
    INFO(List("bob"));
    CHECK(List("bob").find("<<<<") == std::string::npos);
    CHECK(Numbers("bob") == numbers);
  }
};

}  // namespace

TEST_CASE("driver: a commit from main is picked onto an older branch", "[driver][pick]") {
  OldBranch team;
  team.sandbox.Git("bob", {"cherry-pick", "origin/main"});
  team.Expect("SR_INITIAL=1 SR_FOULS=2 SR_CAVE=3 SR_DOOR=4 SR_BOSS=5");
  team.sandbox.Git("bob", {"merge", "-q", "--no-edit", "origin/main"});
  CHECK(team.Revctl("bob", {"fix"}).out == "SR_BOSS = 5 confirmed\n");
  team.sandbox.CommitAll("bob", "confirmed");
  CHECK(team.Revctl("bob", {"check"}).status == 0);
}

TEST_CASE("driver: newer work is moved onto an older branch", "[driver][pick]") {
  OldBranch team;
  team.sandbox.Git("bob", {"checkout", "-q", "-b", "topic", "origin/main~1"});
  REQUIRE(team.Revctl("bob", {"reserve", "SR_FOX", "-m", "fox"}).status == 0);
  SECTION("rebase --onto") {
    team.sandbox.CommitAll("bob", "fox");
    team.sandbox.Git("bob", {"rebase", "-q", "--onto", "boss", "origin/main~1", "topic"});
    team.Expect("SR_INITIAL=1 SR_FOULS=2 SR_CAVE=3 SR_FOX=5 SR_BOSS=6");
  }
  SECTION("stash pop") {
    team.sandbox.Git("bob", {"stash", "-q"});
    team.sandbox.Git("bob", {"checkout", "-q", "boss"});
    team.sandbox.Git("bob", {"stash", "pop", "-q"});
    team.Expect("SR_INITIAL=1 SR_FOULS=2 SR_CAVE=3 SR_FOX=5 SR_BOSS=6");
  }
}

TEST_CASE("driver: a commit from main is reverted on an older branch", "[driver][pick]") {
  OldBranch team;
  team.sandbox.Git("bob", {"revert", "--no-edit", "origin/main~1"});
  team.Expect("SR_INITIAL=1 SR_FOULS=2 SR_CAVE=3 SR_BOSS=5");
}

TEST_CASE("driver: a person decides about a landed revision that a branch renamed",
          "[driver][pick]") {
  OldBranch team;
  team.sandbox.Git("bob", {"checkout", "-q", "-b", "words", "origin/main~1"});
  std::string text = team.List("bob");
  const std::size_t at = text.find("SR_CAVE");
  REQUIRE(at != std::string::npos);
  team.sandbox.Write(std::string("bob/") + Team::kList, text.replace(at, 7, "SR_CAVERN"));
  team.sandbox.Git(
      // --no-verify, because the hook reports RV005
      "bob", {"commit", "-q", "--no-verify", "-a", "-m", "a better word"});
  std::vector<std::string> join = {"merge", "--no-edit", "origin/main"};
  SECTION("merging main into the branch") {}
  SECTION("merging the branch into main") {
    team.sandbox.Git("bob", {"checkout", "-q", "--detach", "origin/main"});
    join.back() = "words";
  }
  SECTION("in a rebase") { join = {"rebase", "origin/main"}; }
  SECTION("in a cherry-pick") {
    team.sandbox.Git("bob", {"checkout", "-q", "--detach", "origin/main"});
    join = {"cherry-pick", "words"};
  }
  const auto merge = team.sandbox.TryGit("bob", join);
  INFO(merge.out << merge.err << team.List("bob"));
  CHECK(merge.status == 1);
  CHECK(Has(merge.err, "SR_CAVE has landed as 3, but one side calls it SR_CAVERN"));
  text = team.List("bob");
  CHECK(Has(text, "SR_CAVE=3"));
  CHECK(Has(text, "SR_CAVERN=3"));
  CHECK_FALSE(Has(text, "SR_CAVERN=5"));
  // There is no other entry between the markers.
  const std::size_t begin = text.find("<<<<<<<"), end = text.find(">>>>>>>");
  REQUIRE(begin != std::string::npos);
  REQUIRE(end != std::string::npos);
  CHECK(text.find("SR_FOULS") < begin);
  CHECK(text.find("SR_DOOR") > end);
  // `fix` leaves the decision to the user.
  const auto fix = team.Revctl("bob", {"fix"});
  INFO(fix.out << fix.err);
  CHECK(fix.status == 1);
  CHECK(Has(fix.out, "error[RV015]"));
  CHECK(Has(team.List("bob"), "SR_CAVERN=3"));
}

TEST_CASE("driver: a new revision with a reverted number comes after it", "[driver][pick]") {
  OldBranch team;
  team.sandbox.Git("bob", {"checkout", "-q", "-b", "undo", "origin/main~1"});
  team.sandbox.Git("bob", {"revert", "--no-edit", "HEAD"});  // does not call the driver
  std::string text = team.List("bob");
  text.insert(text.rfind("};"), "    SR_FOX=3,\n");
  team.sandbox.Write(std::string("bob/") + Team::kList, text);
  team.sandbox.Git("bob", {"commit", "-q", "--no-verify", "-a", "-m", "fox"});
  SECTION("in a merge") {
    team.sandbox.Git("bob", {"merge", "-q", "--no-edit", "origin/main"});
    team.Expect("SR_INITIAL=1 SR_FOULS=2 SR_CAVE=3 SR_DOOR=4 SR_FOX=5");
  }
  SECTION("with fix") {
    // `fix` exits with 1: the list cannot be merged as text, so the user still has to merge the
    // target.
    CHECK(team.Revctl("bob", {"fix"}).status == 1);
    team.Expect("SR_INITIAL=1 SR_FOULS=2 SR_CAVE=3 SR_FOX=5");
  }
}

TEST_CASE("driver: a number from before the landing is not an edit", "[driver][pick]") {
  OldBranch team;
  // Bob's own revision has the numbers 3, 4 and 5 in turn, and lands as 5.
  const auto number = [&](const std::string& from, const std::string& to) {
    std::string text = team.List("bob");
    const std::size_t at = text.find("SR_BOSS=" + from);
    REQUIRE(at != std::string::npos);
    team.sandbox.Write(std::string("bob/") + Team::kList,
                       text.replace(at, 8 + from.size(), "SR_BOSS=" + to));
    team.sandbox.Git("bob", {"commit", "-q", "--no-verify", "-a", "-m", "as " + to});
  };
  number("3", "4");
  number("4", "5");
  team.sandbox.Git("bob", {"branch", "old"});
  REQUIRE(team.sandbox.TryGit("bob", {"merge", "-q", "--no-edit", "origin/main"}).ok());
  REQUIRE(team.Revctl("bob", {"fix"}).status == 0);
  team.sandbox.Git("bob", {"commit", "-q", "--no-verify", "-a", "--allow-empty", "-m", "numbers"});
  team.Land("bob");
  team.sandbox.Git("bob", {"fetch", "-q"});
  const std::string landed = team.Numbers("bob");
  CHECK(landed == "SR_INITIAL=1 SR_FOULS=2 SR_CAVE=3 SR_DOOR=4 SR_BOSS=5");
  const auto stays = [&](const std::vector<std::string>& git) {
    const auto run = team.sandbox.TryGit("bob", git);
    INFO(run.out << run.err << team.List("bob"));
    CHECK(team.sandbox.Git("bob", {"ls-files", "-u"}).empty());
    CHECK(team.Numbers("bob") == landed);
    team.sandbox.Git("bob", {"reset", "-q", "--hard", "origin/main"});
    team.sandbox.TryGit("bob", {git[0], "--quit"});
  };
  stays({"cherry-pick", "old"});
  stays({"cherry-pick", "old~1"});
  stays({"revert", "--no-edit", "old"});
  stays({"revert", "--no-edit", "old~1"});
  stays({"revert", "--no-edit", "old~2"});
  stays({"merge", "-q", "--no-edit", "old"});
  // If a branch that contains a landed revision edits it, the user has to resolve the conflict.
  team.sandbox.Git("bob", {"checkout", "-q", "-b", "edits", "origin/main"});
  number("5", "8");
  team.sandbox.Git("bob", {"checkout", "-q", "-b", "more", "origin/main"});
  std::string text = team.List("bob");
  text.insert(text.rfind("};"), "    SR_FOX=6,\n");
  team.sandbox.Write(std::string("bob/") + Team::kList, text);
  team.sandbox.Git("bob", {"commit", "-q", "--no-verify", "-a", "-m", "fox"});
  CHECK(team.sandbox.TryGit("bob", {"merge", "-q", "--no-edit", "edits"}).status == 1);
  CHECK(team.List("bob").find("SR_BOSS=8") != std::string::npos);
}

TEST_CASE("driver: a landed line that a merge lost is not a rename", "[driver][pick]") {
  OldBranch team;
  team.sandbox.Git("bob", {"merge", "-q", "--no-edit", "-s", "ours",
                           "origin/main~1"});  // as "keep mine" does in a web editor
  team.sandbox.Git("bob", {"merge", "-q", "--no-edit", "origin/main"});
  team.Expect("SR_INITIAL=1 SR_FOULS=2 SR_CAVE=3 SR_DOOR=4 SR_BOSS=5");
}
