// Storms with `numbers: at-landing`: a host merges pull requests without the driver, and fold jobs
// are killed at random times.
#include <atomic>
#include <catch2/catch.hpp>
#include <map>
#include <mutex>
#include <random>
#include <set>

#include "tests/scenarios/record_text.h"

using namespace revctl::testing;

namespace {

struct Tally {
  std::atomic<int> landed{0}, revisions{0}, commands{0}, conflicts{0}, refusals{0}, killed{0};
  std::atomic<int> folds{0}, races{0};
};

class Feature {
 public:
  Feature(const Team& team, std::string person, Tally& tally, unsigned seed)
      : team_(team), person_(std::move(person)), tally_(tally), random_(seed) {}

  /// Creates a branch with one to three revisions, each with code and a golden.
  int Write() {
    team_.sandbox.Git(person_, {"fetch", "-q"});
    team_.sandbox.Git(person_, {"checkout", "-q", "-B", "feature", "origin/main"});
    const int count = 1 + Below(3);
    std::vector<std::string> before = Recorded();
    for (int i = 0; i < count; ++i) {
      // Use random names, because a fold sorts by name.
      const std::string name = "SR_" + std::string(1, static_cast<char>('A' + Below(26))) + "_" +
                               person_ + "_" + std::to_string(i);
      if (Below(10) == 0)
        Kill("0.0" + std::to_string(1 + Below(3)), {"reserve", name, "-m", "for " + person_});
      ++tally_.commands;
      const auto reserved = team_.Revctl(person_, {"reserve", name, "-m", "for " + person_});
      if (reserved.status != 0) throw std::runtime_error(reserved.err);
      team_.sandbox.Write(person_ + "/src/" + name + ".cpp", "ADD(" + name + ", x);\n");
      team_.sandbox.Write(person_ + "/golden/" + name + ".yaml",
                          Record(name, 0, before, "Type" + std::to_string(Below(40))));
      team_.sandbox.CommitAll(person_, name);
      before.push_back(name);
    }
    return count;
  }
  void PushForMergeButton() {
    team_.sandbox.Git(person_, {"push", "-q", "--no-verify", "-f", "origin", "HEAD:pr/" + person_});
  }
  /// Lands the branch with one command. One in five times, first starts and kills a run of that
  /// command.
  void Land() {
    for (int attempt = 0; attempt < 20; ++attempt) {
      const std::vector<std::string> land = {"land", "--by", Below(2) == 0 ? "merge" : "rebase"};
      if (Below(5) == 0) Kill("0." + std::to_string(1 + Below(9)), land);
      ++tally_.commands;
      const auto done = team_.Revctl(person_, land);
      for (const std::string& line : Lines(done.err))
        tally_.races += line.ends_with("has moved; trying again") ? 1 : 0;
      if (done.status == 0) return;
      if (done.status != 4)
        throw std::runtime_error(person_ + ": land needs a person: " + done.out + done.err);
    }
    throw std::runtime_error(person_ + ": never landed");
  }

 private:
  int Below(int bound) { return std::uniform_int_distribution<int>(0, bound - 1)(random_); }
  void Kill(const std::string& delay, const std::vector<std::string>& arguments) {
    if (RunAndKill(team_, person_, delay, arguments)) ++tally_.killed;
  }
  /// Returns the revisions that precede the next record, as `record` would list them: the newest
  /// landed revision and the pending revisions after it.
  std::vector<std::string> Recorded() const {
    std::vector<std::string> recorded;
    for (const std::string& line : Lines(team_.Revctl(person_, {"list"}).out)) {
      std::istringstream words(line);
      std::string number, name, state;
      words >> number >> name >> state;
      if (!team_.sandbox.Exists(person_ + "/golden/" + name + ".yaml")) continue;
      if (state.empty()) recorded.clear();
      recorded.push_back(name);
    }
    return recorded;
  }

