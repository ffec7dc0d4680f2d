// Measures `show` in a repository of 75,000 commits, and compares it with `git blame -L` for the
// same revision's line.
#include <stdexcept>
#include <string>

#include "revctl/bench/big_history.h"
#include "revctl/bench/table.h"

namespace revctl::bench {

std::vector<Row> BenchShow(int rounds) {
  constexpr int kCommits = 75000, kRevisions = 250;
  constexpr int kOpening = 3;  // number of lines in the list before its first entry
  testing::Sandbox sandbox;
  MakeBigHistory(sandbox, "r", kCommits, kRevisions, Grows::AlongTheWay);
  std::vector<Row> out;
  // Show an early revision, for which `git blame` walks through most of the history, and a late
  // one.
  for (const int revision : {25, 225}) {
    const std::string name = "SR_CHANGE_" + std::to_string(revision);
    const std::string line = std::to_string(revision + kOpening);
    auto show = [&](int) {
      auto run = sandbox.Revctl("r", {"show", name});
      if (run.status != 0 || run.out.find(" came with ") == std::string::npos)
        throw std::runtime_error(run.out + run.err);
    };
    const auto blame = [&](int) {
      sandbox.Git("r", {"blame", "-L", line + "," + line, "--", "src/master_version_list.h"});
    };
    const std::vector<Row> rows =
        Measure("show", "75,000 commits, revision " + std::to_string(revision) + " of 250", "warm",
                rounds, {{"git blame -L", blame}, {"revctl show", show}}, {1.2, true});
    out.insert(out.end(), rows.begin(), rows.end());
  }
  return out;
}

}  // namespace revctl::bench
