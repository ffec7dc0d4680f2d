// Many people at once, against one real server. Minutes, not seconds: runs under `ci/test --full`.
#include <atomic>
#include <catch2/catch.hpp>
#include <cstdlib>
#include <filesystem>
#include <iostream>
#include <map>
#include <mutex>
#include <random>
#include <set>

#include "revctl/commands/team_test.h"

using namespace revctl::testing;

namespace {

int FromEnvironment(const char* name, int otherwise) {
  const char* value = std::getenv(name);
  return value == nullptr ? otherwise : std::atoi(value);
}

/// "SR_A=1 SR_B=2" of a list's text, as the file says it (every entry of these lists has its
/// number).
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

std::vector<std::string> Lines(const std::string& text) {
  std::istringstream in(text);
  std::vector<std::string> out;
  for (std::string line; std::getline(in, line);) out.push_back(line);
  return out;
}

struct Counts {
  std::atomic<int> landed{0}, renumbered{0}, refused{0}, rejected{0}, killed{0}, conflicts{0},
      failed{0};
};

class Person {
 public:
  Person(const Team& team, std::string name, Counts& counts, unsigned seed)
      : team_(team), name_(std::move(name)), counts_(counts), random_(seed) {}

  /// One feature: reserve, commit, wait a little, land; killed now and then, as machines do to
  /// people.
  void Work(int feature) {
    const std::string revision = "SR_" + name_ + "_" + std::to_string(feature);
    team_.sandbox.Git(name_, {"fetch", "-q"});
    team_.sandbox.Git(name_,
                      {"checkout", "-q", "-B", "feature" + std::to_string(feature), "origin/main"});
    Reserve(revision);
    team_.sandbox.Write(name_ + "/src/" + revision + ".cpp", "ADD(" + revision + ", x);\n");
    team_.sandbox.CommitAll(name_, revision);
    for (int attempt = 0; attempt < 100; ++attempt) {
      if (Land()) {
        ++counts_.landed;
        return;
      }
    }
    ++counts_.failed;
  }

 private:
  bool Chance(int percent) { return std::uniform_int_distribution<int>(0, 99)(random_) < percent; }

  /// Killed with -9 after some hundredths of a second, with all that it has started.
  void RunAndKill(const std::vector<std::string>& arguments) {
    std::vector<std::string> argv = {
        "timeout", "-s", "KILL",
        "0.0" + std::to_string(std::uniform_int_distribution<int>(1, 9)(random_))};
    argv.insert(argv.end(), arguments.begin(), arguments.end());
    if (team_.sandbox.Run(name_, argv).status >= 124) ++counts_.killed;
    // What a killed git leaves behind is git's, and a person removes it, as git tells them: locks
    // of the index, of HEAD, of ORIG_HEAD, of branches.
    const std::filesystem::path git = team_.sandbox.Path(name_ + "/.git");
    const auto remove_locks = [](auto files) {
      std::error_code error;
      for (const auto& entry : files) {
        if (entry.path().extension() == ".lock") std::filesystem::remove(entry.path(), error);
      }
    };
    remove_locks(std::filesystem::directory_iterator(git));
    remove_locks(std::filesystem::recursive_directory_iterator(git / "refs"));
  }

  /// revctl, killed somewhere in the middle in one case of ten, and run again.
  revctl::git::ProcessResult Tool(const std::vector<std::string>& arguments) {
    if (Chance(10)) {
      std::vector<std::string> argv = {REVCTL_PROGRAM};
      argv.insert(argv.end(), arguments.begin(), arguments.end());
      RunAndKill(argv);
    }
    return team_.Revctl(name_, arguments);
  }

  /// A merge or rebase that dies in the middle, the driver with it, is taken back and made again.
  revctl::git::ProcessResult Join(const std::vector<std::string>& arguments) {
    if (Chance(10)) {
      const std::string before = team_.sandbox.Git(name_, {"rev-parse", "HEAD"}),
                        branch = team_.sandbox.Git(name_, {"symbolic-ref", "--short", "HEAD"});
      std::vector<std::string> argv = {"git"};
      argv.insert(argv.end(), arguments.begin(), arguments.end());
      RunAndKill(argv);
      for (const char* what : {"merge", "rebase"})
        (void)team_.sandbox.TryGit(name_, {what, "--abort"});
      team_.sandbox.Git(name_, {"checkout", "-q", "-f", "-B", branch, before});
      // A rebase that died before it had noted where it came from cannot be aborted: git says to
      // remove its folder.
      std::filesystem::remove_all(team_.sandbox.Path(name_ + "/.git/rebase-merge"));
      // Files that git had written and not yet put into its index; everything of this person is
      // committed.
      team_.sandbox.Git(name_, {"clean", "-q", "-f", "-d"});
    }
    return team_.sandbox.TryGit(name_, arguments);
  }

  /// A push whose answer is lost: whether it has landed, the server says.
  bool Push() {
    if (!Chance(10))
      return team_.sandbox.TryGit(name_, {"push", "-q", "--no-verify", "origin", "HEAD:main"})
                 .status == 0;
    RunAndKill({"git", "push", "-q", "--no-verify", "origin", "HEAD:main"});
    team_.sandbox.Git(name_, {"fetch", "-q"});
    return team_.sandbox.TryGit(name_, {"merge-base", "--is-ancestor", "HEAD", "origin/main"})
               .status == 0;
  }

