#pragma once
#include <functional>
#include <string>
#include <vector>

namespace revctl::bench {

/// A figure. `ratio` is relative to the value of `against` in the same case; 0 if there is nothing
/// to compare with.
struct Row {
  std::string bench, subject, contender, op;
  double value = 0;
  std::string unit;
  double ratio = 0;
  std::string against;
  double target = 0;      ///< what it may be at most: `value` by the clock, or `ratio`; 0: no limit
  bool of_ratio = false;  ///< which of the two
  bool met() const { return (of_ratio ? ratio : value) <= target; }
};

/// A row that has to stay below something.
struct Target {
  double most = 0;
  bool of_ratio = false;
};

struct Contender {
  std::string name;
  std::function<void(int round)> run;  ///< throws where it fails: a figure of a failure is none
};

/// Runs the contenders in turn, `rounds` times after one that is not counted, and gives the median
/// of each in milliseconds: by the clock, and on a core. The first contender is what the others are
/// compared with; the last, revctl, has the target.
std::vector<Row> Measure(const std::string& bench, const std::string& subject,
                         const std::string& op, int rounds,
                         const std::vector<Contender>& contenders, const Target& target);

std::vector<Row> BenchReserve(int rounds);
std::vector<Row> BenchCheck(int rounds);
std::vector<Row> BenchMerge(int rounds);
std::vector<Row> BenchShow(int rounds);

}  // namespace revctl::bench
