// Measures `check` on a list of 10,000 revisions in a repository of 100,000 commits, with and
// without a ledger, and compares it with `git status`.
#include <stdexcept>

#include "revctl/bench/big_history.h"
#include "revctl/bench/table.h"

namespace revctl::bench {

constexpr Target kWanted{300};

std::vector<Row> BenchCheck(int rounds) {
  testing::Sandbox sandbox;
  MakeBigHistory(sandbox, "r", 100000, 10000);
  auto check = [&](int) {
    auto run = sandbox.Revctl("r", {"check", "--quiet"});
    if (run.status > 1) throw std::runtime_error(run.err);
  };
  const Contender status{"git status", [&](int) { sandbox.Git("r", {"status", "--porcelain"}); }};
  std::vector<Row> out = Measure("check", "10,000 revisions, 100,000 commits, nothing pending",
                                 "warm", rounds, {status, {"revctl check", check}}, kWanted);
  // Create a branch with one pending revision. It forks off 1,000 commits before the target's tip.
  sandbox.Git("r", {"checkout", "-q", "-b", "feature", "main~1000"});
  sandbox.Write("r/src/master_version_list.h", BigList(10000, "    SR_NEW=10001,\n"));
  sandbox.Write("r/.revctl.yaml", sandbox.Git("r", {"show", "main:.revctl.yaml"}) + "\n");
  sandbox.CommitAll("r", "feature");
  const std::vector<Row> branch =
      Measure("check", "the same, a branch 1,000 commits behind", "warm", rounds,
              {status, {"revctl check", check}}, kWanted);
  out.insert(out.end(), branch.begin(), branch.end());
  // Add a ledger, because most teams have one. This is the worst case: every number in the list has
  // an event, and no reservation was ever closed.
  MakeBigLedger(sandbox, "r", 10001);
  sandbox.Git("r", {"checkout", "-q", "main"});
  sandbox.Write("r/.revctl.yaml", "version: 1\nlists: [{path: src/master_version_list.h}]\n");
  sandbox.CommitAll("r", "reservation is required");
  sandbox.Git("r", {"checkout", "-q", "-b", "reserved"});
  sandbox.Write("r/src/master_version_list.h", BigList(10000, "    SR_NEW=10001,\n"));
  sandbox.CommitAll("r", "feature");
  if (auto fine = sandbox.Revctl("r", {"check"}); fine.status != 0)
    throw std::runtime_error(fine.out + fine.err);
  const std::vector<Row> reserved =
      Measure("check", "the same, one pending, a ledger of 10,001", "warm", rounds,
              {status, {"revctl check", check}}, kWanted);
  out.insert(out.end(), reserved.begin(), reserved.end());
  return out;
}

}  // namespace revctl::bench
