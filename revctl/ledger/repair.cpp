// Rebuilds a ledger that was deleted, rewritten, damaged or reset to an older commit.
#include <fmt/core.h>

#include "revctl/git/remote.h"
#include "revctl/ledger/chain.h"
#include "revctl/ledger/ledger.h"

namespace revctl::ledger {
namespace {

/// A ledger that a repair may build on.
struct Candidate {
  git::Oid tip;
  State state;  ///< state at the last valid commit
  std::string where;
};

Error NoLedgerThere(const std::string& place, const std::string& ref, const git::Oid& tip) {
  return {Exit::Environment,
          fmt::format("{} has commit {} at {}, which is not a ledger; revctl will not overwrite "
                      "it, because it may be someone's work",
                      place, tip.substr(0, 10), ref),
          fmt::format(
              "move that work to a branch, delete {} there, then run revctl doctor --repair-ledger",
              ref)};
}

/// Returns the candidate that the repair builds on: the first one with the id `id`, or the first
/// one of all if `id` is empty. Prefers a later candidate if its tip descends from the first
/// candidate's tip, which means that the first ledger was reset to an older commit. Also prefers a
/// later candidate if its numbers are too far above the first candidate's for a single jump.
/// Returns null if no candidate has the id.
Result<const Candidate*> Base(const git::Repository& repository, const std::string& id,
                              const std::vector<Candidate>& candidates) {
  const Candidate* base = nullptr;
  for (const Candidate& candidate : candidates) {
    if (!id.empty() && candidate.state.id != id) continue;
    bool better = base == nullptr || JumpsTooFar(base->state, candidate.state);
    if (!better && base->tip != candidate.tip) {
      TRY(better, repository.IsAncestor(base->tip, candidate.tip));
    }
    if (better) base = &candidate;
  }
  return base;
}

}  // namespace

Result<std::string> Ledger::Repair(const State& known, bool from_lists_alone) {
  if (settings_.missing) return *settings_.missing;
  const std::string place = HasRemote() ? "remote " + settings_.remote : "this repository";
  TRY(const auto own, repository_.Resolve(settings_.ref));
  TRY(const auto copy, repository_.Resolve(CacheRef()));
  std::optional<git::Oid> present = own;
  if (HasRemote()) {
    TRY(auto listed, git::ListRemote(repository_, settings_.remote, {settings_.ref}));
    present.reset();
    if (listed.contains(settings_.ref)) {
      TRY(present, FetchAside());
    }
  } else if (!own) {
    TRY(NothingForgotten());
  }

  // `own` is the project's ledger if the project started without a remote.
  std::vector<Candidate> candidates;
  for (const auto& [tip, where] :
       {std::pair(present, place), std::pair(copy, CacheRef()), std::pair(own, settings_.ref)}) {
    if (!tip) continue;
    auto valid = ReadLastValid(repository_, *tip);
    if (valid.ok()) candidates.push_back({*tip, std::move(valid->state), where});
    else if (tip == present) return NoLedgerThere(place, settings_.ref, *tip);
  }
  TRY(const Candidate* const base, Base(repository_, settings_.id, candidates));
  if (base == nullptr && settings_.id.empty()) {
    // Delete the local copy if it is not a ledger, because it would prevent the creation of a new
    // ledger.
    TRY(repository_.DeleteRef(CacheRef()));
    return Error{
        Exit::Environment,
        "nothing to repair, because there is no ledger yet and .revctl.yaml has no `ledger_id`",
        "to create one: revctl reserve NAME"};
  }

  if (base == nullptr && !from_lists_alone)
    return Error{
        Exit::Findings,
        fmt::format("{} does not have the ledger {}{}; a ledger rebuilt from the lists alone would "
                    "not know abandoned or unpushed numbers, and could assign them again",
                    place, settings_.id.substr(0, 12),
                    HasRemote() ? ", and neither does this clone" : ""),
        "in the clone that has reserved numbers: revctl doctor --repair-ledger; if no clone has "
        "the ledger: revctl doctor --repair-ledger --yes"};

  Snapshot before;
  if (base != nullptr) {
    before.tip = base->tip;
    before.state = base->state;
  }
  State state = before.state;
  for (const Candidate& candidate : candidates) AddNumbersOf(candidate.state, before.state, state);
  AddNumbersOf(known, before.state, state);
  const std::string from = base != nullptr ? base->where : "the lists on branches";
  TRY(auto written, Write(before, {state, {Event::Kind::Create, "", {}, "repaired from " + from}}));

  if (HasRemote()) {
    TRY(auto pushed,
        git::PushWithLease(repository_, settings_.remote, settings_.ref, written, present));
    if (!pushed.accepted && git::IsRace(pushed.reason)) {
      TRY(const auto now, git::ListRemote(repository_, settings_.remote, {settings_.ref}));
      const auto there = now.find(settings_.ref);
      if (present == (there == now.end() ? std::nullopt : std::optional(there->second)))
        return git::LockedOnServer(settings_.remote, settings_.ref, pushed);
    }
    if (!pushed.accepted)
      return Error{Exit::Environment,
                   fmt::format("remote {} rejected the repaired ledger:\n{}", settings_.remote,
                               git::LastLines(pushed.talk)),
                   "if the server runs `revctl pre-receive`, ask its administrator to repair the "
                   "ledger there"};
  }
  TRY(const bool moved, repository_.UpdateRef(CacheRef(), written, copy));
  if (!moved && !HasRemote())
    return Error{Exit::LostRace, "another process updated the ledger in the meantime", "try again"};
  std::string done = fmt::format("ledger {} repaired from {}", settings_.ref, from);
  if (base == nullptr)
    done += fmt::format(
        ", because neither {} nor this clone had it; repeat the repair in every clone that has "
        "reserved numbers",
        place);
  return done;
}

}  // namespace revctl::ledger
