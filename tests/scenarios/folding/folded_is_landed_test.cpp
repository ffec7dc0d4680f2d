// Numbers at landing: tests that folded revisions keep their numbers, and that pending files on the
// target stay unchanged until they are folded.
#include <catch2/catch.hpp>

#include "tests/scenarios/landing_team.h"

using namespace revctl;
using namespace revctl::testing;
using Catch::Contains;

namespace {

/// A team that folds revisions on main. Bob tries to undo the folds.
struct Undoing : LandingTeam {
  std::string folded;

  explicit Undoing(const std::vector<std::string>& names = {"SR_ONE"}) {
    Branch("ann", "one", names);
    if (HostMerges("one").status != 0) throw std::runtime_error("one does not land");
    Fold();
  }
  void Fold() {
    const auto fold = Revctl("host", {"fold", "--push"});
    if (fold.status != 0) throw std::runtime_error(fold.err);
    sandbox.Git("bob", {"fetch", "-q"});
    folded = sandbox.Git("bob", {"rev-parse", "origin/main"});
    sandbox.Git("bob", {"reset", "-q", "--hard", folded});
  }
  void List(const std::string& text) const {
    sandbox.Write("bob/" + std::string(Team::kList), text);
  }
  std::string ListText() const { return LandingTeam::List("bob"); }
  void Comes(const std::string& name, const std::string& text) const {
    sandbox.Write("bob/" + std::string(kFolder) + name + ".yaml", text);
  }
  /// Returns the output of `check` for Bob's work tree. `check --staged` and the server must also
  /// reject the change.
  std::string Refused() const {
    const auto checked = Revctl("bob", {"check"});
    INFO(checked.out << checked.err);
    CHECK(checked.status == 1);
    sandbox.Git("bob", {"add", "-A"});
    CHECK(Revctl("bob", {"check", "--staged"}).status == 1);
    const bool committed = sandbox.TryGit("bob", {"diff", "--cached", "--quiet"}).status == 0;
    if (!committed) sandbox.Git("bob", {"commit", "-q", "--no-verify", "-m", "undo"});
    const auto pushed = sandbox.TryGit("bob", {"push", "-q", "--no-verify", "origin", "HEAD:main"});
    CHECK(pushed.status != 0);
    CHECK_THAT(pushed.err, Contains("error[RV00"));
    sandbox.Git("bob", {"reset", "-q", "--hard", folded});
    return checked.out;
  }
};

const std::string kMissing = " has landed, but is missing here";

std::string Without(std::string text, const std::string& line) {
  const std::size_t at = text.find(line);
  if (at == text.npos) throw std::runtime_error(line + " is not in\n" + text);
  return text.erase(at, text.find('\n', at) + 1 - at);
}

}  // namespace

TEST_CASE("folded: a reverted fold is rejected, and the fix restores it",
          "[landing][fold][check]") {
  Undoing team;
  team.sandbox.Git("bob", {"revert", "--no-edit", "HEAD"});
  REQUIRE(team.sandbox.Exists(std::string("bob/") + kFolder + "SR_ONE.yaml"));
  const std::string said = team.Refused();
  CHECK_THAT(said, Contains("error[RV003]: SR_ONE (3") && Contains(kMissing) &&
                       Contains("fix: revctl fix\n"));
  // The printed fix works.
  team.sandbox.Git("bob", {"revert", "--no-edit", "HEAD"});
  const auto resolved = team.Revctl("bob", {"fix"});
  INFO(resolved.out << resolved.err);
  CHECK(resolved.status == 0);
  CHECK_THAT(team.ListText(), Contains("SR_ONE=3,"));
  CHECK_THAT(Rules(team, "bob"), !Contains("error"));
  CHECK(team.Revctl("bob", {"sync"}).status == 0);
  team.sandbox.CommitAll("bob", "fixed");
  CHECK(team.sandbox.Git("bob", {"diff", team.folded, "HEAD", "--", "src"}).empty());
  const auto push = [&] {
    return team.sandbox.TryGit("bob", {"push", "-q", "--no-verify", "origin", "HEAD:main"});
  };
  // The revert itself would stay in main's history, so it must be squashed.
  CHECK(SquashAsTold(team, "bob", push().err));
  CHECK(push().status == 0);
}

