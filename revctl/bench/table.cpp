#include "revctl/bench/table.h"

#include <algorithm>
#include <chrono>

namespace revctl::bench {

std::vector<Row> Measure(const std::string& bench, const std::string& subject, const std::string& op, int rounds,
                         const std::vector<Contender>& contenders) {
  std::vector<std::vector<double>> times(contenders.size());
  for (int round = 0; round <= rounds; ++round) {
    for (std::size_t i = 0; i < contenders.size(); ++i) {
      const auto begin = std::chrono::steady_clock::now();
      contenders[i].run(round);
      const std::chrono::duration<double, std::milli> took = std::chrono::steady_clock::now() - begin;
      if (round > 0) times[i].push_back(took.count());
    }
  }
  std::vector<Row> out;
  for (std::size_t i = 0; i < contenders.size(); ++i) {
    std::sort(times[i].begin(), times[i].end());
    Row row{bench, subject, contenders[i].name, op, times[i][times[i].size() / 2], "ms", 0, ""};
    if (i > 0) {
      row.ratio = row.value / out.front().value;
      row.against = contenders.front().name;
    }
    out.push_back(std::move(row));
  }
  return out;
}

}  // namespace revctl::bench
