#pragma once
#include <cstdint>
#include <vector>

#include "revctl/bench/table.h"

namespace revctl::bench {

/// How a team works, for the simulation of docs/internals/scaling.md. Times in minutes of work; a
/// week has 2,400.
struct TeamModel {
  int people = 20;
  double revisions_per_week = 0.3;  ///< by each person
  double work = 960;                ///< mean time from branching off to being done; exponential
  double build = 20;                ///< what must pass before a landing, give or take 30 %
  double by_hand = 15;              ///< a conflict in the list that a person merges by hand
  double wrong = 1.0 / 7;           ///< share of merges by hand that give a wrong list
  double weeks = 50;
  std::uint64_t seed = 1;
};

enum class Way { ByHand, Gate, Queue, AtLanding };

/// The counts of a simulated year.
struct TeamYear {
  std::int64_t begun = 0, landed = 0, merged_by_hand = 0, wrong_lists = 0, renumbered = 0,
               refused = 0;
  double waited = 0;  ///< mean minutes from being done to having landed
  double lost_races =
      0;  ///< share of the ledger's moves that had another one within the second before
};

/// Same model, same answer, on every machine.
TeamYear Simulate(const TeamModel& model, Way way);

/// Teams of 20 to 2,000, each way.
std::vector<Row> BenchScaling();
void PrintScaling(const std::vector<Row>& rows);

}  // namespace revctl::bench
