// Measures the merge driver on a list of 10,000 revisions, and compares it with `git merge-file` on
// the same three files.
#include <stdexcept>

#include "revctl/bench/big_history.h"
#include "revctl/bench/table.h"

namespace revctl::bench {

std::vector<Row> BenchMerge(int rounds) {
  testing::Sandbox sandbox;
  MakeBigHistory(sandbox, "r", 1000, 10000);
  const std::string base = BigList(10000);
  sandbox.Write("r/base", base);
  sandbox.Write("r/theirs", BigList(10000, "    SR_THEIRS=10001,\n"));
  const std::string ours = BigList(10000, "    SR_OURS=10001,\n");
  auto merge = [&](const std::vector<std::string>& argv, int worst) {
    sandbox.Write("r/ours", ours);
    auto run = sandbox.Run("r", argv);
    if (run.status > worst) throw std::runtime_error(run.err);
  };
  return Measure("merge", "10,000 revisions, both sides add one", "one file", rounds,
                 {{"git merge-file",
                   [&](int) {
                     merge({"git", "merge-file", "--quiet", "ours", "base", "theirs"}, 1);
                   }},
                  {"revctl merge-driver",
                   [&](int) {
                     merge({testing::ProgramPath(), "--quiet", "merge-driver", "base", "ours",
                            "theirs", "7", "src/master_version_list.h"},
                           0);
                   }}},
                 {100});
}

}  // namespace revctl::bench