  const Team& team_;
  std::string person_;
  Tally& tally_;
  std::mt19937 random_;
};

/// Merges as a host's merge button does: without the driver and hooks, but with the server's gate.
bool Merge(const Team& team, const std::string& person, Tally& tally) {
  team.sandbox.Git("host", {"fetch", "-q"});
  team.sandbox.Git("host", {"checkout", "-q", "-f", "-B", "main", "origin/main"});
  const auto merged = team.sandbox.TryGit("host", {"-c", "merge.revctl.driver=false", "merge", "-q",
                                                   "--no-edit", "--no-ff", "origin/pr/" + person});
  if (merged.status != 0) {
    ++tally.conflicts;
    team.sandbox.TryGit("host", {"merge", "--abort"});
    throw std::runtime_error("conflict: " + merged.out + merged.err);
  }
  const auto pushed = team.sandbox.TryGit("host", {"push", "-q", "origin", "main"});
  if (pushed.status == 0) return true;
  // If a fold won the race, merge again with the new tip.
  if (pushed.err.find("error[RV") == std::string::npos) return false;
  ++tally.refusals;
  throw std::runtime_error("refused: " + pushed.err);
}

/// Sets up numbers at landing and goldens for the team, with `land` as additional keys of the
/// landing policy.
void SetUp(const Team& team, const std::string& first, const std::string& land) {
  // The script stands in for `record --refresh-pending`: it regenerates each stale record on top of
  // all revisions before it, and leaves the other records unchanged.
  team.sandbox.Write(
      "refresh",
      "echo >> \"$REFRESHED\"\n[ -n \"$REVCTL_FOLD\" ] || exit 1\nbehind=SR_FOULS last=SR_FOULS\n"
      "stale=$('" +
          ProgramPath() +
          "' status | sed -n 's/^\\(SR_[A-Za-z0-9_]*\\) = .* are stale.*/ \\1 /p')\n'" +
          ProgramPath() +
          "' list | while read -r number name state; do\n"
          "  [ -e \"golden/$name.yaml\" ] || continue\n"
          "  case \"$stale\" in *\" $name \"*)\n"
          "    sed -i -e '/^behind: /d' "
          "-e \"s/^previous: .*/previous: $last\\nbehind: [$behind]/\" "
          "\"golden/$name.yaml\";; esac\n"
          "  [ -n \"$state\" ] && behind=\"$behind, $name\" || behind=$name\n"
          "  last=$name\ndone\n");
  team.sandbox.Write(
      first + "/.revctl.yaml",
      std::string("version: 1\nlists: [{path: src/master_version_list.h, golden: golden}]\n") +
          "land: {goldens: \"REFRESHED=../refreshed sh ../refresh\"" + land + "}\n");
  team.sandbox.Write(first + "/golden/SR_FOULS.yaml", Record("SR_FOULS", 2, {}, "Match"));
  team.sandbox.CommitAll(first, "goldens");
  team.sandbox.Git(first, {"push", "-q", "--no-verify", "origin", "HEAD:main"});
  REQUIRE(team.Revctl(first, {"init", "--numbers", "at-landing", "--yes", "--offline"}).status ==
          0);
  team.Land(first);
  team.GuardServer();
}

struct Walked {
  int red = 0, renumbered = 0;
  std::map<std::string, std::string> given;  ///< the numbers of all revisions, by name
};
/// Checks that the gate accepts every state of the target as a change to the previous one, and that
/// numbers never change.
Walked Walk(const Team& team, const std::string& person, std::string parent,
            const std::vector<std::string>& states) {
  Walked out;
  team.sandbox.Git(person, {"checkout", "-q", "-f", "-B", "main", "origin/main"});
  for (const std::string& commit : states) {
    const auto gate =
        team.Revctl(person, {"check", "--head", commit, "--target", parent, "--base", parent});
    INFO(gate.out << gate.err);
    CHECK(gate.status == 0);
    out.red += gate.status == 0 ? 0 : 1;
    std::istringstream list(
        team.sandbox.Git(person, {"show", commit + ":" + std::string(Team::kList)}));
    for (std::string line; std::getline(list, line);) {
      const std::size_t equals = line.find('=');
      if (!line.starts_with("    SR_") || equals == std::string::npos) continue;
      const std::string name = line.substr(4, equals - 4);
      const std::string number = line.substr(equals + 1, line.find(',') - equals - 1);
      out.renumbered += out.given.emplace(name, number).first->second == number ? 0 : 1;
    }
    parent = commit;
  }
  return out;
}

}  // namespace