  void Reserve(const std::string& revision) {
    if (Chance(15)) {  // by hand, as people do
      std::string text = team_.List(name_);
      const auto entries = Entries(text);
      text.insert(text.rfind("};"),
                  "    " + revision + "=" + std::to_string(entries.back().second + 1) + ",\n");
      team_.sandbox.Write(name_ + "/" + Team::kList, text);
      return;
    }
    auto result = Tool({"reserve", revision, "-m", "for " + name_});
    if (result.status != 0)
      throw std::runtime_error("reserve " + revision + ": " + result.out + result.err);
  }

  bool Land() {
    team_.sandbox.Git(name_, {"fetch", "-q"});
    const bool merge = Chance(50);
    auto joined = Join(merge ? std::vector<std::string>{"merge", "-q", "--no-edit", "origin/main"}
                             : std::vector<std::string>{"rebase", "-q", "origin/main"});
    if (joined.status != 0) {
      ++counts_.conflicts;
      throw std::runtime_error(name_ + ": a person would have to merge: " + joined.out +
                               joined.err + team_.List(name_));
    }
    if (team_.Revctl(name_, {"check", "--fetch"}).status == 1) ++counts_.refused;
    auto renumbered = Tool({"renumber"});
    if (renumbered.status != 0)
      throw std::runtime_error("renumber: " + renumbered.out + renumbered.err);
    if (!team_.sandbox.Git(name_, {"status", "--porcelain"}).empty()) {
      ++counts_.renumbered;
      team_.sandbox.CommitAll(name_, "renumbered");
    }
    auto gate = team_.Revctl(name_, {"check", "--fetch"});
    if (gate.status == 1) return false;  // somebody landed in between
    if (gate.status != 0) throw std::runtime_error("check: " + gate.err);
    const bool pushed = Push();
    if (!pushed) ++counts_.rejected;
    return pushed;
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
  // The ledger is there, as `init` leaves it.
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

TEST_CASE("storm: a team that reserves, merges, rebases, is killed, and lands", "[storm]") {
  const int size = FromEnvironment("REVCTL_STORM_PEOPLE", 200),
            features = FromEnvironment("REVCTL_STORM_FEATURES", 1);
  std::vector<std::string> people;
  for (int i = 0; i < size; ++i) people.push_back("p" + std::to_string(i));
  Team team(people);
  team.GuardServer();
  // What each push left on main, in the server's own words.
  team.sandbox.Git("srv/game.git", {"config", "core.logAllRefUpdates", "always"});
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
  CHECK(counts.conflicts == 0);
  // Otherwise this run has shown less than it says.
  CHECK(counts.killed > 0);
  CHECK(counts.renumbered > 0);

  // Every state of main continues the one before it, and no number was ever landed twice.
  std::vector<std::string> states =
      Lines(team.sandbox.Git("srv/game.git", {"log", "-g", "--format=%H", "main"}));
  std::reverse(states.begin(), states.end());
  std::vector<std::pair<std::string, int>> before;
  int wrong = 0;
  for (const std::string& state : states) {
    const auto now =
        Entries(team.sandbox.Git("srv/game.git", {"show", state + ":" + Team::kList}) + "\n");
    if (now.size() < before.size() || !std::equal(before.begin(), before.end(), now.begin()))
      ++wrong;
    for (std::size_t i = 1; i < now.size(); ++i) wrong += now[i].second > now[i - 1].second ? 0 : 1;
    before = now;
  }
  CHECK(wrong == 0);
  CHECK(states.size() == static_cast<std::size_t>(size * features));
  CHECK(before.size() == static_cast<std::size_t>(2 + size * features));
  std::cout << "team of " << size << ": " << counts.landed << " landed, " << counts.renumbered
            << " renumbered, " << counts.refused << " refused by the gate first, "
            << counts.rejected << " pushes lost the race, " << counts.killed << " killed, "
            << counts.conflicts << " merged by hand, " << wrong << " wrong lists\n";

  // The ledger's whole history: no number for two names.
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

TEST_CASE("storm: a race that cannot be won ends after a minute, with nothing reserved",
          "[storm]") {
  Team team;
  REQUIRE(team.Revctl("ann", {"reserve", "SR_FIRST"}).out == "SR_FIRST = 3\n");
  // Somebody is faster every time: while the server looks at a push of the ledger, its ref moves.
  team.sandbox.Write(
      "srv/game.git/hooks/update",
      "#!/bin/sh\n[ \"$1\" = refs/revctl/ledger ] || exit 0\nexport GIT_AUTHOR_NAME=x "
      "GIT_AUTHOR_EMAIL=x@x GIT_COMMITTER_NAME=x GIT_COMMITTER_EMAIL=x@x\n"
      "git update-ref \"$1\" \"$(git commit-tree -p \"$2\" -m \"confirm main\" \"$2^{tree}\")\"\n");
  std::filesystem::permissions(team.sandbox.Path("srv/game.git/hooks/update"),
                               std::filesystem::perms::owner_all);
  const std::string list = team.List("bob");
  const auto begin = std::chrono::steady_clock::now();
  auto lost = team.Revctl("bob", {"reserve", "SR_BOSS"});
  INFO(lost.out << lost.err);
  CHECK(lost.status == 4);
  CHECK(lost.out.empty());
  CHECK(lost.err.find("kept winning the race") != std::string::npos);
  CHECK(std::chrono::steady_clock::now() - begin >= std::chrono::seconds(60));
  CHECK(team.List("bob") == list);
  CHECK(
      team.sandbox.Git("srv/game.git", {"show", "refs/revctl/ledger:list.main"}).find("SR_BOSS") ==
      std::string::npos);
  std::filesystem::remove(team.sandbox.Path("srv/game.git/hooks/update"));
  CHECK(team.Revctl("bob", {"reserve", "SR_BOSS"}).out == "SR_BOSS = 4\n");
}