TEST_CASE("folded: pull requests that undo a fold, by hand or with merges",
          "[landing][fold][check]") {
  Undoing team({"SR_ONE", "SR_TWO"});
  const std::string list = team.ListText(), first = team.folded;
  const std::string one = "    SR_ONE=3,", two = "    SR_TWO=4,";
  // Remove the last entry and restore its pending file. The next fold would assign the same number.
  team.List(Without(list, two));
  team.Comes("SR_TWO", "message: \"a: for SR_TWO\"\n");
  CHECK_THAT(team.Refused(), Contains("SR_TWO (4") && Contains(kMissing));
  // Restore the file with a different meaning, or with contents that cannot be folded.
  for (const char* text : {"message: mine\n", "after: [SR_TWO]\n", "nonsense: [\n"}) {
    team.List(Without(list, two));
    team.Comes("SR_TWO", text);
    CHECK_THAT(team.Refused(), Contains("SR_TWO (4") && Contains(kMissing));
  }
  // Remove an entry from the middle. Then swap two folded entries.
  team.List(Without(list, one));
  team.Comes("SR_ONE", "message: \"a: for SR_ONE\"\n");
  CHECK_THAT(team.Refused(), Contains("SR_ONE (3") && Contains(kMissing));
  std::string turned = list;
  turned.replace(turned.find("SR_ONE"), 6, "SR_XXX");
  turned.replace(turned.find("SR_TWO"), 6, "SR_ONE");
  turned.replace(turned.find("SR_XXX"), 6, "SR_TWO");
  team.List(turned);
  CHECK_THAT(team.Refused(), Contains("has landed, but is 4 here"));
  // If SR_TWO becomes pending again, but after the new SR_AAA, SR_AAA would get its number.
  team.List(Without(list, two));
  team.Comes("SR_AAA", "message: first\n");
  team.Comes("SR_TWO", "message: \"a: for SR_TWO\"\nafter: [SR_AAA]\n");
  CHECK_THAT(team.Refused(), Contains("SR_TWO (4") && Contains(kMissing));

  // Revert the fold in a pull request that is opened before the next fold and merged after it.
  team.sandbox.Git("bob", {"checkout", "-q", "-b", "undo"});
  team.sandbox.Git("bob", {"revert", "--no-edit", "HEAD"});
  CHECK_THAT(Rules(team, "bob"), Contains("RV003 error"));
  team.sandbox.Git("bob", {"push", "-q", "--no-verify", "origin", "undo"});
  team.Branch("ann", "three", {"SR_THREE"});
  REQUIRE(team.HostMerges("three").status == 0);
  CHECK(team.HostMerges("undo").status != 0);
  REQUIRE(team.Revctl("host", {"fold", "--push"}).out == "SR_THREE = 5\n");
  CHECK(team.HostMerges("undo").status != 0);
  team.sandbox.TryGit("host", {"merge", "--abort"});
  team.sandbox.Git("bob", {"fetch", "-q"});
  CHECK_THAT(Rules(team, "bob"), Contains("RV003 error"));
  // After the fold, a branch removes SR_TWO from the list and adds a new pending file for it.
  team.sandbox.Git("bob", {"checkout", "-q", "-B", "again", "origin/main"});
  team.folded = team.sandbox.Git("bob", {"rev-parse", "HEAD"});
  team.List(Without(team.ListText(), two));
  team.Comes("SR_TWO", "message: \"a: for SR_TWO\"\nafter: [\"SR_ONE\"]\n");
  CHECK_THAT(team.Refused(), Contains("SR_TWO (4") && Contains(kMissing));

  // Revert the merge of a fold's pull request.
  team.Branch("ann", "four", {"SR_FOUR"});
  REQUIRE(team.HostMerges("four").status == 0);
  REQUIRE(team.Revctl("host", {"fold", "--branch", "numbers"}).status == 0);
  REQUIRE(team.HostMerges("numbers").status == 0);
  team.sandbox.Git("bob", {"fetch", "-q"});
  team.sandbox.Git("bob", {"checkout", "-q", "-B", "again", "origin/main"});
  team.folded = team.sandbox.Git("bob", {"rev-parse", "HEAD"});
  team.sandbox.Git("bob", {"revert", "--no-edit", "-m", "1", "HEAD"});
  CHECK_THAT(team.Refused(), Contains("SR_FOUR (6") && Contains(kMissing));
  // Revert the fold and the folded revision in one change.
  team.sandbox.Git("bob", {"revert", "--no-edit", "-m", "1", "HEAD"});
  team.sandbox.Git("bob", {"rm", "-q", std::string(kFolder) + "SR_FOUR.yaml"});
  CHECK_THAT(team.Refused(), Contains("SR_FOUR (6") && Contains(kMissing));
  CHECK(team.sandbox.Git("srv/game.git", {"rev-parse", "main"}) == team.folded);
  CHECK(team.sandbox.Git("bob", {"merge-base", first, team.folded}) == first);
}

