// Compares `reserve` with a bare `git push` of one commit to the same server. The difference is
// what the ledger costs on top of the network. Measures both a single user and a crowd.
#include <algorithm>
#include <atomic>
#include <chrono>
#include <stdexcept>
#include <thread>

#include "revctl/bench/table.h"
#include "tests/support/servers.h"

namespace revctl::bench {
namespace {

constexpr std::size_t kCrowd = 64;

/// Sets up a team with one version list, and a server without hooks.
class ReserveBench {
 public:
  ReserveBench() {
    sandbox_.Git("srv", {"init", "-q", "--bare", "-b", "main", "game.git"});
    Clone("ann");
    sandbox_.Git("ann", {"checkout", "-q", "-B", "main"});
    if (auto begun = sandbox_.Revctl("ann", {"init", "--new"}); begun.status != 0)
      throw std::runtime_error(begun.err);
    sandbox_.CommitAll("ann", "first");
    sandbox_.Git("ann", {"push", "-q", "-u", "origin", "main"});
    tree_ = sandbox_.Git("ann", {"rev-parse", "HEAD^{tree}"});
  }

  void Clone(const std::string& person) { sandbox_.Clone(daemon_.Url("game.git"), person, person); }

  void BarePush() {
    const std::string name = "b" + std::to_string(pushes_++);
    const std::string commit = sandbox_.Git("ann", {"commit-tree", tree_, "-m", name});
    sandbox_.Git("ann", {"push", "-q", "--no-verify", "origin", commit + ":refs/heads/" + name});
  }

  /// Reserves a number and returns the time it took in milliseconds.
  double Reserve(const std::string& person) {
    const auto begin = std::chrono::steady_clock::now();
    auto run = sandbox_.Revctl(person, {"reserve", "SR_N" + std::to_string(names_++)});
    if (run.status != 0) throw std::runtime_error(person + ": " + run.err);
    return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - begin)
        .count();
  }

 private:
  testing::Sandbox sandbox_;
  testing::GitDaemon daemon_{sandbox_, "srv"};
  std::string tree_;
  int pushes_ = 0;
  std::atomic<int> names_{0};
};

/// Lets a crowd reserve numbers at the same time. Returns the time that the slowest reservation
/// took in milliseconds.
double ReserveAtOnce(ReserveBench& bench) {
  std::vector<double> took(kCrowd);
  std::vector<std::string> failures(kCrowd);
  std::vector<std::thread> threads;
  for (std::size_t i = 0; i < kCrowd; ++i) {
    threads.emplace_back([&, i] {
      try {
        took[i] = bench.Reserve("c" + std::to_string(i));
      } catch (const std::exception& error) {
        failures[i] = error.what();
      }
    });
  }
  for (auto& thread : threads) thread.join();
  for (const std::string& failure : failures)
    if (!failure.empty()) throw std::runtime_error(failure);
  return *std::max_element(took.begin(), took.end());
}

}  // namespace

std::vector<Row> BenchReserve(int rounds) {
  ReserveBench bench;
  std::vector<Row> rows = Measure("reserve", "git daemon on loopback", "one reservation", rounds,
                                  {{"git push", [&](int) { bench.BarePush(); }},
                                   {"revctl reserve", [&](int) { bench.Reserve("ann"); }}},
                                  {1.3, true});

  for (std::size_t i = 0; i < kCrowd; ++i) bench.Clone("c" + std::to_string(i));
  std::vector<double> slowest;
  const std::string op = std::to_string(kCrowd) + " reservations";
  std::vector<Row> crowd =
      Measure("reserve", std::to_string(kCrowd) + " clones", op, std::min(rounds, 3),
              {{"git push, in sequence",
                [&](int) {
                  for (std::size_t i = 0; i < kCrowd; ++i) bench.BarePush();
                }},
               {"revctl reserve, concurrently",
                [&](int round) {
                  const double ms = ReserveAtOnce(bench);
                  if (round > 0) slowest.push_back(ms);
                }}},
              {4, true});
  crowd.push_back({"reserve", crowd.front().subject, "revctl reserve, concurrently",
                   "the slowest of all rounds", *std::max_element(slowest.begin(), slowest.end()),
                   "ms", 0, ""});
  rows.insert(rows.end(), crowd.begin(), crowd.end());
  return rows;
}

}  // namespace revctl::bench
