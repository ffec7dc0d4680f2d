// Tests release branches: which entries a cherry-pick adds to them, and how the gate compares them
// with the target.
#include <catch2/catch.hpp>
#include <filesystem>

#include "tests/scenarios/team.h"

using namespace revctl::testing;

namespace {

/// A team whose release/1.0 was cut at SR_FOULS. Since then, SR_CRIT and SR_GOLD64 have landed on
/// main, each in one commit with its code and goldens. The release branch contains a fix without a
/// revision.
struct Released : Team {
  std::string crit, gold;

  explicit Released(const std::string& numbers = "=") : Team() {
    const auto entry = [&](const std::string& name, int number) {
      return "    " + name + (numbers == "=" ? "=" + std::to_string(number) : "") + ",\n";
    };
    std::string list = "enum Revision {\n    SR_INITIAL=1,\n" + entry("SR_FOULS", 2);
    const auto land = [&](const std::string& name) {
      sandbox.Write(std::string("ann/") + kList, list + "};\n");
      sandbox.Write("ann/src/" + name + ".cpp", "ADD(" + name + ", field);\n");
      sandbox.Write("ann/golden/" + name + ".yaml", "record of " + name + "\n");
      sandbox.Write("ann/golden/" + name + ".golden", "payloads of " + name + "\n");
      sandbox.CommitAll("ann", name);
      return sandbox.Git("ann", {"rev-parse", "HEAD"});
    };
    sandbox.Write("ann/.revctl.yaml",
                  "version: 1\nlists: [{path: src/master_version_list.h, golden: golden}]\n"
                  "releases: [\"release/*\"]\nreservation: optional\n");
    land("SR_FOULS");
    sandbox.Git("ann", {"branch", "release/1.0"});
    list += entry("SR_CRIT", 3);
    crit = land("SR_CRIT");
    list += entry("SR_GOLD64", 4);
    gold = land("SR_GOLD64");
    sandbox.Git("ann", {"checkout", "-q", "release/1.0"});
    sandbox.Write("ann/src/fix.cpp", "// a fix without a revision\n");
    sandbox.CommitAll("ann", "fix");
    sandbox.Git("ann", {"push", "-q", "--no-verify", "origin", "main", "release/1.0"});
    GuardServer();
    sandbox.Git("bob", {"fetch", "-q"});
    sandbox.Git("bob", {"checkout", "-q", "--no-track", "-b", "hotfix", "origin/release/1.0"});
    InstallDriver("bob");
  }
  /// Creates a topic branch with SR_MINE=3 that begins where the release was cut.
  void AddMineAtTheCut() const {
    sandbox.Git("bob", {"checkout", "-q", "-b", "topic", crit + "~1"});
    AddByHand(*this, "bob", "SR_MINE=3,");
    sandbox.CommitAll("bob", "mine");
  }
  void Pick(const std::vector<std::string>& commits) const {
    std::vector<std::string> command{"cherry-pick"};
    command.insert(command.end(), commits.begin(), commits.end());
    sandbox.Git("bob", command);
  }
  std::string Push() const {
    const auto pushed =
        sandbox.TryGit("bob", {"push", "-q", "--no-verify", "origin", "HEAD:release/1.0"});
    return pushed.status == 0 ? "" : pushed.err;
  }
  std::string Check() const {
    const auto run = Revctl("bob", {"check"});
    return (run.status == 0 ? "" : "refused: ") + run.out + run.err;
  }
};

constexpr const char* kWithoutCrit = "SR_INITIAL=1 SR_FOULS=2 SR_GOLD64=4";
constexpr const char* kWhole = "SR_INITIAL=1 SR_FOULS=2 SR_CRIT=3 SR_GOLD64=4";

}  // namespace

TEST_CASE("release: a pick adds only the revisions of the picked commit", "[driver][release]") {
  Released team;
  const std::string base = team.sandbox.Git("bob", {"rev-parse", "HEAD"});
  const auto expect = [&](const std::string& what, const char* numbers) {
    INFO(what << "\n" << team.List("bob"));
    CHECK(team.Numbers("bob") == numbers);
    CHECK_FALSE(Has(team.List("bob"), "<<<<"));
    team.sandbox.Git("bob", {"reset", "-q", "--hard", base});
  };
  const auto pick = team.sandbox.TryGit("bob", {"cherry-pick", team.gold});
  INFO(pick.err);
  CHECK(pick.status == 0);
  CHECK(Has(pick.err, "SR_CRIT (3) is left out: on a release"));
  expect("on a branch of the release's line", kWithoutCrit);
  team.sandbox.Git("bob", {"cherry-pick", "-n", team.gold});
  expect("without a commit", kWithoutCrit);
  team.Pick({team.crit, team.gold});
  expect("both, in order", kWhole);
  team.sandbox.Git("bob", {"checkout", "-q", "--detach", "HEAD"});
  team.sandbox.Git("bob", {"rebase", "-q", "--onto", "HEAD", team.crit, team.gold});
  expect("rebase --onto, detached", kWithoutCrit);
  // Without the driver, `fix` produces the same result.
  team.sandbox.Git("bob", {"checkout", "-q", "hotfix"});
  CHECK(team.sandbox
            .TryGit("bob",
                    {"-c", "merge.revctl.driver=git merge-file %A %O %B", "cherry-pick", team.gold})
            .status != 0);
  CHECK(team.Revctl("bob", {"fix"}).status ==
        1);  // SR_GOLD64 was back-ported without SR_CRIT (RV018)
  expect("fix in a pick", kWithoutCrit);
  // Reverting a commit on the release keeps its revisions.
  team.Pick({team.crit, team.gold});
  team.sandbox.Git("bob", {"revert", "--no-edit", "HEAD~1"});
  expect("a revert", kWhole);
}

