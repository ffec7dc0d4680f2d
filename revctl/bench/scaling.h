#pragma once
#include <cstdint>
#include <vector>

#include "revctl/bench/table.h"

namespace revctl::bench {

/// A team's way of working, for the simulation in docs/internals/scaling.md. Times are in minutes
/// of working time; a week has 2,400.
struct TeamModel {
  int people = 20;
  double revisions_per_week = 0.3;  ///< per person
  /// mean time from branching off until the feature is done; exponentially distributed
  double work = 960;
  double build = 20;       ///< duration of the build before each landing, plus or minus 30 %
  double by_hand = 15;     ///< time it takes to merge a conflict in the list by hand
  double wrong = 1.0 / 7;  ///< share of merges by hand that produce a wrong list
  double weeks = 50;
  std::uint64_t seed = 1;
};

enum class Way { ByHand, Gate, Queue, AtLanding };

/// The result of simulating one year.
struct TeamYear {
  std::int64_t begun = 0, landed = 0, merged_by_hand = 0, wrong_lists = 0, renumbered = 0,
               refused = 0;
  double waited = 0;      ///< mean minutes from when a feature is done until it has landed
  double lost_races = 0;  ///< share of ledger updates within one second of the previous update
};

/// Simulates a team's year. The same model yields the same result on every machine.
TeamYear Simulate(const TeamModel& model, Way way);

/// Simulates teams of 20 to 2,000 people, each with every way of working.
std::vector<Row> BenchScaling();
void PrintScaling(const std::vector<Row>& rows);

}  // namespace revctl::bench
