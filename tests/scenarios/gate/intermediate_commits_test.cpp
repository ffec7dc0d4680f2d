// Tests that the gate checks every commit below the tip of a push, and that a single command fixes
// the push.
#include <catch2/catch.hpp>
#include <filesystem>
#include <functional>
#include <sstream>

#include "revctl/gate/gate.h"
#include "tests/scenarios/landers.h"

using namespace revctl::testing;

namespace {

/// A team with a protected server. SR_INITIAL = 1 and SR_FOULS = 5 have landed with goldens.
struct Line : Team {
  Line() {
    sandbox.Write("ann/.revctl.yaml", kPolicy);
    Golden("SR_FOULS", "ann", "SR_INITIAL");
    Write("ann", kLanded);
    Land("ann");
    GuardServer();
    sandbox.Git("bob", {"pull", "-q"});
  }
  void Write(const std::string& person, const std::string& entries) const {
    sandbox.Write(person + "/" + kList, "enum Revision {\n" + entries + "};\n");
  }
  std::string Commit(const std::string& entries, const std::string& message) const {
    Write("bob", entries);
    return CommitAs(message);
  }
  std::string CommitAs(const std::string& message) const {
    sandbox.Git("bob", {"add", "-A"});
    sandbox.Git("bob", {"commit", "-q", "--allow-empty", "-m", message});
    return Tip();
  }
  std::string Tip(const std::string& what = "HEAD") const {
    return sandbox.Git("bob", {"rev-parse", what});
  }
  /// Writes a complete record. It has no cases, so it needs no payloads.
  void Golden(const std::string& name, const std::string& person = "bob",
              const std::string& previous = "SR_FOULS") const {
    sandbox.Write(person + "/golden/" + name + ".yaml",
                  "version: 1\nrevision: " + name +
                      "\nnumber: 9\nlineage: \"0123456789abcdef\"\nprevious: " + previous +
                      "\n"
                      "recorded: {by: record, code: x, compiler: x, revctl: 0.1.0, seed: 1}\n"
                      "types: []\nenums: []\ncases: []\nupgrades: []\n");
  }
  std::string Push(const std::string& branch = "main") const {
    const auto pushed =
        sandbox.TryGit("bob", {"push", "-q", "--no-verify", "origin", "HEAD:" + branch});
    return pushed.status == 0 ? "" : pushed.err;
  }
  /// Returns the command that a rejected push prints.
  static std::string Fix(const std::string& said) {
    const std::size_t at = said.find("fix: git ");
    if (at == std::string::npos) return "no command: " + said;
    const std::string line = said.substr(at + 5, said.find('\n', at) - at - 5);
    return line.substr(0, line.find_last_not_of(' ') + 1);
  }
  static std::string Amend(const std::string& commit) {
    return "git reset --soft " + commit.substr(0, 10) + " && git commit --amend --no-edit";
  }
  /// Runs the printed command. Checks that it changes no files and that the server then accepts the
  /// push.
  void RunFix(const std::string& said, const std::string& branch = "main") const {
    const std::string tree = Tip("HEAD^{tree}");
    const auto run = sandbox.Run("bob", {"sh", "-c", Fix(said)});
    INFO(Fix(said) << "\n" << run.out << run.err);
    CHECK(run.status == 0);
    CHECK(Tip("HEAD^{tree}") == tree);
    CHECK(Push(branch) == "");
    CHECK(Tip() == sandbox.Git("srv/game.git", {"rev-parse", branch}));
  }

  const std::string kLanded = "    SR_INITIAL=1,\n    SR_FOULS=5,\n";
  static constexpr const char* kPolicy =
      "version: 1\nlists: [{path: src/master_version_list.h, golden: golden}]\n"
      "releases: [\"release/*\"]\nreservation: optional\n";
};

}  // namespace

