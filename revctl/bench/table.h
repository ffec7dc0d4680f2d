#pragma once
#include <functional>
#include <string>
#include <vector>

namespace revctl::bench {

/// A benchmark result. `ratio` is `value` divided by the value of the contender `against` in the
/// same case, or 0 if there is nothing to compare with.
struct Row {
  std::string bench, subject, contender, op;
  double value = 0;
  std::string unit;
  double ratio = 0;
  std::string against;
  double target = 0;      ///< upper limit for `value` or `ratio`; 0 if there is none
  bool of_ratio = false;  ///< true if `target` limits `ratio`
  bool met() const { return (of_ratio ? ratio : value) <= target; }
};

/// Upper limit for a result: for its ratio if `of_ratio` is true, otherwise for its value.
struct Target {
  double most = 0;
  bool of_ratio = false;
};

struct Contender {
  std::string name;
  /// Runs the contender once. Throws on failure, because the duration of a failed run is
  /// meaningless.
  std::function<void(int round)> run;
};

/// Runs the contenders in turn, once to warm up and then `rounds` times with measurement. Returns
/// each contender's median wall-clock time and median CPU time, in milliseconds. The ratios are
/// relative to the first contender. The target applies to the last contender, revctl.
std::vector<Row> Measure(const std::string& bench, const std::string& subject,
                         const std::string& op, int rounds,
                         const std::vector<Contender>& contenders, const Target& target);

std::vector<Row> BenchReserve(int rounds);
std::vector<Row> BenchCheck(int rounds);
std::vector<Row> BenchMerge(int rounds);
std::vector<Row> BenchShow(int rounds);

}  // namespace revctl::bench
