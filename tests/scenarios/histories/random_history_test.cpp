// Plays random histories of a small team in real repositories. Whatever git merges or rewrites,
// clones with the driver need no manual work, landed numbers do not change, no number is assigned
// twice, no revision is lost, and a branch keeps its order.
#include <atomic>
#include <catch2/catch.hpp>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <map>
#include <mutex>
#include <random>
#include <thread>

#include "tests/scenarios/histories/player.h"

using namespace revctl::testing;

namespace {

unsigned FromEnvironment(const char* name, unsigned otherwise) {
  const char* value = std::getenv(name);
  return value == nullptr ? otherwise : static_cast<unsigned>(std::atoi(value));
}

std::vector<Step> Planned(unsigned seed) {
  using Kind = Step::Kind;
  // Some kinds are listed several times to make them more likely. Every fourth history belongs to a
  // team with releases.
  static const std::vector<Kind> of_branches = {
      Kind::Begin,    Kind::Begin,      Kind::Begin,         Kind::Stack,        Kind::Add,
      Kind::Add,      Kind::Add,        Kind::Add,           Kind::Rebase,       Kind::Rebase,
      Kind::Reorder,  Kind::Autosquash, Kind::MergeTarget,   Kind::MergeBranch,  Kind::MergeBranch,
      Kind::SquashIn, Kind::SquashOwn,  Kind::Pick,          Kind::Pick,         Kind::Revert,
      Kind::Amend,    Kind::Renumber,   Kind::LandByCommand, Kind::Land,         Kind::LandSquashed,
      Kind::Button,   Kind::HandMerge,  Kind::LandByCommand, Kind::RevertLanded, Kind::HandMerge};
  static const std::vector<Kind> of_releases = {
      Kind::Begin,  Kind::Begin,  Kind::Add,  Kind::Stack,         Kind::Land,        Kind::Land,
      Kind::Hotfix, Kind::Hotfix, Kind::Land, Kind::LandByCommand, Kind::Hotfix,      Kind::Cut,
      Kind::Hotfix, Kind::Revert, Kind::Pick, Kind::LandSquashed,  Kind::RevertLanded};
  const std::vector<Kind>& kinds = seed % 4 == 0 ? of_releases : of_branches;
  std::mt19937 random(seed);
  std::vector<Step> steps(12);
  for (std::size_t i = 0; i < steps.size(); ++i)
    steps[i] = {i == 0 ? Kind::Begin : kinds[random() % kinds.size()],
                static_cast<std::uint32_t>(i + 1), static_cast<std::uint32_t>(random()),
                static_cast<std::uint32_t>(random()), static_cast<std::uint32_t>(random())};
  return steps;
}

struct Outcome {
  std::string why, script;
  std::size_t landed = 0, refused = 0, played = 0;
  std::map<std::string, std::size_t> seen;
};

Outcome Play(const std::vector<Step>& steps) {
  Player player(FromEnvironment("REVCTL_HISTORY_BUILDS", 0) != 0);
  Outcome out;
  try {
    for (const Step& step : steps) {
      ++out.played;
      player.Play(step);
    }
    player.Finish(steps.empty() ? 0 : steps.front().c);
  } catch (const Broken& broken) {
    out.why = broken.what();
  }
  out.script = player.world().Script();
  if (!out.why.empty()) return out;
  out.landed = player.landed();
  out.refused = player.refused();
  out.seen = player.seen();
  return out;
}

/// Removes steps, starting with the last one, as long as the history still fails.
Outcome Shrunk(std::vector<Step> steps, Outcome wrong) {
  steps.resize(wrong.played);
  for (bool smaller = true; smaller;) {
    smaller = false;
    for (std::size_t i = steps.size(); i-- > 0;) {
      std::vector<Step> fewer = steps;
      fewer.erase(fewer.begin() + static_cast<std::ptrdiff_t>(i));
      Outcome outcome = Play(fewer);
      if (outcome.why.empty()) continue;
      fewer.resize(outcome.played);
      steps = fewer;
      i = std::min(i, steps.size());
      wrong = std::move(outcome);
      smaller = true;
    }
  }
  return wrong;
}

}  // namespace