TEST_CASE("intermediate commits: rules that reject a commit even if the next one fixes it",
          "[server][line]") {
  Line team;
  const std::string boss = "    SR_BOSS=6,\n", good = team.kLanded + boss;
  team.Golden("SR_BOSS");
  team.Commit(good, "boss");
  const std::string begun = team.Tip();
  const std::vector<std::pair<std::string, std::string>> wrong{
      {"RV001", good + "    SR_CAVE=6,\n"},
      {"RV002", good + boss},
      {"RV003", "    SR_INITIAL=1,\n" + boss},
      {"RV004", "    SR_INITIAL=1,\n    SR_FOULS=4,\n" + boss},
      {"RV005", "    SR_INITIAL=1,\n    SR_FAULTS=5,\n" + boss},
      {"RV006", "    SR_INITIAL=1,\n    SR_CAVE=3,\n    SR_FOULS=5,\n" + boss},
      {"RV007", "    SR_INITIAL=1,\n    SR_BOSS=6,\n    SR_FOULS=5,\n"},
      {"RV015", "<<<<<<< ours\n" + good + "=======\n>>>>>>> theirs\n"},
      {"RV016", good + "    SR_CAVE=(,\n"},
  };
  std::string said;
  for (const auto& [rule, entries] : wrong) {
    team.sandbox.Git("bob", {"reset", "-q", "--hard", begun});
    const std::string bad = team.Commit(entries, "a slip of " + rule);
    team.Commit(good, "fixed");
    team.sandbox.Write("bob/src/more.cpp", "int more;\n");
    team.CommitAs("more");
    said = team.Push();
    INFO(said);
    CHECK(Has(said, "error[" + rule + "]: commit " + bad.substr(0, 10) + " 'a slip of " + rule +
                        "' breaks a rule, and would stay in the history of main: "));
    CHECK(Line::Fix(said) == Line::Amend(bad));
  }
  team.RunFix(said);
  CHECK(team.sandbox.Git("bob", {"log", "--format=%s", "-3"}) ==
        "a slip of RV016\nboss\nwork of ann");
}

TEST_CASE("intermediate commits: goldens and policy, and a fix that becomes empty",
          "[server][line]") {
  Line team;
  const auto refused = [&](const std::string& rule, const std::string& words,
                           const std::function<void()>& spoil) {
    const std::string before = team.Tip();
    spoil();
    const std::string bad = team.CommitAs("spoiled");
    team.sandbox.Git("bob", {"revert", "--no-edit", "HEAD"});
    const std::string said = team.Push();
    INFO(said);
    CHECK(Has(said, "error[" + rule + "]: commit " + bad.substr(0, 10)));
    CHECK(Has(said, words));
    // The amended commit would be empty, so the fix needs --allow-empty.
    CHECK(Line::Fix(said) == Line::Amend(bad) + " --allow-empty");
    if (rule == "RV019") team.RunFix(said);
    else team.sandbox.Git("bob", {"reset", "-q", "--hard", before});
  };
  refused("RV003", "removes .revctl.yaml", [&] {
    team.sandbox.Git("bob", {"rm", "-q", ".revctl.yaml"});
  });
  refused("RV016", "unknown key 'nonsense'", [&] {
    team.sandbox.Write("bob/.revctl.yaml", std::string(Line::kPolicy) + "nonsense: 1\n");
  });
  refused("RV020", "cannot read the record of SR_BOSS", [&] {
    team.Write("bob", team.kLanded + "    SR_BOSS=6,\n");
    team.sandbox.Write("bob/golden/SR_BOSS.yaml", "half\n");
  });
  refused("RV019", "the golden of the landed SR_FOULS was edited",
          [&] { team.sandbox.Write("bob/golden/SR_FOULS.yaml", "edited\n"); });
}

