// Fetches the remote's ledger, and checks whether this clone may write to it.
#include "revctl/git/remote.h"
#include "revctl/base/shell_word.h"
#include "revctl/ledger/ledger.h"

#include <fmt/core.h>

namespace revctl::ledger {
Error Ledger::Missing(bool has_seen) const {
  const std::string where = HasRemote() ? "remote " + settings_.remote : "this repository";
  const std::string what =
      fmt::format("{} has no ledger ({}), although .revctl.yaml expects one with the id {}", where,
                  settings_.ref, settings_.id.substr(0, 12));
  if (!HasRemote())
    return {Exit::Environment, what,
            "git remote add origin URL; if there is no server, run revctl doctor --repair-ledger"};
  if (has_seen)
    return {Exit::Environment, what + ": it was deleted, for example by `git push --mirror`",
            "revctl doctor --repair-ledger"};
  return {
      Exit::Environment,
      what + ": it is still in the clone that created it, or was deleted before this clone saw it",
      "in the clone that has reserved numbers: revctl doctor --repair-ledger"};
}

Result<Done> Ledger::NothingForgotten() const {
  TRY(auto copies, repository_.Refs(kCopiesOfLedgers));
  for (const auto& [ref, tip] : copies) {
    if (!ref.ends_with(kCopyOfLedger)) continue;
    const std::string remote = ref.substr(
        kCopiesOfLedgers.size(), ref.size() - kCopiesOfLedgers.size() - kCopyOfLedger.size());
    return Error{
        Exit::Environment,
        fmt::format("the ledger is on remote {}, which is no longer configured in this clone; a "
                    "second ledger here would assign the same numbers again",
                    remote),
        fmt::format("git remote add {} URL; if that server no longer exists, use the last fetched "
                    "copy as this clone's ledger: git update-ref {} {}",
                    base::ShellWord(remote), base::ShellWord(settings_.ref), base::ShellWord(ref))};
  }
  return Done{};
}

Result<Snapshot> Ledger::Refresh(bool may_be_missing) {
  if (settings_.missing) return *settings_.missing;
  if (!HasRemote()) {
    auto snapshot = Cached();
    if (!snapshot.ok() || snapshot->tip) return snapshot;
    TRY(NothingForgotten());
    if (!settings_.id.empty() && !may_be_missing) return Missing(false);
    return snapshot;
  }
  TRY(auto fetched, git::Fetch(repository_, settings_.remote,
                               {{"refs/heads/" + settings_.target, TargetRef(), true},
                                {settings_.ref, CacheRef(), false}}));
  if (fetched.ok) return Cached();
  return RefreshSlowly(may_be_missing);
}

/// Fetches the refs one by one if fetching them together has failed. Asks the remote which ref is
/// missing, because git's error messages are not a stable interface.
Result<Snapshot> Ledger::RefreshSlowly(bool may_be_missing) {
  const std::string target = "refs/heads/" + settings_.target;
  TRY(auto listed, git::ListRemote(repository_, settings_.remote, {target, settings_.ref}));
  std::optional<git::Oid> target_tip;
  if (listed.contains(target)) {
    TRY(auto fetched, git::Fetch(repository_, settings_.remote, {{target, TargetRef(), true}}));
    if (!fetched.ok) {
      return Error{Exit::Environment,
                   fmt::format("cannot fetch from remote {}:\n{}", settings_.remote,
                               git::LastLines(fetched.talk)),
                   ""};
    }
    TRY(auto resolved, repository_.Resolve(TargetRef()));
    target_tip = std::move(resolved);
  }
  if (!listed.contains(settings_.ref)) {
    TRY(auto cached, repository_.Resolve(CacheRef()));
    TRY(auto local, FindLocal());
    // Use the clone's own ledger. The next event will move it to the remote.
    if (!cached && local) return Read(std::move(local->tip), std::move(target_tip));
    if ((!settings_.id.empty() || cached.has_value()) && !may_be_missing)
      return Missing(cached.has_value());
    return Read(std::nullopt, std::move(target_tip));
  }
  TRY(FetchLedger(listed.at(settings_.ref)));
  TRY(auto tip, repository_.Resolve(CacheRef()));
  return Read(std::move(tip), std::move(target_tip));
}

Result<git::Oid> Ledger::FetchAside() const {
  const std::string aside = "refs/revctl/incoming/" + RandomHex(16);
  TRY(auto fetched, git::Fetch(repository_, settings_.remote, {{settings_.ref, aside, true}}));
  auto tip = repository_.Resolve(aside);
  TRY(repository_.DeleteRef(aside));
  if (!tip.ok()) return tip.error();
  if (fetched.ok && *tip) return **tip;
  return Error{Exit::Environment,
               fmt::format("cannot fetch the ledger from remote {}:\n{}", settings_.remote,
                           git::LastLines(fetched.talk)),
               fmt::format("check that git ls-remote {} works, then try again",
                           base::ShellWord(settings_.remote))};
}

Result<Done> Ledger::FetchLedger(const git::Oid& remote_tip) {
  TRY(auto fetched,
      git::Fetch(repository_, settings_.remote, {{settings_.ref, CacheRef(), false}}));
  if (fetched.ok) return Done{};
  // Either another process in this clone holds the ref's lock, or somebody rewrote the chain.
  TRY(const auto tip, FetchAside());
  TRY(const auto cached, repository_.Resolve(CacheRef()));
  if (!cached || *cached == tip) return Done{};
  TRY(auto descends, repository_.IsAncestor(*cached, tip));
  if (descends) {
    TRY(repository_.UpdateRef(CacheRef(), tip, cached));
    return Done{};
  }
  auto newer_here = repository_.IsAncestor(tip, *cached);
  if (newer_here.ok() && *newer_here) {
    // Either the remote's ref was reset to an older commit, or another process in this clone
    // fetched first. Query the remote again to find out.
    TRY(auto again, git::ListRemote(repository_, settings_.remote, {settings_.ref}));
    if (again.contains(settings_.ref) && again.at(settings_.ref) == *cached) return Done{};
  }
  return Error{Exit::Environment,
               fmt::format("the ledger of remote {} ({}) was rewritten: it does not descend from "
                           "the last known state ({})",
                           settings_.remote, remote_tip.substr(0, 10), cached->substr(0, 10)),
               "revctl doctor --repair-ledger"};
}

/// Checks whether the remote accepts the ledger's ref, because some hosts accept only branches and
/// tags, and some users have only read access. Only a real push can show this, because `push
/// --dry-run` does not run hooks. Therefore, this function pushes a ref next to the ledger and then
/// deletes it.
Result<Done> Ledger::Probe(const Snapshot& snapshot) {
  if (!HasRemote() || settings_.missing || settings_.ref.starts_with("refs/heads/")) return Done{};
  const std::string ref = settings_.ref.substr(0, settings_.ref.rfind('/')) + "/probe";
  // The ref already exists if an earlier probe was killed or was not allowed to delete it.
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
    // If the server forbids deleting refs, the ref stays, which is harmless.
    TRY(git::DeleteWithLease(repository_, settings_.remote, ref, written));
    return Done{};
  }
  TRY(auto now, git::ListRemote(repository_, settings_.remote, {ref}));
  const std::optional<git::Oid> there =
      now.contains(ref) ? std::optional(now.at(ref)) : std::nullopt;
  // another probe moved the ref first, so the remote accepts such refs
  if (there != old) return Done{};
  return RejectedLedger(ref, pushed, !snapshot.tip);
}

}  // namespace revctl::ledger