TEST_CASE("history: random histories of a team", "[history]") {
  const revctl::git::Library library;
  const unsigned only = FromEnvironment("REVCTL_HISTORY_SEED", 0),
                 first = only != 0 ? only : FromEnvironment("REVCTL_HISTORY_FIRST", 1),
                 count = only != 0 ? 1 : FromEnvironment("REVCTL_HISTORIES", 8),
                 most = FromEnvironment("REVCTL_HISTORY_FAILURES", 1),
                 workers = FromEnvironment("REVCTL_HISTORY_WORKERS", 2);
  const auto begin = std::chrono::steady_clock::now();
  std::mutex mutex;
  std::map<unsigned, Outcome> broken;
  std::size_t played = 0, steps = 0, landed = 0, refused = 0;
  std::map<std::string, std::size_t> seen;
  std::string strange;  // errors in the test itself
  std::atomic<unsigned> next{first};
  const auto work = [&] {
    for (unsigned seed = next++; seed < first + count; seed = next++) {
      try {
        Outcome outcome = Play(Planned(seed));
        const std::lock_guard<std::mutex> lock(mutex);
        if (broken.size() >= most || !strange.empty()) return;
        ++played;
        steps += outcome.played;
        landed += outcome.landed;
        refused += outcome.refused;
        for (const auto& [what, times] : outcome.seen) seen[what] += times;
        if (only != 0) std::cout << outcome.script;
        if (!outcome.why.empty()) broken.emplace(seed, std::move(outcome));
      } catch (const std::exception& error) {
        const std::lock_guard<std::mutex> lock(mutex);
        strange = "seed " + std::to_string(seed) + ": " + error.what();
      }
    }
  };
  std::vector<std::thread> threads;
  for (unsigned i = 0; i < std::max(workers, 1U); ++i) threads.emplace_back(work);
  for (std::thread& thread : threads) thread.join();
  const auto took = std::chrono::duration_cast<std::chrono::milliseconds>(
      std::chrono::steady_clock::now() - begin);
  std::cout << played << " histories, " << steps << " steps, " << landed << " landings, " << refused
            << " pushes refused, " << took.count() << " ms\n";
  for (const auto& [what, times] : seen) std::cout << "  " << times << " " << what << "\n";
  CHECK(strange == "");
  const bool shrink = std::getenv("REVCTL_HISTORY_WHOLE") == nullptr;
  for (auto& [seed, outcome] : broken) {
    if (shrink) outcome = Shrunk(Planned(seed), std::move(outcome));
    const std::filesystem::path script =
        std::filesystem::temp_directory_path() / ("revctl-history-" + std::to_string(seed) + ".sh");
    std::ofstream(script) << outcome.script;
    std::cout << outcome.script;
    FAIL_CHECK("REVCTL_HISTORY_SEED=" << seed << " plays this again, or sh " << script.string()
                                      << "\n"
                                      << outcome.why);
  }
  if (only != 0) return;
  // With fewer steps or landings, the run would not cover enough.
  CHECK(steps > 8 * played);
  CHECK(2 * landed > played);
}

TEST_CASE("history: the printed script replays the history in any shell", "[history]") {
  const revctl::git::Library library;
  Player player;
  for (const Step& step : Planned(8)) player.Play(step);
  const Sandbox& played = player.world().sandbox();
  const Sandbox again;
  again.Write("again.sh", player.world().Script());
  const auto run = again.Run(".", {"sh", "again.sh"}, {"TMPDIR=" + again.root()});
  const std::string folder = run.out.substr(0, run.out.find('\n'));
  const auto branches = [](const Sandbox& sandbox, const std::string& repository) {
    return sandbox.Git(repository,
                       {"for-each-ref", "refs/heads", "--format=%(objectname) %(refname)"});
  };
  CHECK(branches(again, folder + "/" + World::kServer) == branches(played, World::kServer));
  CHECK(player.landed() > 0);
}