TEST_CASE("release: an ordinary pick also adds the revisions before it", "[driver][release]") {
  Released team("");
  team.sandbox.Git("bob", {"cherry-pick", team.gold});
  INFO(team.List("bob"));
  CHECK(team.Numbers("bob") == kWithoutCrit);  // same result as above, but with implicit numbers
  team.sandbox.Write("bob/note", "a commit of its own\n");
  team.AddMineAtTheCut();
  team.Pick({team.gold});
  CHECK(team.Numbers("bob") == "SR_INITIAL=1 SR_FOULS=2 SR_CRIT=3 SR_GOLD64=4 SR_MINE=5");
}

TEST_CASE("release: a topic branch that begins at the cut is not a release", "[driver][release]") {
  Released team;
  team.sandbox.Git("ann", {"push", "-q", "--no-verify", "-f", "origin",
                           // the release has no commits of its own
                           team.crit + "~1:refs/heads/release/1.0"});
  team.sandbox.Git("bob", {"fetch", "-q"});
  team.AddMineAtTheCut();
  team.Pick({team.gold});
  CHECK(team.Numbers("bob") == "SR_INITIAL=1 SR_FOULS=2 SR_CRIT=3 SR_GOLD64=4 SR_MINE=5");
}

TEST_CASE("release: an ambiguous branch counts as a release and loses nothing",
          "[driver][release]") {
  Released team;
  team.sandbox.Git("ann", {"push", "-q", "--no-verify", "-f", "origin",
                           team.crit + "~1:refs/heads/release/1.0"});
  team.sandbox.Git("bob", {"fetch", "-q"});
  team.sandbox.Git("bob", {"checkout", "-q", "-b", "topic", team.crit + "~1"});
  const auto pick = team.sandbox.TryGit("bob", {"cherry-pick", team.gold});
  CHECK(Has(pick.err, "SR_CRIT (3) is left out: on a release branch, a cherry-pick adds only"));
  CHECK(Has(pick.err, "otherwise, the next merge of the target adds the rest"));
  CHECK(team.Numbers("bob") == kWithoutCrit);
  team.sandbox.Git("bob", {"merge", "-q", "--no-edit", "origin/main"});
  CHECK(team.Numbers("bob") == kWhole);
  CHECK(Has(team.Check(), "OK: no problems (compared with origin/main"));
}

TEST_CASE("release: rejects new numbers and prints the two alternatives", "[release]") {
  Released team;
  const auto refused = [&](const std::vector<std::string>& command, const std::string& again) {
    const std::string list = team.List("bob");
    const auto run = team.Revctl("bob", command);
    INFO(command[0] << "\n" << run.out << run.err);
    CHECK(run.status == 1);
    CHECK(Has(run.err, "this branch is for release/1.0, "));
    CHECK(Has(run.err, "git switch -c " + again));
    CHECK_FALSE(Has(run.err, "git merge"));
    CHECK(team.List("bob") == list);
  };
  const std::string ways =
      ", then land that revision and back-port it with every revision before it; or fix the "
      "problem without";
  // `fix` must succeed, because a bot may run it.
  CHECK(Has(team.Revctl("bob", {"fix"}).err, "OK: nothing to fix"));
  refused({"reserve", "SR_HOT"}, "NAME origin/main && revctl reserve SR_HOT" + ways);
  refused({"init", "--numbers", "at-landing"},
          "numbers origin/main && revctl init --numbers at-landing");
  AddByHand(team, "bob", "SR_HOT=3,");
  const std::string by_hand = team.List("bob");
  const auto fixed = team.Revctl("bob", {"fix"});
  INFO(fixed.out << fixed.err);
  CHECK(fixed.status == 1);
  CHECK(Has(fixed.out, "error[RV018]: SR_HOT"));
  CHECK(team.List("bob") == by_hand);
  refused({"fix", "--last", "SR_FOULS"}, "NAME origin/main && revctl reserve SR_FOULS" + ways);
  // Messages at commit time do not suggest merging the target.
  team.sandbox.Git("bob", {"add", "-A"});
  const auto staged = team.Revctl("bob", {"check", "--staged"});
  INFO(staged.out << staged.err);
  CHECK_FALSE(Has(staged.out + staged.err, "git merge"));
  CHECK_FALSE(Has(staged.out + staged.err, "revctl fix"));
}