TEST_CASE("intermediate commits: merges keep their parents; other history is rebuilt on the target",
          "[server][line]") {
  Line team;
  const std::string cave = "    SR_CAVE=6,\n", boss = "    SR_BOSS=6,\n", late = "    SR_BOSS=7,\n";
  team.Golden("SR_BOSS");
  const std::string mine = team.Commit(team.kLanded + boss, "boss");
  // Ann lands a revision that has the same number.
  team.Golden("SR_CAVE", "ann");
  team.Write("ann", team.kLanded + cave);
  team.sandbox.CommitAll("ann", "cave");
  team.sandbox.Git("ann", {"push", "-q", "origin", "HEAD:main"});
  team.sandbox.Git("bob", {"fetch", "-q"});
  const std::string landed = team.Tip("origin/main");
  const auto merge = [&](const std::string& entries, const std::string& message) {
    team.sandbox.TryGit("bob", {"merge", "-q", "--no-commit", "origin/main"});
    return team.Commit(entries, message);
  };

  SECTION("the merge keeps both lines, and the merged revision has landed") {
    const std::string bad = merge(team.kLanded + cave + boss, "merged");
    team.Commit(team.kLanded + cave + late, "fixed");
    const std::string said = team.Push();
    INFO(said);
    CHECK(Has(said, "error[RV001]: commit " + bad.substr(0, 10) + " 'merged'"));
    CHECK(Line::Fix(said) == Line::Amend(bad));
    team.RunFix(said);
    CHECK(team.Tip("HEAD^1") == mine);
    CHECK(team.Tip("HEAD^2") == landed);
  }
  SECTION("the merge drops the landed revision and all its goldens") {
    team.sandbox.Git("bob", {"merge", "-q", "-s", "ours", "-m", "ours", "origin/main"});
    const std::string bad = team.Tip();
    team.sandbox.Git("bob", {"checkout", "-q", "origin/main", "--", "golden/SR_CAVE.yaml"});
    team.Commit(team.kLanded + cave + late, "fixed");
    const std::string said = team.Push();
    INFO(said);
    CHECK(Has(said, "error[RV003]: commit " + bad.substr(0, 10) + " 'ours'"));
    team.RunFix(said);
  }
  SECTION("a commit before the merge") {
    const std::string bad = team.Commit(team.kLanded + boss + "    SR_DOOR=6,\n", "twice");
    team.Commit(team.kLanded + boss, "one of them");
    merge(team.kLanded + cave + late, "merged");
    const std::string said = team.Push();
    INFO(said);
    CHECK(Line::Fix(said) ==
          "git reset --soft " + landed.substr(0, 10) + " && git commit -C " + bad.substr(0, 10));
    team.RunFix(said);
    CHECK(team.sandbox.Git("bob", {"log", "-1", "--format=%s %P"}) == "twice " + landed);
  }
  SECTION("merging a branch that has since landed under another number is fine") {
    team.sandbox.Git("bob", {"checkout", "-q", "--detach", "origin/main"});
    team.sandbox.TryGit("bob", {"merge", "-q", "--no-commit", mine});
    team.Commit(team.kLanded + cave + late, "boss lands");
    REQUIRE(team.Push() == "");
    team.sandbox.Git("bob", {"checkout", "-q", "--detach", mine + "~1"});
    team.Golden("SR_DOOR");
    team.Commit(team.kLanded + "    SR_DOOR=6,\n", "door");
    team.sandbox.TryGit("bob", {"merge", "-q", "--no-commit", mine});
    team.Commit(team.kLanded + "    SR_DOOR=6,\n    SR_BOSS=8,\n", "with boss");
    merge(team.kLanded + cave + late + "    SR_DOOR=8,\n", "merged");
    CHECK(team.Push() == "");
  }
  SECTION("a commit that lacks revisions landed elsewhere is fine") {
    merge(team.kLanded + cave + late, "merged");
    CHECK(team.Push() == "");
    CHECK(team.Tip("HEAD^1") == mine);
  }
}

TEST_CASE("intermediate commits: unfinished work is accepted, even on a release",
          "[server][line]") {
  Line team;
  // The first commits lack goldens and code, and the second one renumbers SR_BOSS.
  team.Commit(team.kLanded + "    SR_BOSS=6,\n", "entry");
  team.Commit(team.kLanded + "    SR_BOSS=8,\n", "moved");
  team.Golden("SR_BOSS");
  team.CommitAs("golden");
  CHECK(team.Push() == "");

  // On a release that was cut earlier, every commit must contain the target's revisions with their
  // landed numbers.
  const std::string boss = team.kLanded + "    SR_BOSS=8,\n";
  team.sandbox.Git("bob", {"push", "-q", "--no-verify", "origin", "HEAD~3:refs/heads/release/1"});
  team.sandbox.Git("bob", {"checkout", "-q", "--detach", "HEAD~3"});
  team.sandbox.Write("bob/src/boss.cpp", "ADD(SR_BOSS, phases);\n");
  const std::string bad = team.Commit(team.kLanded + "    SR_BOSS=6,\n", "picked");
  team.Golden("SR_BOSS");
  team.Commit(boss, "as it landed");
  const std::string said = team.Push("release/1");
  INFO(said);
  CHECK(Has(said, "error[RV018]: commit " + bad.substr(0, 10) +
                      " 'picked' breaks a rule, and would stay in the history of release/1: "
                      "SR_BOSS is 6 here, but 8 on"));
  team.RunFix(said, "release/1");
}

TEST_CASE("intermediate commits: landed errors are ignored, and the tip is fixed first",
          "[server][line]") {
  Line team;
  team.Golden("SR_BOSS");
  const std::string bad = team.Commit(team.kLanded + "    SR_BOSS=6,\n    SR_CAVE=6,\n", "twice");
  CHECK(Has(team.Push(), "error[RV001]: SR_CAVE takes 6, which SR_BOSS already has"));
  team.Commit(team.kLanded + "    SR_BOSS=6,\n", "fixed");
  // The bad commit landed before the hook was installed.
  std::filesystem::rename(team.sandbox.Path("srv/game.git/hooks/pre-receive"),
                          team.sandbox.Path("srv/game.git/hooks/off"));
  CHECK(team.Push() == "");
  std::filesystem::rename(team.sandbox.Path("srv/game.git/hooks/off"),
                          team.sandbox.Path("srv/game.git/hooks/pre-receive"));
  // Land a branch that starts at the bad commit and is merged with main.
  team.sandbox.Git("bob", {"checkout", "-q", "--detach", bad});
  team.Commit(team.kLanded + "    SR_BOSS=6,\n", "fixed otherwise");
  team.sandbox.Git("bob", {"merge", "-q", "-s", "ours", "--no-edit", "origin/main"});
  CHECK(team.Push() == "");
}

