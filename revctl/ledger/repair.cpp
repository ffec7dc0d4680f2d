// A ledger that was deleted, rewound, rewritten or damaged comes back from the longest sound chain
// that this clone knows.
#include <fmt/core.h>
#include <algorithm>
#include <set>

#include "revctl/base/shell_word.h"
#include "revctl/git/remote.h"
#include "revctl/ledger/contradiction.h"
#include "revctl/ledger/ledger.h"
#include "revctl/ledger/sound.h"

namespace revctl::ledger {
namespace {

/// One chain that could be the ledger.
struct Candidate {
  git::Oid tip;
  std::string where;
  std::size_t length = 0;
  State state;
  std::optional<git::Oid> before_ruin = std::nullopt;  ///< numbers were carried off above it
  std::optional<git::Oid> parent = std::nullopt;       ///< what a repair stands on, if not `tip`
};

/// Whatever `other` has given is given in `state`, too.
void TakeOver(const State& other, State& state) {
  for (const auto& [name, list] : other.lists) {
    ListState& mine = state.lists[name];
    if (list.high_water)
      mine.high_water = std::max(mine.high_water.value_or(*list.high_water), *list.high_water);
    std::set<std::string> names;
    std::set<std::int64_t> numbers;
    for (const Reservation& reservation : mine.open) {
      names.insert(reservation.name);
      numbers.insert(reservation.number);
    }
    std::vector<Reservation> more;
    for (const Reservation& reservation : list.open) {
      if (!names.contains(reservation.name) && !numbers.contains(reservation.number))
        more.push_back(reservation);
    }
    mine.GiveAll(more);
  }
}

/// The chain from `tip` as far as it is sound: what damaged or ruined it does not spoil what is
/// below. Ruined is a ledger whose numbers were carried off: with those back, no revision could be
/// reserved any more. `known`: numbers that branches have; whatever stands there was meant.
/// nullopt: no ledger.
std::optional<Candidate> SoundChain(const git::Repository& repository, const git::Oid& tip,
                                    const std::string& where, const State& known) {
  std::vector<std::pair<git::Oid, std::optional<Event>>> chain;
  for (std::optional<git::Oid> at = tip; at;) {
    auto commit = repository.ReadCommit(*at);
    if (!commit.ok()) break;
    chain.emplace_back(*at, ParseEvent(commit->message));
    at = commit->parents.empty() ? std::nullopt : std::optional<git::Oid>(commit->parents[0]);
  }
  ChainCheck all(&known);
  std::size_t length = 0, sound = 0;
  for (auto at = chain.rbegin(); at != chain.rend(); ++at) {
    ++length;
    all.Add(at->first, at->second, ReadState(repository, at->first));
    if (all.sound() && all.sound()->commit == at->first) sound = length;
  }
  if (!all.sound()) return std::nullopt;
  return Candidate{all.sound()->commit, where, sound, all.sound()->state, all.before_ruin()};
}

Error NoLedgerThere(const std::string& place, const std::string& ref, const git::Oid& tip) {
  return {Exit::Environment,
          fmt::format("{} has commit {} at {}, which is no ledger: it may be a person's work, and "
                      "is not overwritten",
                      place, tip.substr(0, 10), ref),
          fmt::format("move that work to a branch, delete {} there, revctl doctor --repair-ledger",
                      ref)};
}

}  // namespace

Result<std::string> Ledger::Repair(const RepairOptions& options) {
  if (settings_.missing) return *settings_.missing;
  if (!HasRemote() && !options.local) {
    TRY(auto own, repository_.Resolve(settings_.ref));
    TRY(own ? Result<Done>(Done{}) : NothingForgotten());
  }

  // 1. What stands where the ledger belongs. Of a remote, it is kept beside the local copy.
  std::optional<git::Oid> present;
  const std::string incoming = "refs/revctl/incoming/" + RandomHex(16);
  if (HasRemote()) {
    TRY(auto listed, git::ListRemote(repository_, settings_.remote, {settings_.ref}));
    if (listed.contains(settings_.ref)) {
      TRY(auto fetched,
          git::Fetch(repository_, settings_.remote, {{settings_.ref, incoming, true}}));
      if (!fetched.ok) {
        return Error{
            Exit::Environment,
            fmt::format("the ledger of remote {} cannot be fetched:\n{}", settings_.remote,
                        git::LastLines(fetched.talk)),
            fmt::format("git ls-remote {}, then again", base::ShellWord(settings_.remote))};
      }
      TRY(auto tip, repository_.Resolve(incoming));
      present = tip;
    }
  } else {
    TRY(auto own, repository_.Resolve(settings_.ref));
    present = own;
  }

  // 2. Every chain under a name of ours. One of another id cannot win, but what it gave while it
  // stood there was given.
  TRY(auto refs, repository_.Refs("refs/revctl/"));
  for (const std::string& name : {settings_.ref, CacheRef()}) {
    auto tip = repository_.Resolve(name);
    if (tip.ok() && *tip) refs.emplace_back(name, **tip);
  }
  std::vector<Candidate> candidates;
  State others = options.floor;
  bool present_is_ledger = !present;
  for (const auto& [name, id] : refs) {
    auto chain =
        SoundChain(repository_, id, name == incoming ? "the remote's own" : name, options.floor);
    if (!chain) continue;
    if (id == present) {
      present_is_ledger = true;
      // Behind a bad commit on top the chain goes on from there: a guarded server takes that, too.
      if (!chain->before_ruin) chain->parent = id;
    }
    if (settings_.id.empty() || chain->state.id == settings_.id) {
      candidates.push_back(std::move(*chain));
    } else if (id == present) {
      TakeOver(chain->state, others);
    }
  }
  TRY(repository_.DeleteRef(incoming));
  const std::string place = HasRemote() ? "remote " + settings_.remote : "this repository";
  if (!present_is_ledger) return NoLedgerThere(place, settings_.ref, *present);

  // 3. The longest wins; numbers given in any of them stay given.
  const auto longest =
      std::max_element(candidates.begin(), candidates.end(),
                       [](const Candidate& a, const Candidate& b) { return a.length < b.length; });
  if (longest == candidates.end() && !options.begin_anew) {
    if (settings_.id.empty()) {
      // What this clone remembers is no ledger, either: it must not keep one from being begun.
      TRY(repository_.DeleteRef(CacheRef()));
      return Error{Exit::Environment,
                   "there is no ledger yet, and .revctl.yaml names none: nothing to repair",
                   "revctl reserve NAME begins one"};
    }
    return Error{Exit::Environment,
                 fmt::format("the ledger {} is known neither to {} nor to this clone",
                             settings_.id.substr(0, 12), place),
                 "revctl doctor --repair-ledger in a clone that has reserved; where none is left: "
                 "revctl doctor --repair-ledger --begin-anew"};
  }
  State state;
  std::optional<git::Oid> parent;
  std::string where = "nothing: begun anew";
  std::size_t length = 0;
  if (longest != candidates.end()) {
    state = longest->state;
    // A chain that goes on above a ruin would lead back, which no reader believes.
    parent = longest->before_ruin ? longest->before_ruin
             : longest->parent    ? longest->parent
                                  : longest->tip;
    where = longest->where;
    length = longest->length;
  }
  for (const Candidate& candidate : candidates) TakeOver(candidate.state, state);
  TakeOver(others, state);

  // 4. One more event on top, moved into place by compare-and-swap like any other.
  TRY(auto written, Write({parent, std::nullopt, {}},
                          {state, {Event::Kind::Create, "", {}, "repaired from " + where}}));
  if (HasRemote()) {
    auto pushed =
        git::PushWithLease(repository_, settings_.remote, settings_.ref, written, present);
    if (!pushed.ok()) return pushed.error();
    if (!pushed->accepted) {
      return Error{
          Exit::Environment,
          fmt::format("remote {} refuses the repaired ledger:\n{}", settings_.remote,
                      git::LastLines(pushed->talk)),
          "where the server runs `revctl pre-receive`, its administrator repairs it there"};
    }
  }
  TRY(auto old, repository_.Resolve(CacheRef()));
  TRY(repository_.UpdateRef(CacheRef(), written, old));
  return fmt::format("ledger {} repaired from {} ({} events kept)", settings_.ref, where, length);
}

}  // namespace revctl::ledger
