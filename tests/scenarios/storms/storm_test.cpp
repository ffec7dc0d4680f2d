// Storms: many concurrent users on one real server. These tests take minutes and run only with
// `ci/test --full`.
#include <atomic>
#include <catch2/catch.hpp>
#include <cstdlib>
#include <filesystem>
#include <iostream>
#include <map>
#include <mutex>
#include <random>
#include <set>

#include "tests/scenarios/record_text.h"

#include "revctl/base/system/process.h"

using namespace revctl::testing;

namespace {

/// Returns the entries of a list. Every entry in these lists has an explicit number.
std::vector<std::pair<std::string, int>> Entries(const std::string& text) {
  std::vector<std::pair<std::string, int>> out;
  for (std::size_t at = text.find("    SR_"); at != std::string::npos;
       at = text.find("    SR_", at + 1)) {
    const std::size_t equals = text.find('=', at), end = text.find('\n', at);
    if (equals == std::string::npos || equals > end) continue;
    out.emplace_back(text.substr(at + 4, equals - at - 4), std::atoi(text.c_str() + equals + 1));
  }
  return out;
}

struct Counts {
  std::atomic<int> landed{0}, revisions{0}, commands{0}, tries{0}, killed{0}, again{0}, failed{0};
};

class Person {
 public:
  Person(const Team& team, std::string name, Counts& counts, unsigned seed)
      : team_(team), name_(std::move(name)), counts_(counts), random_(seed) {}

  /// Commits a feature of one to three revisions, each in its own commit with code and a golden,
  /// and lands it with one command. Some commands are killed and repeated.
  void Work(int feature) {
    const std::string branch = "feature" + std::to_string(feature);
    team_.sandbox.Git(name_, {"fetch", "-q"});
    team_.sandbox.Git(name_, {"checkout", "-q", "-B", branch, "origin/main"});
    const int count = 1 + Below(3);
    for (int i = 0; i < count; ++i)
      Commit("SR_" + name_ + "_" + std::to_string(feature) + "_" + std::to_string(i));
    for (int attempt = 0; attempt < 20; ++attempt) {
      if (!Land()) continue;
      ++counts_.landed;
      counts_.revisions += count;
      return;
    }
    ++counts_.failed;
  }

 private:
  int Below(int bound) { return std::uniform_int_distribution<int>(0, bound - 1)(random_); }
  bool Chance(int percent) { return Below(100) < percent; }

  /// Runs revctl. One in ten times, first starts and kills a run with the same arguments.
  revctl::base::ProcessResult Tool(const std::vector<std::string>& arguments) {
    if (Chance(10)) {
      ++counts_.commands;
      const std::string delay = "0." + std::to_string(1 + Below(9));
      if (RunAndKill(team_, name_, delay, arguments)) ++counts_.killed;
    }
    ++counts_.commands;
    return team_.Revctl(name_, arguments);
  }

  /// Commits the revision's entry, its code and its record.
  void Commit(const std::string& revision) {
    const auto before = Entries(team_.List(name_));
    if (Chance(15)) {  // some entries are written by hand
      std::string text = team_.List(name_);
      text.insert(text.rfind("};"),
                  "    " + revision + "=" + std::to_string(before.back().second + 1) + ",\n");
      team_.sandbox.Write(name_ + "/" + Team::kList, text);
    } else {
      auto result = Tool({"reserve", revision, "-m", "for " + name_});
      if (result.status != 0)
        throw std::runtime_error("reserve " + revision + ": " + result.out + result.err);
    }
    team_.sandbox.Write(name_ + "/src/" + revision + ".cpp", "ADD(" + revision + ", x);\n");
    // Use few types, so that some landings change types in this record.
    team_.sandbox.Write(name_ + "/golden/" + revision + ".yaml",
                        Record(revision, Entries(team_.List(name_)).back().second,
                               {before.back().first}, "Type" + std::to_string(Below(40))));
    team_.sandbox.CommitAll(name_, revision);
  }

  bool Land() {
    const auto done = Tool({"land", "--by", Chance(50) ? "merge" : "rebase"});
    for (const std::string& line : Lines(done.err)) {
      if (line.ends_with("has moved; trying again")) ++counts_.again;
      if (line.starts_with("pushing to ")) ++counts_.tries;
    }
    if (done.status == 0) return true;
    if (done.status == 4) return false;
    throw std::runtime_error(name_ + ": land needs a person: " + std::to_string(done.status) +
                             "\n" + done.out + done.err + team_.List(name_));
  }

  const Team& team_;
  std::string name_;
  Counts& counts_;
  std::mt19937 random_;
};

}  // namespace

