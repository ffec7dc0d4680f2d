// Commits that a push puts on the target before its tip: each is judged, and one command mends
// the push.
#include <catch2/catch.hpp>
#include <filesystem>
#include <functional>
#include <sstream>

#include "tests/scenarios/landers.h"

using namespace revctl::testing;

namespace {

/// A guarded server. SR_INITIAL = 1 and SR_FOULS = 5 have landed, with goldens.
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
  /// The id of the commit.
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
  /// A record that is whole: one without cases has no payloads beside it.
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
  /// The command that a refusal prints.
  static std::string Fix(const std::string& said) {
    const std::size_t at = said.find("fix: git ");
    if (at == std::string::npos) return "no command: " + said;
    const std::string line = said.substr(at + 5, said.find('\n', at) - at - 5);
    return line.substr(0, line.find_last_not_of(' ') + 1);
  }
  static std::string Amend(const std::string& commit) {
    return "git reset --soft " + commit.substr(0, 10) + " && git commit --amend --no-edit";
  }
  /// Runs it; the files stay, and the server takes them.
  void Mend(const std::string& said, const std::string& branch = "main") const {
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

TEST_CASE("line: a commit mended by the next one is refused by rule", "[server][line]") {
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
      {"RV015", "TEST_CASE("line: processes grow only with commits that touch a list", "[server][line]") {
  Line team;
  const std::string trace = team.sandbox.Path("trace");
  team.sandbox.Write(
      "srv/game.git/hooks/pre-receive",
      "#!/bin/sh\nexport GIT_TRACE='" + trace + "'\nexec '" + ProgramPath() + "' pre-receive\n");
  team.Golden("SR_BOSS");
  // git starts so many times for a push of commits, each `touching`-th of which edits the list.
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

TEST_CASE("line: land and the pre-push hook say it before the push", "[land][line]") {
  Landers team("by: rebase");
  team.GuardServer();
  team.Branch("bob", "boss", {"SR_BOSS"});
  const std::string boss = team.List("bob");
  AddByHand(team, "bob", "SR_CAVE=3,");
  team.sandbox.CommitAll("bob", "twice");
  const std::string bad = team.HeadOf("bob");
  team.sandbox.Write(std::string("bob/") + Team::kList, boss);
  team.sandbox.CommitAll("bob", "mended");
  const std::string words = "error[RV001]: commit " + bad.substr(0, 10) + " 'twice' would stay on ",
                    command = Line::Amend(bad);

  const std::string line =
      "refs/heads/boss " + team.HeadOf("bob") + " refs/heads/main " + team.Main() + "\n";
  const auto hook = team.sandbox.Revctl("bob", {"check", "--pushed"}, {}, line);
  CHECK(hook.status == 1);
  CHECK(Has(hook.out, words + "main as it is: "));

  auto stopped = team.Revctl("bob", {"land"});
  INFO(stopped.out << stopped.err);
  CHECK(stopped.status == 1);
  CHECK(Has(stopped.out, words + "origin/main as it is: SR_CAVE takes 3"));
  CHECK(Line::Fix(stopped.out) == command + " --allow-empty");
  REQUIRE(team.sandbox.Run("bob", {"sh", "-c", Line::Fix(stopped.out)}).status == 0);
  auto landed = team.Revctl("bob", {"land"});
  INFO(landed.out << landed.err);
  CHECK(landed.status == 0);
  CHECK(team.Main() == team.HeadOf("bob"));

  // A merge lands as one commit: what is behind it is the branch's own affair.
  team.Branch("bob", "cave", {"SR_CAVE"});
  AddByHand(team, "bob", "SR_DOOR=1,");
  team.sandbox.CommitAll("bob", "wrong");
  team.sandbox.Git("bob", {"revert", "--no-edit", "HEAD"});
  auto merged = team.Revctl("bob", {"land", "--by", "merge"});
  INFO(merged.out << merged.err);
  CHECK(merged.status == 0);
}