TEST_CASE("intermediate commits: only commits that touch a list cost git processes",
          "[server][line]") {
  Line team;
  const std::string trace = team.sandbox.Path("trace");
  team.sandbox.Write(
      "srv/game.git/hooks/pre-receive",
      "#!/bin/sh\nexport GIT_TRACE='" + trace + "'\nexec '" + ProgramPath() + "' pre-receive\n");
  team.Golden("SR_BOSS");
  // Returns the number of git processes for a push of `commits` commits. Every `touching`-th commit
  // edits the list; 0 means that no commit does.
  const auto processes = [&](int commits, int touching) {
    std::string stream;
    for (int i = 1; i <= commits; ++i) {
      std::string comment = "// " + std::to_string(commits) + " " + std::to_string(i) + "\n";
      const bool list = touching != 0 && i % touching == 0;
      if (list) comment = "enum Revision {\n" + team.kLanded + "    SR_BOSS=6,\n};\n" + comment;
      stream +=
          "commit refs/heads/main\ncommitter b <b@studio.example> 1700000000 +0000\ndata 1\nx\n";
      if (i == 1) stream += "from refs/heads/main^0\n";
      stream += std::string("M 100644 inline ") + (list ? Team::kList : "src/code.cpp") +
                "\ndata " + std::to_string(comment.size()) + "\n" + comment + "\n";
    }
    const auto made = team.sandbox.Run("bob", {"git", "fast-import", "--quiet"}, {}, stream);
    INFO(made.err);
    REQUIRE(made.status == 0);
    team.sandbox.Git("bob", {"reset", "-q", "--hard"});
    team.sandbox.Write("trace", "");
    REQUIRE(team.Push() == "");
    std::istringstream lines(team.sandbox.Read("trace"));
    int count = 0;
    for (std::string line; std::getline(lines, line);)
      count += Has(line, "trace: built-in: git") ? 1 : 0;
    return count;
  };
  team.CommitAs("golden first");
  const int one = processes(1, 1), plain = processes(100, 0), more = processes(200, 0);
  CHECK(plain == more);
  CHECK(more <= one + 3);
  const int some = processes(20, 1), twice = processes(40, 1);
  CAPTURE(one, plain, some, twice);
  CHECK(twice - some <= 20 * 2);
  CHECK(twice > some);
}

TEST_CASE("intermediate commits: land and the pre-push hook report it before the push",
          "[land][line]") {
  Landers team("by: rebase");
  team.GuardServer();
  team.Branch("bob", "boss", {"SR_BOSS"});
  const std::string boss = team.List("bob");
  AddByHand(team, "bob", "SR_CAVE=3,");
  team.sandbox.CommitAll("bob", "twice");
  const std::string bad = team.HeadOf("bob");
  team.sandbox.Write(std::string("bob/") + Team::kList, boss);
  team.sandbox.CommitAll("bob", "fixed");
  const std::string words = "error[RV001]: commit " + bad.substr(0, 10) +
                            " 'twice' breaks a rule, and would stay in the history of ",
                    command = Line::Amend(bad);

  const std::string line =
      "refs/heads/boss " + team.HeadOf("bob") + " refs/heads/main " + team.Main() + "\n";
  const auto hook = team.sandbox.Revctl("bob", {"check", "--pushed", "origin"}, {}, line);
  CHECK(hook.status == 1);
  CHECK(Has(hook.out, words + "main: "));

  auto stopped = team.Revctl("bob", {"land"});
  INFO(stopped.out << stopped.err);
  CHECK(stopped.status == 1);
  CHECK(Has(stopped.out, words + "origin/main: SR_CAVE takes 3"));
  CHECK(Line::Fix(stopped.out) == command + " --allow-empty");
  REQUIRE(team.sandbox.Run("bob", {"sh", "-c", Line::Fix(stopped.out)}).status == 0);
  auto landed = team.Revctl("bob", {"land"});
  INFO(landed.out << landed.err);
  CHECK(landed.status == 0);
  CHECK(team.Main() == team.HeadOf("bob"));

  // A merge lands as one commit, so the branch's own commits are not checked.
  team.Branch("bob", "cave", {"SR_CAVE"});
  AddByHand(team, "bob", "SR_DOOR=1,");
  team.sandbox.CommitAll("bob", "wrong");
  team.sandbox.Git("bob", {"revert", "--no-edit", "HEAD"});
  auto merged = team.Revctl("bob", {"land", "--by", "merge"});
  INFO(merged.out << merged.err);
  CHECK(merged.status == 0);
}