TEST_CASE("storm: 64 clones reserve at once", "[storm]") {
  const auto [transport, name] =
      GENERATE(std::pair(Transport::Git, "git"), std::pair(Transport::Http, "http"),
               std::pair(Transport::Ssh, "ssh"));
  INFO(name);
  std::vector<std::string> people;
  for (int i = 0; i < 64; ++i) people.push_back("c" + std::to_string(i));
  Team team(people, transport);
  // Start the ledger, as `init` does.
  REQUIRE(team.Revctl("c0", {"reserve", "SR_FIRST"}).out == "SR_FIRST = 3\n");
  team.sandbox.Git("c0", {"checkout", "-q", "--", "."});
  const auto begin = std::chrono::steady_clock::now();
  const std::vector<int> numbers = team.ReserveAtOnce(people);
  const auto took = std::chrono::duration_cast<std::chrono::milliseconds>(
      std::chrono::steady_clock::now() - begin);
  std::vector<int> expected;
  for (int i = 0; i < 64; ++i) expected.push_back(4 + i);
  CHECK(numbers == expected);
  std::cout << "64 reservations at once over " << name << ": " << took.count() << " ms\n";
}

TEST_CASE("storm: a team reserves, merges, rebases and lands, with some runs killed", "[storm]") {
  const int size = FromEnvironment("REVCTL_STORM_PEOPLE", 200),
            features = FromEnvironment("REVCTL_STORM_FEATURES", 1);
  std::vector<std::string> people;
  for (int i = 0; i < size; ++i) people.push_back("p" + std::to_string(i));
  Team team(people);
  team.GuardServer();
  // Each run of `verify` adds a line to `builds`.
  const std::string& first = people[0];
  team.sandbox.Write(first + "/.revctl.yaml",
                     "version: 1\nlists: [{path: src/master_version_list.h, golden: golden}]\n"
                     "land: {goldens: \"sh ../refresh\", verify: \"echo >> ../builds\"}\n");
  team.sandbox.Write(first + "/golden/SR_FOULS.yaml", Record("SR_FOULS", 2, {}, "Match"));
  team.sandbox.CommitAll(first, "how we land");
  team.sandbox.Git(first, {"push", "-q", "--no-verify", "origin", "HEAD:main"});
  // The server's reflog contains the state after every push.
  team.sandbox.Git("srv/game.git", {"config", "core.logAllRefUpdates", "always"});
  const std::string begin = team.sandbox.Git("srv/game.git", {"rev-parse", "main"});
  // The script stands in for `record --refresh-pending`: it changes the pending records as if they
  // had been recorded on top of all landed revisions.
  team.sandbox.Write(
      "refresh",
      "echo >> ../refreshed\n"
      "last=$(git show origin/main:src/master_version_list.h |\n"
      "  sed -n 's/^ *\\(SR_[A-Za-z0-9_]*\\)=.*/\\1/p' | tail -1)\n"
      "[ -n \"$last\" ] || { echo \"no list on origin/main\" >&2; exit 1; }\n"
      "for name in $(git diff --name-only --diff-filter=A origin/main -- 'golden/*.yaml'); do\n"
      "  sed -i \"s/^previous: .*/previous: $last/\" \"$name\"\n"
      "  last=$(basename \"$name\" .yaml)\ndone\n");
  Counts counts;
  std::atomic<int> next{0};
  std::mutex mutex;
  std::string problems;
  std::vector<std::thread> workers;
  for (int w = 0; w < 8; ++w) {
    workers.emplace_back([&] {
      for (int i = next++; i < size; i = next++) {
        try {
          team.InstallDriver(people[static_cast<std::size_t>(i)]);
          Person person(team, people[static_cast<std::size_t>(i)], counts,
                        1000U + static_cast<unsigned>(i));
          for (int f = 0; f < features; ++f) person.Work(f);
        } catch (const std::exception& error) {
          const std::lock_guard<std::mutex> lock(mutex);
          problems += std::string(error.what()) + "\n";
        }
      }
    });
  }
  for (auto& worker : workers) worker.join();
  CHECK(problems == "");
  CHECK(counts.landed == size * features);
  // Without kills or repeated landings, the run would not cover enough.
  CHECK(counts.killed > 0);
  CHECK(counts.again > 0);

  // Every pushed state of main extends the previous one, no number lands twice, and the gate
  // reports no errors.
  std::vector<std::string> states =
      Lines(team.sandbox.Git("srv/game.git", {"log", "-g", "--format=%H", "main"}));
  std::reverse(states.begin(), states.end());
  const std::vector<std::string> commits = Lines(team.sandbox.Git(
      "srv/game.git", {"rev-list", "--reverse", "--first-parent", begin + "..main"}));
  int wrong = 0;
  std::vector<std::pair<std::string, int>> before;
  for (const std::string& state : commits) {
    const auto now =
        Entries(team.sandbox.Git("srv/game.git", {"show", state + ":" + Team::kList}) + "\n");
    std::set<std::string> names;
    for (const auto& [name, number] : now) wrong += names.insert(name).second ? 0 : 1;
    for (std::size_t i = 1; i < now.size(); ++i) wrong += now[i].second > now[i - 1].second ? 0 : 1;
    const std::set<std::string> pushed(states.begin(), states.end());
    if (!pushed.contains(state)) continue;  // an intermediate commit of a landing by rebase
    if (now.size() < before.size() || !std::equal(before.begin(), before.end(), now.begin()))
      ++wrong;
    before = now;
  }
  CHECK(wrong == 0);
  int red = 0;
  std::string parent = begin;
  // Use the current ledger, in which landed reservations are closed.
  REQUIRE(team.Revctl(first, {"status", "--fetch"}).status == 0);
  for (const std::string& state : states) {
    const auto gate =
        team.Revctl(first, {"check", "--head", state, "--target", parent, "--base", parent});
    INFO(gate.out << gate.err);
    // Ignore RV011, because landing has closed the reservations. The server had already checked
    // them.
    int errors = gate.status > 1 ? 1 : 0;
    for (const std::string& line : Lines(gate.out))
      errors += line.find("error[RV") != std::string::npos &&
                        line.find("error[RV011]") == std::string::npos
                    ? 1
                    : 0;
    red += errors == 0 ? 0 : 1;
    CHECK(errors == 0);
    parent = state;
  }
  CHECK(states.size() == static_cast<std::size_t>(size * features));
  CHECK(before.size() == static_cast<std::size_t>(2 + counts.revisions));
  const auto runs = [&](const std::string& file) { return Lines(team.sandbox.Read(file)).size(); };
  std::cout << "team of " << size << ": " << counts.landed << " landings of " << counts.revisions
            << " revisions, " << counts.commands - counts.killed << " commands of revctl ("
            << counts.killed << " more were killed), " << runs("builds") << " builds, "
            << runs("refreshed") << " refreshes of goldens, " << counts.again << " races lost, "
            << wrong << " wrong lists, " << red << " red targets\n";

  // In the ledger's entire history, no number has two names.
  std::map<std::string, std::set<std::string>> given;
  std::istringstream events(
      team.sandbox.Git("srv/game.git", {"log", "--format=%B", "refs/revctl/ledger"}));
  std::string line;
  while (std::getline(events, line)) {
    if (!line.starts_with("Revision: ")) continue;
    std::istringstream words(line.substr(10));
    std::string name, number;
    words >> name >> number;
    given[number].insert(name);
  }
  for (const auto& [number, names] : given) {
    INFO(number);
    CHECK(names.size() == 1);
  }
}