TEST_CASE("release: rejects land, which would join the target", "[release][land]") {
  Released team;
  team.sandbox.Write("bob/src/hot.cpp", "int hot;\n");
  team.sandbox.CommitAll("bob", "hotfix");
  const std::string before = team.sandbox.Git("bob", {"rev-parse", "HEAD"});
  for (const std::vector<std::string>& land :
       std::vector<std::vector<std::string>>{{"land"}, {"land", "--dry-run"}}) {
    const auto refused = team.Revctl("bob", land);
    CHECK(refused.status == 1);
    CHECK(Has(refused.err,
              "this branch is for release/1.0, but revctl land would merge it into origin/main"));
    CHECK(Has(refused.err, "fix: git push origin HEAD:release/1.0\n"));
  }
  CHECK(team.sandbox.Git("bob", {"rev-parse", "HEAD"}) == before);
  // The message about a rejected fold does not suggest merging the target.
  const auto fold = team.Revctl("bob", {"fold"});
  CHECK(fold.status == 2);
  CHECK(Has(fold.err, "fix: nothing to do: a release takes its numbers from origin/main"));
}

TEST_CASE("release: check and the server compare with the target", "[check][server][release]") {
  Released team;
  const auto both = [&](const std::string& part) {
    const std::string checked = team.Check(), pushed = team.Push();
    INFO(part << "\n" << checked << pushed);
    CHECK(Has(checked, part));
    CHECK(Has(pushed, part));
    for (const std::string& text : {checked, pushed}) {
      CHECK_FALSE(Has(text, "git merge origin/main"));
      CHECK_FALSE(Has(text, "then run revctl fix"));
    }
  };
  const auto again = [&](const std::string& message) { team.sandbox.CommitAll("bob", message); };
  CHECK(team.Check() == "OK: no problems (compared with origin/release/1.0 at " +
                            team.sandbox.Git("bob", {"rev-parse", "HEAD"}).substr(0, 10) + ")\n");
  // SR_CRIT's code, goldens and entry are missing.
  team.Pick({team.gold});
  both("error[RV018]: SR_GOLD64 (4) was back-ported without SR_CRIT, which is before it on ");
  both(
      "fix: back-port every revision up to it (SR_CRIT, each with its code and goldens), or remove "
      "this revision and fix the problem without a revision");
  CHECK(Has(team.Revctl("bob", {"status"}).out, "release/1.0"));
  // Back-port SR_CRIT's entry alone.
  std::string text = team.List("bob");
  team.sandbox.Write(std::string("bob/") + Team::kList,
                     text.insert(text.find("    SR_GOLD64"), "    SR_CRIT=3,\n"));
  again("crit's line");
  both("error[RV021]: no code uses SR_CRIT = 3 here, but code on ");
  both("error[RV020]: SR_CRIT has goldens on ");
  team.sandbox.Git("bob", {"checkout", "-q", team.crit, "--", "src/SR_CRIT.cpp", "golden"});
  team.sandbox.Write("bob/golden/SR_CRIT.golden", "payloads of this release\n");
  again("its code, and other goldens");
  both("error[RV019]: golden/SR_CRIT.golden differs from the goldens of SR_CRIT on ");
  team.sandbox.Git("bob", {"checkout", "-q", team.crit, "--", "golden"});
  again("its goldens");
  CHECK(Has(team.Check(), "OK: no problems (compared with origin/release/1.0"));
  // The pick itself would stay in the release's history, so it must be squashed.
  CHECK(SquashAsTold(team, "bob", team.Push()));
  CHECK(team.Push().empty());
  // `fix` restores entries that have landed on the release, but adds no other entries from the
  // target.
  team.sandbox.Git("bob", {"fetch", "-q"});
  text = team.List("bob");
  team.sandbox.Write(std::string("bob/") + Team::kList,
                     text.erase(text.find("    SR_CRIT=3,\n"), 15));
  again("dropped");
  both("RV003");
  both("fix: revctl fix");
  CHECK(team.Revctl("bob", {"fix"}).status == 0);
  CHECK(team.Numbers("bob") == kWhole);
  again("fixed");
  // On a new release, the revisions that it contained when it was cut are not new.
  CHECK(team.sandbox
            .TryGit("bob",
                    {"push", "-q", "--no-verify", "origin", team.crit + ":refs/heads/release/1.1"})
            .status == 0);
}
