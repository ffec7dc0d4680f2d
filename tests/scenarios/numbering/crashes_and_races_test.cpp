// Tests that reservations survive lost replies, kills, locks and races, and that no number is
// assigned twice.
#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <algorithm>
#include <catch2/catch.hpp>
#include <chrono>
#include <filesystem>
#include <set>
#include <stdexcept>
#include <thread>

#include "revctl/base/file_lock.h"
#include "tests/scenarios/team.h"

using namespace revctl::testing;

TEST_CASE("reserve: a push whose answer is lost counts once", "[reserve]") {
  Team team;
  REQUIRE(team.Revctl("ann", {"reserve", "SR_FIRST"}).out == "SR_FIRST = 3\n");
  // The server's process dies after it has moved the ref and before it can reply.
  team.sandbox.WriteExecutable("srv/game.git/hooks/post-receive",
                               "#!/bin/sh\nrm \"$0\"\nkill -9 $PPID\n");
  auto reserved = team.Revctl("bob", {"reserve", "SR_BOSS"});
  INFO(reserved.err);
  CHECK(reserved.out == "SR_BOSS = 4\n");
  CHECK_FALSE(team.sandbox.Exists("srv/game.git/hooks/post-receive"));  // the hook ran and removed
                                                                        // itself
  const std::string events =
      team.sandbox.Git("srv/game.git", {"log", "--format=%s", "refs/revctl/ledger"});
  CHECK(events.find("reserve main SR_BOSS 4") == 0);
  CHECK(events.find("SR_BOSS", 20) == std::string::npos);
  CHECK(team.Revctl("ann", {"reserve", "--dry-run"}).out == "5\n");
}

