// Runs a benchmark: revctl_bench reserve|check|merge|show|scaling [--json] [--rounds N]. Called by
// ci/bench.
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <nlohmann/json.hpp>
#include <string>

#include "revctl/bench/scaling.h"
#include "revctl/bench/table.h"

namespace {

void PrintTable(const std::vector<revctl::bench::Row>& rows) {
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const auto& row = rows[i];
    if (i == 0 || row.subject != rows[i - 1].subject) std::printf("%s\n", row.subject.c_str());
    std::printf("  %-22s %-52s %7.1f %s  ", row.contender.c_str(), row.op.c_str(), row.value,
                row.unit.c_str());
    if (row.ratio > 0) std::printf("%.2f of %s", row.ratio, row.against.c_str());
    std::printf("\n");
  }
}

/// Prints each target and whether it was met, in the same form as the end of `ci/bench serialize`.
void PrintTargets(const std::vector<revctl::bench::Row>& rows) {
  bool head = false;
  for (const auto& row : rows) {
    if (row.target == 0) continue;
    if (!head)
      std::printf("\ntargets\n%-8s %-58s %12s %12s\n", "bench", "case", "reached", "at most");
    head = true;
    const std::string unit = row.of_ratio ? " x" : " " + row.unit;
    std::printf("%-8s %-58s %9.2f%s %9.2f%s  %s\n", row.bench.c_str(), row.subject.c_str(),
                row.of_ratio ? row.ratio : row.value, unit.c_str(), row.target, unit.c_str(),
                row.met() ? "met" : "MISSED");
  }
}

void PrintJson(const std::vector<revctl::bench::Row>& rows) {
  nlohmann::ordered_json out = {{"version", 1}, {"rows", nlohmann::ordered_json::array()}};
  for (const auto& row : rows) {
    out["rows"].push_back({{"bench", row.bench},
                           {"case", row.subject},
                           {"contender", row.contender},
                           {"op", row.op},
                           {"value", row.value},
                           {"unit", row.unit},
                           {"ratio", row.ratio},
                           {"against", row.against}});
    if (row.target != 0) out["rows"].back().update({{"target", row.target}, {"met", row.met()}});
  }
  std::printf("%s\n", out.dump(2).c_str());
}

}  // namespace

int main(int argc, char** argv) {
  // Measure on a disk instead of in a memory file system, because real clones are on a disk.
  ::setenv("TMPDIR", "/tmp", 0);
  std::string which;
  bool json = false;
  int rounds = 15;
  for (int i = 1; i < argc; ++i) {
    const std::string argument = argv[i];
    if (argument == "--json") json = true;
    else if (argument == "--rounds" && i + 1 < argc) rounds = std::max(1, std::atoi(argv[++i]));
    else which = argument;
  }
  try {
    std::vector<revctl::bench::Row> rows;
    if (which == "reserve") rows = revctl::bench::BenchReserve(rounds);
    else if (which == "check") rows = revctl::bench::BenchCheck(rounds);
    else if (which == "merge") rows = revctl::bench::BenchMerge(rounds);
    else if (which == "show") rows = revctl::bench::BenchShow(rounds);
    else if (which == "scaling") rows = revctl::bench::BenchScaling();
    else {
      std::fprintf(stderr,
                   "usage: revctl_bench reserve|check|merge|show|scaling [--json] [--rounds N]\n");
      return 2;
    }
    json                 ? PrintJson(rows)
    : which == "scaling" ? revctl::bench::PrintScaling(rows)
                         : PrintTable(rows);
    if (!json) PrintTargets(rows);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "revctl_bench: %s\n", error.what());
    return 1;
  }
  return 0;
}