TEST_CASE("storm: a team with numbers at landing, merges and fold jobs", "[storm]") {
  const int size = FromEnvironment("REVCTL_STORM_PEOPLE", 200);
  std::vector<std::string> people;
  for (int i = 0; i < size; ++i) people.push_back("p" + std::to_string(i));
  people.emplace_back("host");
  people.emplace_back("bot0");
  people.emplace_back("bot1");
  Team team(people);
  const std::string& first = people[0];
  SetUp(team, first, "");
  for (const char* bot : {"bot0", "bot1"}) team.sandbox.Git(bot, {"pull", "-q"});
  const std::string begin = team.sandbox.Git("srv/game.git", {"rev-parse", "main"});

  Tally tally;
  std::atomic<int> next{0};
  std::atomic<bool> over{false};
  std::mutex mutex, button;
  std::string problems;
  const auto guarded = [&](const auto& work) {
    try {
      work();
    } catch (const std::exception& error) {
      const std::lock_guard<std::mutex> lock(mutex);
      problems += std::string(error.what()) + "\n";
    }
  };
  std::vector<std::thread> workers;
  for (int w = 0; w < 6; ++w) {
    workers.emplace_back([&] {
      for (int i = next++; i < size; i = next++) {
        guarded([&] {
          const std::string& person = people[static_cast<std::size_t>(i)];
          Feature feature(team, person, tally, 500U + static_cast<unsigned>(i));
          const int count = feature.Write();
          feature.PushForMergeButton();
          const std::lock_guard<std::mutex> lock(button);
          ++tally.commands;
          for (int attempt = 0; !Merge(team, person, tally); ++attempt) {
            ++tally.races;
            if (attempt == 50) throw std::runtime_error("never merged");
          }
          ++tally.landed;
          tally.revisions += count;
        });
      }
    });
  }
  std::vector<std::thread> bots;
  for (int b = 0; b < 2; ++b) {
    bots.emplace_back([&, b] {
      std::mt19937 random(static_cast<unsigned>(b));
      const std::string bot = "bot" + std::to_string(b);
      while (!over) {
        guarded([&] {
          if (random() % 4 == 0) {
            const std::string delay = "0." + std::to_string(1 + random() % 5);
            if (team.sandbox
                    .Run(bot, {"timeout", "-s", "KILL", delay, ProgramPath(), "fold", "--push"})
                    .status >= 124)
              ++tally.killed;
            std::error_code error;
            std::filesystem::remove(team.sandbox.Path(bot + "/.git/index.lock"), error);
          }
          const auto folded = team.Revctl(bot, {"fold", "--push"});
          if (folded.status != 0 && folded.status != 4) throw std::runtime_error(folded.err);
          tally.folds += folded.out.empty() ? 0 : 1;
        });
        std::this_thread::sleep_for(std::chrono::milliseconds(200));
      }
    });
  }
  for (auto& worker : workers) worker.join();
  over = true;
  for (auto& bot : bots) bot.join();
  const auto last = team.Revctl("bot0", {"fold", "--push"});
  INFO(last.err);
  CHECK(last.status == 0);
  CHECK(problems == "");
  CHECK(tally.landed == size);
  CHECK(tally.conflicts == 0);
  CHECK(tally.refusals == 0);

  team.sandbox.Git(first, {"fetch", "-q"});
  const auto commits = Lines(team.sandbox.Git(
      first, {"rev-list", "--reverse", "--first-parent", begin + "..origin/main"}));
  const auto [red, renumbered, given] = Walk(team, first, begin, commits);
  std::set<std::string> numbers;
  for (const auto& [name, number] : given) numbers.insert(number);
  CHECK(renumbered == 0);
  CHECK(numbers.size() == given.size());
  CHECK(given.size() == static_cast<std::size_t>(2 + tally.revisions));
  const int refreshed = team.sandbox.Exists("refreshed")
                            ? static_cast<int>(Lines(team.sandbox.Read("refreshed")).size())
                            : 0;
  std::cout << "team of " << size << " at landing: " << tally.landed << " landings of "
            << tally.revisions << " revisions by 1 command each, " << tally.folds << " folds, "
            << refreshed << " of them with a build, " << tally.killed << " commands killed, "
            << tally.conflicts << " conflicts, " << tally.refusals << " refusals, " << renumbered
            << " renumberings, " << red << " red targets\n";
}

