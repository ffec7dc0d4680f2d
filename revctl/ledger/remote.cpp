// What the remote has of a ledger, and what this clone remembers of it.
#include "revctl/base/shell_word.h"
#include "revctl/git/remote.h"
#include "revctl/ledger/ledger.h"

#include <fmt/core.h>

namespace revctl::ledger {
namespace {

std::string Abbreviated(const git::Oid& id) { return id.substr(0, 10); }

}  // namespace

Error Ledger::Missing() const {
  const std::string where = HasRemote() ? "remote " + settings_.remote : "this repository";
  return {Exit::Environment,
          fmt::format("{} has no ledger ({}) though .revctl.yaml names {}: it was deleted, as `git "
                      "push --mirror` does, or never pushed",
                      where, settings_.ref, settings_.id.substr(0, 12)),
          "revctl doctor --repair-ledger"};
}

Result<Done> Ledger::NothingForgotten() const {
  TRY(auto copies, repository_.Refs(kCopiesOfLedgers));
  for (const auto& [ref, tip] : copies) {
    if (!ref.ends_with(kCopyOfLedger)) continue;
    const std::string remote = ref.substr(
        kCopiesOfLedgers.size(), ref.size() - kCopiesOfLedgers.size() - kCopyOfLedger.size());
    return Error{Exit::Environment,
                 fmt::format("the ledger is on remote {}, which this clone has no more: a ledger "
                             "here would give numbers twice",
                             remote),
                 fmt::format("git remote add {} URL; where it is gone for good: revctl doctor "
                             "--repair-ledger --local",
                             base::ShellWord(remote))};
  }
  return Done{};
}

Result<Snapshot> Ledger::Refresh(bool may_be_missing) {
  if (settings_.missing) return *settings_.missing;
  TRY(const auto seen, HasRemote() ? repository_.Resolve(CacheRef())
                                   : Result<std::optional<git::Oid>>(std::nullopt));
  auto now = Ask(may_be_missing);
  if (!HasRemote()) return now;
  if (now.ok()) {
    TRY(Remember(*now));
    return now;
  }
  // Remembered as it was: the next command has to say so, too, and no ledger descends from what is
  // none.
  TRY(const auto fetched, repository_.Resolve(CacheRef()));
  if (!fetched || fetched == seen || !Read(seen, std::nullopt).ok()) return now;
  TRY(seen ? repository_.UpdateRef(CacheRef(), *seen, fetched)
           : Result<bool>(repository_.DeleteRef(CacheRef()).ok()));
  return now;
}

Result<Done> Ledger::Remember(const Snapshot& now) {
  if (!HasRemote() || !now.tip || !now.unsound.empty()) return Done{};
  TRY(const auto old, repository_.Resolve(CheckedRef()));
  // `false`: another process of this clone has judged more.
  if (old != now.tip) TRY(repository_.UpdateRef(CheckedRef(), *now.tip, old));
  return Done{};
}

Result<Snapshot> Ledger::Ask(bool may_be_missing) {
  if (!HasRemote()) {
    auto snapshot = Cached();
    if (!snapshot.ok() || snapshot->tip) return snapshot;
    TRY(NothingForgotten());
    if (!settings_.id.empty() && !may_be_missing) return Missing();
    return snapshot;
  }
  TRY(auto fetched, git::Fetch(repository_, settings_.remote,
                               {{"refs/heads/" + settings_.target, TargetRef(), true},
                                {settings_.ref, CacheRef(), false}}));
  if (fetched.ok) return Cached();
  return RefreshSlowly(may_be_missing, fetched.talk);
}

/// The one fetch failed. Which of the two refs is missing or moved is asked, not read from what git
/// said.
Result<Snapshot> Ledger::RefreshSlowly(bool may_be_missing, const std::string& talk) {
  const std::string target = "refs/heads/" + settings_.target;
  TRY(auto listed, git::ListRemote(repository_, settings_.remote, {target, settings_.ref}));
  std::optional<git::Oid> target_tip;
  if (listed.contains(target)) {
    TRY(auto fetched, git::Fetch(repository_, settings_.remote, {{target, TargetRef(), true}}));
    if (!fetched.ok) {
      return Error{Exit::Environment,
                   fmt::format("remote {} cannot be fetched:\n{}", settings_.remote,
                               git::LastLines(fetched.talk)),
                   ""};
    }
    TRY(auto resolved, repository_.Resolve(TargetRef()));
    target_tip = std::move(resolved);
  }
  if (!listed.contains(settings_.ref)) {
    TRY(auto cached, repository_.Resolve(CacheRef()));
    if ((!settings_.id.empty() || cached.has_value()) && !may_be_missing) return Missing();
    return Read(std::nullopt, std::move(target_tip));
  }
  auto fetched = FetchLedger(listed.at(settings_.ref));
  if (!fetched.ok()) {
    if (!talk.empty() && fetched.error().fix.empty())
      fetched.error().message += "\n" + git::LastLines(talk);
    return fetched.error();
  }
  TRY(auto tip, repository_.Resolve(CacheRef()));
  return Read(std::move(tip), std::move(target_tip));
}

Result<Done> Ledger::FetchLedger(const git::Oid& remote_tip) {
  TRY(auto fetched,
      git::Fetch(repository_, settings_.remote, {{settings_.ref, CacheRef(), false}}));
  if (fetched.ok) return Done{};
  // Another process of this clone may hold the ref's lock, or the chain was rewritten: look at it
  // beside the local copy.
  const std::string incoming = "refs/revctl/incoming/" + RandomHex(16);
  TRY(auto beside, git::Fetch(repository_, settings_.remote, {{settings_.ref, incoming, true}}));
  auto tip = repository_.Resolve(incoming);
  auto cached = repository_.Resolve(CacheRef());
  auto verdict = [&]() -> Result<Done> {
    if (!tip.ok()) return tip.error();
    if (!cached.ok()) return cached.error();
    if (!beside.ok || !*tip) {
      return Error{Exit::Environment,
                   fmt::format("the ledger of remote {} cannot be fetched:\n{}", settings_.remote,
                               git::LastLines(beside.talk)),
                   ""};
    }
    if (!*cached || **cached == **tip) return Done{};
    TRY(auto descends, repository_.IsAncestor(**cached, **tip));
    if (!descends) {
      auto newer_here = repository_.IsAncestor(**tip, **cached);
      if (newer_here.ok() && *newer_here) {
        // The remote went back to an older state, or another fetch of this clone was faster; only
        // asking again can tell.
        TRY(auto again, git::ListRemote(repository_, settings_.remote, {settings_.ref}));
        if (again.contains(settings_.ref) && again.at(settings_.ref) == **cached) return Done{};
      }
      return Error{Exit::Environment,
                   fmt::format("the ledger of remote {} ({}) does not descend from the one seen "
                               "before ({}): it was rewritten",
                               settings_.remote, Abbreviated(remote_tip), Abbreviated(**cached)),
                   "revctl doctor --repair-ledger"};
    }
    TRY(repository_.UpdateRef(CacheRef(), **tip, *cached));
    return Done{};
  }();
  auto deleted = repository_.DeleteRef(incoming);
  if (verdict.ok() && !deleted.ok()) return deleted.error();
  return verdict;
}

}  // namespace revctl::ledger
