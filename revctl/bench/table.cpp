#include "revctl/bench/table.h"

#include <sys/resource.h>

#include <algorithm>
#include <chrono>

namespace revctl::bench {
namespace {

/// Returns the CPU time, in milliseconds, of all child processes that have ended, including their
/// own children. Unlike wall-clock time, CPU time hardly depends on the machine's load.
double ChildrenCpu() {
  rusage usage{};
  ::getrusage(RUSAGE_CHILDREN, &usage);
  auto ms = [](const timeval& time) {
    return static_cast<double>(time.tv_sec) * 1e3 + static_cast<double>(time.tv_usec) / 1e3;
  };
  return ms(usage.ru_utime) + ms(usage.ru_stime);
}

double Median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

}  // namespace

std::vector<Row> Measure(const std::string& bench, const std::string& subject,
                         const std::string& op, int rounds,
                         const std::vector<Contender>& contenders, const Target& target) {
  std::vector<std::vector<double>> times(contenders.size()), cpu(contenders.size());
  for (int round = 0; round <= rounds; ++round) {
    for (std::size_t i = 0; i < contenders.size(); ++i) {
      const double cpu_begin = ChildrenCpu();
      const auto begin = std::chrono::steady_clock::now();
      contenders[i].run(round);
      const std::chrono::duration<double, std::milli> took =
          std::chrono::steady_clock::now() - begin;
      if (round == 0) continue;
      times[i].push_back(took.count());
      cpu[i].push_back(ChildrenCpu() - cpu_begin);
    }
  }
  std::vector<Row> out;
  for (std::size_t i = 0; i < contenders.size(); ++i) {
    out.push_back({bench, subject, contenders[i].name, op, Median(times[i]), "ms", 0, ""});
    if (i + 1 == contenders.size()) {
      out.back().target = target.most;
      out.back().of_ratio = target.of_ratio;
    }
    out.push_back({bench, subject, contenders[i].name, op + ", the CPU time of its processes",
                   Median(cpu[i]), "ms", 0, ""});
    for (std::size_t k = 0; i > 0 && k < 2; ++k) {
      Row& row = out[2 * i + k];
      row.ratio = row.value / out[k].value;
      row.against = contenders.front().name;
    }
  }
  return out;
}

}  // namespace revctl::bench
