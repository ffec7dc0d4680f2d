// Reservations survive lost answers, kills, locks and races, and no number is given twice.
#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <algorithm>
#include <catch2/catch.hpp>
#include <chrono>
#include <filesystem>

#include "revctl/base/file_lock.h"
#include "tests/scenarios/team.h"

using namespace revctl::testing;

TEST_CASE("reserve: a push whose answer is lost counts once", "[reserve]") {
  Team team;
  REQUIRE(team.Revctl("ann", {"reserve", "SR_FIRST"}).out == "SR_FIRST = 3\n");
  // The server's process dies after moving the ref and before it can answer.
  team.sandbox.WriteExecutable("srv/game.git/hooks/post-receive",
                               "#!/bin/sh\nrm \"$0\"\nkill -9 $PPID\n");
  auto reserved = team.Revctl("bob", {"reserve", "SR_BOSS"});
  INFO(reserved.err);
  CHECK(reserved.out == "SR_BOSS = 4\n");
  CHECK_FALSE(team.sandbox.Exists("srv/game.git/hooks/post-receive"));  // the hook has run
  const std::string events =
      team.sandbox.Git("srv/game.git", {"log", "--format=%s", "refs/revctl/ledger"});
  CHECK(events.find("reserve main SR_BOSS 4") == 0);
  CHECK(events.find("SR_BOSS", 20) == std::string::npos);
  CHECK(team.Revctl("ann", {"reserve", "--dry-run"}).out == "5\n");
}

TEST_CASE("lock: the wait for another process is reported and ends", "[lock]") {
  Team team;
  const std::string path = team.sandbox.Path("ann/.git/revctl.lock");
  const int held = ::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0644);
  REQUIRE(::flock(held, LOCK_EX) == 0);
  REQUIRE(::write(held, "4711\n", 5) == 5);
  std::thread later([held] {
    std::this_thread::sleep_for(std::chrono::milliseconds(2500));
    ::close(held);
  });
  auto waited = team.Revctl("ann", {"reserve", "SR_BOSS"});
  later.join();
  CHECK(waited.out == "SR_BOSS = 3\n");
  CHECK(waited.err.find("waiting for another revctl (process 4711) in this work tree") !=
        std::string::npos);
  CHECK(team.Revctl("ann", {"reserve", "SR_TWO"}).err.empty());  // the lock has been released

  const int stopped = ::open(path.c_str(), O_RDWR | O_CLOEXEC);
  REQUIRE(::flock(stopped, LOCK_EX) == 0);
  int told = 0;
  auto given_up = revctl::base::FileLock::Take(
      path, [&](const std::string&) { ++told; }, std::chrono::milliseconds(1300));
  ::close(stopped);
  REQUIRE_FALSE(given_up.ok());
  CHECK(told == 1);
  CHECK(given_up.error().exit == revctl::base::Exit::Environment);
  CHECK(given_up.error().message.find("is still locked by process ") != std::string::npos);
}

TEST_CASE("reserve: killed anywhere, it can be run again", "[reserve]") {
  Team team;
  int killed = 0;
  for (int i = 0; i < 16; ++i) {
    const std::string name = "SR_K" + std::to_string(i);
    const std::string after = "0.0" + std::to_string(10 + 5 * i);
    auto run =
        team.sandbox.Run("ann", {"timeout", "-s", "KILL", after, ProgramPath(), "reserve", name});
    if (run.status >= 124) ++killed;
    // After a kill, the list is readable without half an entry, and no stray file is left.
    auto list = team.Revctl("ann", {"list"});
    REQUIRE(list.status == 0);
    std::error_code error;
    for (const auto& entry :
         std::filesystem::recursive_directory_iterator(team.sandbox.Path("ann/.git/refs"))) {
      if (entry.path().extension() == ".lock")
        std::filesystem::remove(entry.path(), error);  // lock files of the killed git
    }
    auto again = team.Revctl("ann", {"reserve", name});
    INFO(again.err);
    REQUIRE(again.status == 0);
    REQUIRE(team.Revctl("ann", {"reserve", name}).out == again.out);
  }
  CHECK(killed > 2);
  const std::string numbers = team.Numbers("ann");
  CHECK(std::count(numbers.begin(), numbers.end(), '=') == 18);
  CHECK(team.Revctl("ann", {"check", "--fetch"}).status == 0);
}

TEST_CASE("race: commands in one work tree keep each other's work", "[race]") {
  Team team;
  std::vector<std::thread> threads;
  for (int i = 0; i < 6; ++i)
    threads.emplace_back([&team, i] {
      (void)team.Revctl("ann", {"reserve", "SR_T" + std::to_string(i)});
    });
  for (auto& thread : threads) thread.join();
  const std::string numbers = team.Numbers("ann");
  for (int i = 0; i < 6; ++i)
    CHECK(numbers.find("SR_T" + std::to_string(i) + "=") != std::string::npos);
}

TEST_CASE("race: eight clones reserve at once, over a real server", "[race]") {
  Team team({"c0", "c1", "c2", "c3", "c4", "c5", "c6", "c7"});
  const auto numbers = team.ReserveAtOnce({"c0", "c1", "c2", "c3", "c4", "c5", "c6", "c7"});
  CHECK(numbers == std::vector<int>{3, 4, 5, 6, 7, 8, 9, 10});
}

TEST_CASE("reserve: a lock that stays on the server is reported with git's words", "[reserve]") {
  const Team team;
  REQUIRE(team.Revctl("ann", {"reserve", "SR_BOSS"}).status == 0);
  const std::string lock = "srv/game.git/refs/revctl/ledger.lock";
  team.sandbox.Write(lock, "");
  for (const std::vector<std::string>& words : std::vector<std::vector<std::string>>{
           {"reserve", "SR_TWO"}, {"abandon", "SR_BOSS"}, {"doctor", "--repair-ledger"}}) {
    const auto locked = team.Revctl("ann", words);
    INFO(words[0] << locked.out << locked.err);
    CHECK(locked.status == 3);
    CHECK(Has(locked.err,
              "origin cannot move refs/revctl/ledger, although no other push has moved it ("));
    CHECK(Has(locked.err, "ledger.lock': File exists"));
    CHECK(Has(locked.err,
              "fix: if no git process is running on the server, ask its administrator to remove "));
  }
  std::filesystem::remove(team.sandbox.Path(lock));
  CHECK(team.Revctl("ann", {"reserve", "SR_TWO"}).out == "SR_TWO = 4\n");
}