TEST_CASE("lock: waiting for another process is reported and has a limit", "[lock]") {
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
  CHECK(team.Revctl("ann", {"reserve", "SR_TWO"}).err.empty());  // no waiting, because the lock has
                                                                 // been released

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

TEST_CASE("reserve: can be run again after a kill at any point", "[reserve]") {
  Team team;
  int killed = 0;
  for (int i = 0; i < 16; ++i) {
    const std::string name = "SR_K" + std::to_string(i);
    const std::string after = "0.0" + std::to_string(10 + 5 * i);
    auto run =
        team.sandbox.Run("ann", {"timeout", "-s", "KILL", after, ProgramPath(), "reserve", name});
    if (run.status >= 124) ++killed;
    // After a kill, the list must still be readable.
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

TEST_CASE("race: commands in the same work tree keep each other's changes", "[race]") {
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

TEST_CASE("race: eight clones reserve at once on a real server", "[race]") {
  Team team({"c0", "c1", "c2", "c3", "c4", "c5", "c6", "c7"});
  const auto numbers = team.ReserveAtOnce({"c0", "c1", "c2", "c3", "c4", "c5", "c6", "c7"});
  CHECK(numbers == std::vector<int>{3, 4, 5, 6, 7, 8, 9, 10});
}

TEST_CASE("reserve: a lock left on the server is reported in git's words", "[reserve]") {
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
              "origin cannot update refs/revctl/ledger, although no other push has updated it ("));
    CHECK(Has(locked.err, "ledger.lock': File exists"));
    CHECK(Has(locked.err,
              "fix: if no git process is running on the server, ask its administrator to remove "));
  }
  std::filesystem::remove(team.sandbox.Path(lock));
  CHECK(team.Revctl("ann", {"reserve", "SR_TWO"}).out == "SR_TWO = 4\n");
}

namespace {

/// A team in which Ann's clone loses the race with its first push, because its copy of the ledger
/// is a few seconds old. Other clones have sent requests to the server.
struct Crowd : Team {
  static constexpr const char* kFolder = "refs/revctl/waiting/";

  explicit Crowd(bool guarded = false) : Team({"ann", "bob"}) {
    if (guarded) GuardServer();
    if (Revctl("ann", {"reserve", "SR_FIRST"}).out != "SR_FIRST = 3\n")
      throw std::runtime_error("SR_FIRST");
    FallBehind("SR_SECOND");
  }
  /// Has Bob reserve `name`, so that Ann's copy of the ledger does not contain it.
  void FallBehind(const std::string& name) const {
    if (Revctl("bob", {"reserve", name}).status != 0) throw std::runtime_error(name);
  }
  /// Pushes a request as Dan's clone would.
  void Ask(const std::string& message, const std::string& ref) const {
    const std::string tree = sandbox.Git("ann", {"hash-object", "-t", "tree", "-w", "/dev/null"});
    const std::string commit =
        sandbox.Git("ann", {"-c", "user.name=Dan", "-c", "user.email=dan@studio.example",
                            "commit-tree", tree, "-m", message});
    sandbox.Git("ann", {"push", "-q", "--no-verify", "origin", commit + ":" + kFolder + ref});
  }
  static std::string Reserving(const std::string& name, const std::string& number) {
    return "reserve main " + name + " " + number + "\n\nRevision: " + name + " " + number +
           "\nComment: for Dan\nNonce: 1\n";
  }
  std::string Requests() const {
    return sandbox.Git(kServer, {"for-each-ref", "--format=%(refname:lstrip=3)", kFolder});
  }
  std::string Ledger() const {
    return sandbox.Git(kServer, {"show", "refs/revctl/ledger:list.main"});
  }
};

}  // namespace

TEST_CASE("crowd: the push that wins answers the requests of others", "[reserve][crowd]") {
  for (const bool guarded : {false, true}) {
    const Crowd team(guarded);
    team.Ask(Crowd::Reserving("SR_OF_DAN", "3"), "a");
    team.Ask(Crowd::Reserving("SR_HIGH", "20"), "b");
    // The pending requests may include Ann's own.
    const auto reserved = team.Revctl("ann", {"reserve", "SR_MINE"});
    INFO(reserved.err);
    CHECK(reserved.status == 0);
    CHECK(team.Requests() == "");
    const std::string ledger = team.Ledger();
    INFO(ledger);
    CHECK(Has(ledger, " SR_OF_DAN Dan <dan@studio.example>\n"));
    CHECK(Has(ledger, "\n20 SR_HIGH Dan <dan@studio.example>"));
    const std::string mine = reserved.out.substr(reserved.out.find("= ") + 2);
    CHECK(Has(ledger, mine.substr(0, mine.size() - 1) + " SR_MINE ann "));
    const std::string log =
        team.sandbox.Git(Team::kServer, {"log", "--format=%an: %s", "-4", "refs/revctl/ledger"});
    INFO(log);
    CHECK(Has(log, "Dan: reserve main SR_HIGH 20"));
    CHECK(Has(log, "ann: reserve main SR_MINE"));
    CHECK_FALSE(Has(team.sandbox.Git("ann", {"for-each-ref"}), "incoming"));
    // When Dan's clone runs `reserve` again, it finds its number.
    team.sandbox.Clone(team.Url(), "dan", "Dan");
    team.sandbox.Git("dan", {"config", "user.email", "dan@studio.example"});
    CHECK(team.Revctl("dan", {"reserve", "SR_HIGH"}).out == "SR_HIGH = 20\n");
    CHECK(team.Revctl("bob", {"reserve", "--dry-run"}).out == "21\n");
  }
}

TEST_CASE("crowd: unanswerable requests do no harm", "[reserve][crowd]") {
  const Crowd team;
  const std::string huge(60, '9');
  team.Ask(Crowd::Reserving("SR_FIRST", "9"), "taken");
  team.Ask(Crowd::Reserving("SR_FAR", "2147483647"), "far");
  team.Ask(Crowd::Reserving("SR_HUGE", huge), "huge");
  team.Ask("reserve other SR_OTHER 3\n\nRevision: SR_OTHER 3\n", "list");
  team.Ask("release main SR_FIRST 3\n\nRevision: SR_FIRST 3\n", "release");
  team.Ask("take-over main SR_FIRST 3\n\nRevision: SR_FIRST 3\n", "take-over");
  team.Ask("somebody's work", "work");
  const auto reserved = team.Revctl("ann", {"reserve", "SR_MINE"});
  INFO(reserved.err);
  CHECK(reserved.out == "SR_MINE = 5\n");
  CHECK(team.Ledger() ==
        "revctl-ledger-list 1\nhigh-water 5\n3 SR_FIRST ann <ann@studio.example>\n"
        "4 SR_SECOND bob <bob@studio.example>\n5 SR_MINE ann <ann@studio.example>");
  // Refs that are not requests stay on the server.
  CHECK(team.Requests() == "huge\nwork");
}

TEST_CASE("crowd: a server that forbids deleting refs, and one without requests",
          "[reserve][crowd]") {
  const Crowd team;
  SECTION("a hook rejects the deletion of requests") {
    team.Ask(Crowd::Reserving("SR_OF_DAN", "3"), "a");
    team.sandbox.WriteExecutable("srv/game.git/hooks/update",
                                 "#!/bin/sh\ncase $1 in refs/revctl/waiting/*)\n  case $3 in "
                                 "*[!0]*) ;; *) exit 1;; esac;;\nesac\n");
  }
  SECTION("a hook rejects requests") {
    team.sandbox.WriteExecutable("srv/game.git/hooks/update",
                                 "#!/bin/sh\ncase $1 in refs/revctl/waiting/*) exit 1;; esac\n");
  }
  for (int i = 0; i < 4; ++i) {
    const std::string number = std::to_string(5 + 2 * i);
    const auto reserved = team.Revctl("ann", {"reserve", "SR_MINE" + number});
    INFO(reserved.err);
    CHECK(reserved.out == "SR_MINE" + number + " = " + number + "\n");
    team.FallBehind("SR_B" + number);
  }
}

TEST_CASE("crowd: sixteen clones at once, some of which are killed", "[race][crowd]") {
  std::vector<std::string> people;
  for (int i = 0; i < 16; ++i) people.push_back("p" + std::to_string(i));
  const Team team(people);
  team.GuardServer();
  std::vector<std::thread> killers;
  // Runs revctl in four clones, with a time limit that kills most of the processes at some point.
  for (int i = 0; i < 4; ++i) {
    killers.emplace_back([&, i] {
      team.sandbox.Run("p" + std::to_string(i),
                       {"timeout", "-s", "KILL", "0." + std::to_string(2 * i + 3), ProgramPath(),
                        "reserve", "SR_OF_p" + std::to_string(i)});
    });
  }
  const std::vector<int> numbers = team.ReserveAtOnce({people.begin() + 4, people.end()});
  for (std::thread& one : killers) one.join();
  CHECK(std::count(numbers.begin(), numbers.end(), -1) == 0);
  CHECK(std::adjacent_find(numbers.begin(), numbers.end()) == numbers.end());
  // The killed clones run `reserve` again. Afterwards every number has exactly one name.
  std::set<std::string> all;
  for (const std::string& person : people) {
    const auto again = team.Revctl(person, {"reserve", "SR_OF_" + person});
    INFO(person << again.err);
    CHECK(again.status == 0);
    all.insert(again.out.substr(again.out.find("= ")));
  }
  CHECK(all.size() == people.size());
}
