// A ledger that was deleted, rewound, rewritten or damaged comes back from the longest sound chain that this clone knows.
#include <algorithm>

#include "revctl/git/remote.h"
#include "revctl/ledger/ledger.h"

namespace revctl::ledger {
namespace {

using findings::Error;
using findings::Exit;
using findings::Result;

/// One chain that could be the ledger.
struct Candidate {
  git::Oid tip;
  std::string where;
  std::size_t length = 0;
  State state;
};

}  // namespace

Result<std::string> Ledger::Repair() {
  // 1. What the remote has now, kept beside the local copy.
  std::optional<git::Oid> remote_tip;
  const std::string incoming = "refs/revctl/incoming/" + RandomHex(16);
  if (HasRemote()) {
    auto listed = git::ListRemote(repository_, settings_.remote, {settings_.ref});
    if (!listed.ok()) return listed.error();
    if (listed->contains(settings_.ref)) {
      remote_tip = listed->at(settings_.ref);
      auto fetched = git::Fetch(repository_, settings_.remote, {{settings_.ref, incoming, true}});
      if (!fetched.ok()) return fetched.error();
    }
  }

  // 2. Every chain under a name of ours, as far as it is sound: a damaged newest commit does not spoil those below it.
  std::vector<Candidate> candidates;
  std::vector<std::pair<std::string, git::Oid>> refs;
  auto own = repository_.Refs("refs/revctl/");
  if (!own.ok()) return own.error();
  refs = std::move(*own);
  for (const std::string& name : {settings_.ref, CacheRef()}) {
    auto tip = repository_.Resolve(name);
    if (tip.ok() && *tip) refs.emplace_back(name, **tip);
  }
  for (const auto& [name, id] : refs) {
    std::optional<git::Oid> at = id;
    std::optional<Candidate> best;
    while (at) {
      auto commit = repository_.ReadCommit(*at);
      if (!commit.ok()) break;
      const bool is_event = ParseEvent(commit->message).has_value();
      auto snapshot = is_event && !best ? Read(*at, std::nullopt) : Result<Snapshot>(Snapshot{});
      if (!is_event || !snapshot.ok()) {
        best.reset();
      } else if (!best) {
        best = Candidate{*at, name, 0, snapshot->state};
      }
      if (best) ++best->length;
      at = commit->parents.empty() ? std::nullopt : std::optional<git::Oid>(commit->parents[0]);
    }
    if (best) candidates.push_back(std::move(*best));
  }
  auto cleaned = repository_.DeleteRef(incoming);
  if (!cleaned.ok()) return cleaned.error();

  // 3. The longest wins; numbers given in any of them stay given.
  State state;
  std::optional<git::Oid> parent;
  std::string where = "nothing known: begun anew";
  std::size_t length = 0;
  for (const Candidate& candidate : candidates) {
    if (candidate.length <= length) continue;
    length = candidate.length;
    parent = candidate.tip;
    state = candidate.state;
    where = candidate.where == incoming ? "the remote's own" : candidate.where;
  }
  for (const Candidate& other : candidates) {
    for (const auto& [name, list] : other.state.lists) {
      ListState& mine = state.lists[name];
      if (list.high_water) mine.high_water = std::max(mine.high_water.value_or(*list.high_water), *list.high_water);
      for (const Reservation& reservation : list.open) {
        const bool known = std::any_of(mine.open.begin(), mine.open.end(), [&](const Reservation& r) {
          return r.name == reservation.name || r.number == reservation.number;
        });
        if (!known) mine.Give(reservation.name, reservation.number, reservation.who);
      }
    }
  }

  // 4. One more event on top, moved into place by compare-and-swap like any other.
  auto written = Write({parent, std::nullopt, {}}, {state, {Event::Kind::Create, "", {}, "repaired from " + where}});
  if (!written.ok()) return written.error();
  if (HasRemote()) {
    auto pushed = git::PushWithLease(repository_, settings_.remote, settings_.ref, *written, remote_tip);
    if (!pushed.ok()) return pushed.error();
    if (!pushed->accepted) {
      return Error{Exit::Environment, "remote " + settings_.remote + " refuses the repaired ledger:\n" + git::Talk(pushed->talk),
                   "where the server runs `revctl pre-receive`, its administrator repairs it there"};
    }
  }
  auto old = repository_.Resolve(CacheRef());
  if (!old.ok()) return old.error();
  auto moved = repository_.UpdateRef(CacheRef(), *written, *old);
  if (!moved.ok()) return moved.error();
  return "ledger " + settings_.ref + " repaired from " + where + " (" + std::to_string(length) + " events kept)";
}

}  // namespace revctl::ledger