TEST_CASE("storm: a team lands with numbers at landing, with some runs killed", "[storm]") {
  const int size = FromEnvironment("REVCTL_STORM_PEOPLE", 200);
  std::vector<std::string> people;
  for (int i = 0; i < size; ++i) people.push_back("p" + std::to_string(i));
  Team team(people);
  const std::string& first = people[0];
  SetUp(team, first, ", verify: \"! ls src/*.pending/*.yaml 2>/dev/null\"");
  // The server's reflog contains the state after every push.
  team.sandbox.Git(Team::kServer, {"config", "core.logAllRefUpdates", "always"});
  const std::string begin = team.sandbox.Git(Team::kServer, {"rev-parse", "main"});
  Tally tally;
  std::atomic<int> next{0};
  std::mutex mutex;
  std::string problems;
  std::vector<std::thread> workers;
  for (int w = 0; w < 8; ++w) {
    workers.emplace_back([&] {
      for (int i = next++; i < size; i = next++) {
        try {
          Feature feature(team, people[static_cast<std::size_t>(i)], tally,
                          900U + static_cast<unsigned>(i));
          const int count = feature.Write();
          feature.Land();
          ++tally.landed;
          tally.revisions += count;
        } catch (const std::exception& error) {
          const std::lock_guard<std::mutex> lock(mutex);
          problems += std::string(error.what()) + "\n";
        }
      }
    });
  }
  for (auto& worker : workers) worker.join();
  CHECK(problems == "");
  CHECK(tally.landed == size);
  // Without kills or lost races, the run would not cover enough.
  CHECK(tally.killed > 0);
  CHECK(tally.races > 0);

  std::vector<std::string> states =
      Lines(team.sandbox.Git(Team::kServer, {"log", "-g", "--format=%H", "main"}));
  std::reverse(states.begin(), states.end());
  CHECK(states.size() == static_cast<std::size_t>(size));
  int waiting = 0;
  for (const std::string& state : states)
    waiting += Has(team.sandbox.Git(Team::kServer, {"ls-tree", "-r", "--name-only", state, "src/"}),
                   ".yaml")
                   ? 1
                   : 0;
  CHECK(waiting == 0);
  team.sandbox.Git(first, {"fetch", "-q"});
  const auto [red, renumbered, given] = Walk(team, first, begin, states);
  std::set<std::string> numbers;
  for (const auto& [name, number] : given) numbers.insert(number);
  CHECK(renumbered == 0);
  CHECK(numbers.size() == given.size());
  CHECK(given.size() == static_cast<std::size_t>(2 + tally.revisions));
  std::cout << "team of " << size << " that lands with numbers at landing: " << tally.landed
            << " landings of " << tally.revisions << " revisions, " << tally.races
            << " races lost, " << tally.killed << " commands killed, " << waiting
            << " states with a pending file, " << renumbered << " renumberings, " << red
            << " red targets\n";
}
