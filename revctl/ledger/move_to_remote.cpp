// Moves a ledger that a clone started before it had a remote.
#include <fmt/core.h>
#include <chrono>

#include "revctl/config/config.h"
#include "revctl/git/remote.h"
#include "revctl/ledger/chain.h"
#include "revctl/ledger/ledger.h"

namespace revctl::ledger {
namespace {

/// Returns the open reservations of `from` that are missing from `to`, such as "SR_BOSS (3), SR_ANT
/// (4)".
std::string Lost(const State& from, const State& to) {
  std::string out;
  for (const auto& [name, list] : from.lists) {
    const auto there = to.lists.find(name);
    for (const Reservation& one : list.open) {
      const Reservation* kept = there == to.lists.end() ? nullptr : there->second.Find(one.name);
      if (kept == nullptr || kept->number != one.number)
        out += fmt::format("{}{} ({})", out.empty() ? "" : ", ", one.name, one.number);
    }
  }
  return out;
}

std::size_t Reserved(const State& state) {
  std::size_t out = 0;
  for (const auto& [name, list] : state.lists) out += list.open.size();
  return out;
}

}  // namespace

Result<std::optional<Ledger::LocalLedger>> Ledger::FindLocal() const {
  const std::optional<LocalLedger> none;
  if (!HasRemote()) return none;
  // Also check the default ref, because a team whose host accepts only branches may have changed
  // `ledger` in .revctl.yaml after this clone started its ledger.
  for (const std::string& ref : {settings_.ref, std::string(config::kDefaultLedger)}) {
    TRY(auto tip, repository_.Resolve(ref));
    if (tip) return std::optional(LocalLedger{ref, std::move(*tip)});
  }
  return none;
}

Result<bool> Ledger::HasUnmovedNumbers() const {
  TRY(const auto local, FindLocal());
  if (!local || settings_.missing) return false;
  const auto own = ReadLastValid(repository_, local->tip);
  if (!own.ok()) return false;  // not a ledger, so it may be somebody's work
  TRY(const auto there, repository_.Resolve(CacheRef()));
  if (!there) return settings_.id.empty() || own->state.id == settings_.id;
  TRY(const bool known, repository_.IsAncestor(local->tip, *there));
  return !known;
}

Result<Done> Ledger::Forget(const LocalLedger& local) {
  // Do not delete a branch, because it may be checked out. From now on, it is only a copy of the
  // remote's ledger.
  if (local.ref.starts_with("refs/heads/")) return Done{};
  return repository_.DeleteRef(local.ref);
}

Result<std::string> Ledger::MoveToRemote() {
  const std::string nothing;
  if (settings_.missing) return nothing;
  TRY(const auto local, FindLocal());
  if (!local) return nothing;
  const auto own = ReadLastValid(repository_, local->tip);
  if (!own.ok()) return nothing;  // not a ledger, so it may be somebody's work
  const auto begin = std::chrono::steady_clock::now();
  std::optional<git::Oid> last;
  git::PushReport refusal;
  int unmoved = 0;  // consecutive failed pushes during which the ref did not move
  for (int attempt = 0;; ++attempt) {
    TRY(auto there, repository_.Resolve(CacheRef()));
    if (there) {
      TRY(const bool known, repository_.IsAncestor(local->tip, *there));
      if (known) {
        TRY(Forget(*local));
        return nothing;
      }
    }
    TRY(const Snapshot snapshot, Refresh(true));
    TRY(there, repository_.Resolve(CacheRef()));
    if (there && snapshot.tip != there) return nothing;  // the remote has lost its ledger
    unmoved = attempt > 0 && there == last ? unmoved + 1 : 0;
    if (unmoved > 0 && (!git::IsRace(refusal.reason) || !git::WaitForLock(unmoved - 1)))
      return Refused(there ? snapshot : Snapshot{}, refusal);
    if (git::IsRaceLost(std::chrono::steady_clock::now() - begin, attempt,
                        std::chrono::minutes(10)))
      break;
    last = there;
    git::Oid moved = local->tip;
    State state = own->state;
    if (there) {
      state = snapshot.state;
      AddNumbersOf(own->state, snapshot.state, state);
      if (FormatState(state) == FormatState(snapshot.state)) {
        TRY(Forget(*local));
        return LeftBehind(own->state, state);
      }
      TRY(moved, Write(snapshot, {state, {Event::Kind::Create, "", {}, "joined by a clone"}}));
    } else if (!settings_.id.empty() && own->state.id != settings_.id) {
      return nothing;  // the local ledger belongs to another project
    }
    TRY(refusal, git::PushWithLease(repository_, settings_.remote, settings_.ref, moved, there));
    if (!refusal.accepted) continue;
    TRY(repository_.UpdateRef(CacheRef(), moved, there));
    TRY(Forget(*local));
    if (there) return LeftBehind(own->state, state);
    const std::size_t reserved = Reserved(own->state);
    return fmt::format("this clone's ledger is now on {}, with {} reserved {}", settings_.remote,
                       reserved, reserved == 1 ? "number" : "numbers");
  }
  return Error{Exit::LostRace,
               fmt::format("lost the push race for {} on {}", settings_.ref, settings_.remote),
               "try again"};
}

std::string Ledger::LeftBehind(const State& own, const State& state) const {
  const std::string lost = Lost(own, state);
  return fmt::format(
      "merged this clone's ledger into the ledger on {}{}", settings_.remote,
      lost.empty()
          ? ""
          : fmt::format(", where the numbers of {} are already taken; run revctl fix to get new "
                        "numbers",
                        lost));
}

}  // namespace revctl::ledger