TEST_CASE("folded: messages to users while revisions wait for a fold", "[landing][overview]") {
  LandingTeam team;
  team.sandbox.Git("ann", {"checkout", "-q", "-b", "one"});
  REQUIRE(team.Revctl("ann", {"reserve", "SR_ONE", "-m", "one"}).status == 0);
  team.sandbox.CommitAll("ann", "one");
  CHECK_THAT(team.Revctl("ann", {}).out, Contains("SR_ONE = 3: can land\n") &&
                                             Contains("revctl check --fetch, then revctl land\n"));
  const auto own = team.Revctl("ann", {"check"});
  CHECK_THAT(own.out, Contains("[RV021]") && Contains("or run revctl abandon SR_ONE"));
  team.sandbox.Git("ann", {"push", "-q", "--no-verify", "origin", "one"});
  REQUIRE(team.HostMerges("one").status == 0);
  team.sandbox.Git("bob", {"pull", "-q"});
  CHECK_THAT(team.Revctl("bob", {}).out,
             Contains("SR_ONE = 3: pending on origin/main; the fold will assign this number\n") &&
                 Contains("revctl fold --push\n") && !Contains("revctl land"));
  const auto there = team.Revctl("bob", {"check"});
  CHECK_THAT(there.out, Contains("[RV021]") && !Contains("abandon") &&
                            Contains("or leave it as it is: it has landed"));
  CHECK(team.Revctl("bob", {"abandon", "SR_ONE"}).status == 1);
  // The overview mentions the branch's own revision first. It never reports a pending number as too
  // low.
  team.Branch("bob", "two", {"SR_TWO"});
  CHECK_THAT(team.Revctl("bob", {}).out, Contains("revctl check --fetch, then revctl land\n"));
  team.Branch("ann", "three", {"SR_THREE"});
  REQUIRE(team.HostMerges("three").status == 0);
  REQUIRE(team.Revctl("host", {"fold", "--push"}).status == 0);
  team.sandbox.Git("bob", {"fetch", "-q"});
  CHECK_THAT(team.Revctl("bob", {}).out, !Contains("too low") && !Contains("revctl fix"));
  CHECK_THAT(team.Revctl("bob", {"status"}).out, !Contains("revctl fix"));
}

TEST_CASE("folded: a branch from before the switch must merge the target", "[landing][adopt]") {
  const Team team;
  team.sandbox.Git("bob", {"checkout", "-q", "-b", "old"});
  const auto early = team.Revctl("bob", {"fix"});
  CHECK(early.status == 0);
  CHECK_THAT(early.err, Contains("OK: nothing to fix"));
  AddByHand(team, "bob", "SR_OLD=3,// bo: old");
  REQUIRE(team.Revctl("ann", {"init", "--numbers", "at-landing", "--yes", "--offline"}).status ==
          0);
  team.Land("ann");
  team.sandbox.Git("bob", {"fetch", "-q"});
  const auto behind = team.Revctl("bob", {"fix"});
  INFO(behind.out << behind.err);
  CHECK(behind.status == 1);
  CHECK_THAT(behind.out, Contains("SR_OLD") && Contains("git merge origin/main && revctl fix"));
  CHECK(Has(team.List("bob"), "SR_OLD=3"));
}
