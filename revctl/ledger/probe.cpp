// May this clone write where the ledger is? Some hosts take branches and tags only, some people may
// only read. git does not tell without trying (`push --dry-run` asks no hook), so that a ref beside
// the ledger is made and taken away again.
#include "revctl/config/config.h"
#include "revctl/git/remote.h"
#include "revctl/ledger/ledger.h"

#include <fmt/core.h>

namespace revctl::ledger {

Result<Done> Ledger::Probe(const Snapshot& snapshot) {
  if (!HasRemote() || settings_.missing || settings_.ref.starts_with("refs/heads/")) return Done{};
  const std::string ref = settings_.ref.substr(0, settings_.ref.rfind('/')) + "/probe";
  // Left there where a probe before was killed, or may not be taken away.
  TRY(auto listed, git::ListRemote(repository_, settings_.remote, {ref}));
  const std::optional<git::Oid> old =
      listed.contains(ref) ? std::optional(listed.at(ref)) : std::nullopt;
  TRY(auto who, repository_.Identity());
  git::NewCommit commit;
  commit.author = who;
  commit.message = fmt::format("probe {}\n", RandomHex(32));
  TRY(auto written, repository_.WriteCommit(commit));
  TRY(auto pushed, git::PushWithLease(repository_, settings_.remote, ref, written, old));
  if (pushed.accepted) {
    // Where refs may not be taken away, it stays and does no harm.
    TRY(git::DeleteWithLease(repository_, settings_.remote, ref, written));
    return Done{};
  }
  TRY(auto now, git::ListRemote(repository_, settings_.remote, {ref}));
  const std::optional<git::Oid> there =
      now.contains(ref) ? std::optional(now.at(ref)) : std::nullopt;
  if (there != old) return Done{};  // another probe was quicker: so refs there can be moved
  return Error{Exit::Environment,
               fmt::format("remote {} refuses {}{}:\n{}", settings_.remote, ref,
                           pushed.reason.empty() ? "" : fmt::format(" ({})", pushed.reason),
                           git::LastLines(pushed.talk)),
               !MirrorFix().empty() ? MirrorFix()
               : snapshot.tip
                   ? fmt::format("ask for the right to push {}, or set `reservation: optional`",
                                 settings_.ref)
                   : fmt::format("a host that takes branches only: `ledger: {}` in .revctl.yaml",
                                 config::kBranchLedger)};
}

}  // namespace revctl::ledger
