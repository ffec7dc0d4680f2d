#pragma once
#include <functional>
#include <string>
#include <vector>

namespace revctl::bench {

/// One figure. `ratio` is against `against`'s value in the same case; 0: there is nothing to compare with.
struct Row {
  std::string bench, subject, contender, op;
  double value = 0;
  std::string unit;
  double ratio = 0;
  std::string against;
};

struct Contender {
  std::string name;
  std::function<void(int round)> run;  ///< throws where it fails: a figure of a failure is none
};

/// Runs the contenders in turn, `rounds` times after one that is not counted, and gives the median of each in milliseconds:
/// by the clock, and on a core. The first contender is what the others are compared with.
std::vector<Row> Measure(const std::string& bench, const std::string& subject, const std::string& op, int rounds,
                         const std::vector<Contender>& contenders);

std::vector<Row> BenchReserve(int rounds);
std::vector<Row> BenchCheck(int rounds);
std::vector<Row> BenchMerge(int rounds);

}  // namespace revctl::bench