TEST_CASE("storm: gives up a hopeless race after a minute, with nothing reserved", "[storm]") {
  Team team;
  REQUIRE(team.Revctl("ann", {"reserve", "SR_FIRST"}).out == "SR_FIRST = 3\n");
  // A different push always wins the race, because the hook moves the ledger's ref while the server
  // is handling the push.
  team.sandbox.WriteExecutable(
      "srv/game.git/hooks/update",
      "#!/bin/sh\n[ \"$1\" = refs/revctl/ledger ] || exit 0\nexport GIT_AUTHOR_NAME=x "
      "GIT_AUTHOR_EMAIL=x@x GIT_COMMITTER_NAME=x GIT_COMMITTER_EMAIL=x@x\n"
      "git update-ref \"$1\" \"$(git commit-tree -p \"$2\" -m \"confirm main\" \"$2^{tree}\")\"\n");
  const std::string list = team.List("bob");
  const auto begin = std::chrono::steady_clock::now();
  auto lost = team.Revctl("bob", {"reserve", "SR_BOSS"});
  INFO(lost.out << lost.err);
  CHECK(lost.status == 4);
  CHECK(lost.out.empty());
  CHECK(lost.err.find("lost the push race") != std::string::npos);
  CHECK(std::chrono::steady_clock::now() - begin >= std::chrono::seconds(60));
  CHECK(team.List("bob") == list);
  CHECK(
      team.sandbox.Git("srv/game.git", {"show", "refs/revctl/ledger:list.main"}).find("SR_BOSS") ==
      std::string::npos);
  std::filesystem::remove(team.sandbox.Path("srv/game.git/hooks/update"));
  CHECK(team.Revctl("bob", {"reserve", "SR_BOSS"}).out == "SR_BOSS = 4\n");
}
