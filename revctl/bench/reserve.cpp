// reserve beside a bare `git push` of one commit to the same server: what the ledger costs on top
// of what cannot be avoided.
#include <stdexcept>

#include "revctl/bench/table.h"
#include "tests/support/servers.h"

namespace revctl::bench {

std::vector<Row> BenchReserve(int rounds) {
  testing::Sandbox sandbox;
  testing::GitDaemon daemon(sandbox, "srv");
  sandbox.Git("srv", {"init", "-q", "--bare", "-b", "main", "game.git"});
  sandbox.Clone(daemon.Url("game.git"), "ann", "ann");
  sandbox.Git("ann", {"checkout", "-q", "-B", "main"});
  if (auto begun = sandbox.Revctl("ann", {"init", "--new"}); begun.status != 0)
    throw std::runtime_error(begun.err);
  sandbox.CommitAll("ann", "first");
  sandbox.Git("ann", {"push", "-q", "-u", "origin", "main"});
  const std::string tree = sandbox.Git("ann", {"rev-parse", "HEAD^{tree}"});
  return Measure("reserve", "git daemon on loopback", "one reservation", rounds,
                 {{"git push",
                   [&](int round) {
                     const std::string commit = sandbox.Git(
                         "ann", {"commit-tree", tree, "-m", "push " + std::to_string(round)});
                     sandbox.Git("ann", {"push", "-q", "--no-verify", "origin",
                                         commit + ":refs/heads/b" + std::to_string(round)});
                   }},
                  {"revctl reserve",
                   [&](int round) {
                     auto run = sandbox.Revctl("ann", {"reserve", "SR_N" + std::to_string(round)});
                     if (run.status != 0) throw std::runtime_error(run.err);
                   }}},
                 {2.5, true});
}

}  // namespace revctl::bench
