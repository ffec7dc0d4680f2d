#include "revctl/server/ledger_update.h"

#include <fmt/core.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <memory>
#include <set>

#include "revctl/ledger/contradiction.h"
#include "revctl/ledger/ledger.h"
#include "revctl/ledger/sound.h"
#include "revctl/list/revision_list.h"

namespace revctl::commands {
namespace {

using findings::Finding;
using findings::Severity;

/// Of one push, since each event is compared with all lists and all that is reserved. A ledger that
/// comes back whole may have more.
constexpr std::size_t kMostEvents = 1000, kMostCompared = 1'000'000, kMostOfWhole = 20'000'000;

/// What has landed on the server, by the lists' names. A list that cannot be read has nothing: then
/// reservations stay.
ledger::TargetLists TargetListsOf(const git::Repository& repository,
                                  const std::vector<ServerPolicy>& sharing) {
  auto lists = std::make_shared<std::multimap<std::string, list::RevisionList>>();
  for (const ServerPolicy& policy : sharing) {
    auto tip = repository.Resolve("refs/heads/" + policy.config.target);
    if (!tip.ok() || !*tip) continue;
    for (const list::ListConfig& one : policy.config.lists) {
      auto text = repository.ReadFile(**tip, policy.prefix + one.path);
      if (!text.ok() || !text->has_value()) continue;
      auto parsed = list::Parse(**text, one, one.path);
      if (parsed.ok()) lists->emplace(one.name, std::move(*parsed));
    }
  }
  return [lists](const std::string& name) {
    ledger::TargetList out;
    const auto [first, last] = lists->equal_range(name);
    for (auto at = first; at != last; ++at) {
      if (const list::Entry* latest = at->second.Latest())
        out.last = std::max(out.last.value_or(latest->number), latest->number);
    }
    out.has = [lists, first = first, last = last](const std::string& entry) {
      return std::any_of(first, last,
                         [&](const auto& one) { return one.second.Find(entry) != nullptr; });
    };
    return out;
  };
}

}  // namespace

Finding Refusal(const std::string& rule, const std::string& message, const std::string& fix) {
  return {rule, Severity::Error, message, "", 0, "", fix};
}

Result<std::optional<std::vector<ServerPolicy>>> SharingLedger(
    const git::Repository& repository, const std::vector<ServerPolicy>& policies,
    const Update& update) {
  std::vector<ServerPolicy> sharing;
  const auto take = [&](const std::vector<ServerPolicy>& from) {
    std::copy_if(from.begin(), from.end(), std::back_inserter(sharing),
                 [&](const ServerPolicy& policy) { return policy.config.ledger == update.ref; });
  };
  take(policies);
  bool is_ledger = !sharing.empty();
  std::set<std::string> lists;
  const auto look = [&](const Result<ledger::State>& state) {
    if (!state.ok()) return;
    is_ledger = true;
    for (const auto& [name, list] : state->lists) lists.insert(name);
  };
  if (!update.creates()) {
    auto sound =
        ledger::ReadSound(repository, update.before, "", std::nullopt, ledger::kCheckedBefore);
    if (sound.ok()) look(std::move(sound->state));
  }
  if (!update.deletes()) look(ledger::ReadState(repository, update.after));
  if (!is_ledger) return std::optional<std::vector<ServerPolicy>>();
  for (const ServerPolicy& policy : sharing) {
    for (const list::ListConfig& list : policy.config.lists) lists.erase(list.name);
  }
  // A project in a folder may land on a branch that HEAD's knows nothing of.
  if (sharing.empty() || !lists.empty()) {
    TRY(auto all, BranchPolicies(repository));
    take(all);
  }
  // A new one that no branch names is none of ours; one that was there before is kept all the same.
  if (sharing.empty() && update.creates()) return std::optional<std::vector<ServerPolicy>>();
  return std::optional(std::move(sharing));
}

Result<Done> CheckLedgerUpdate(const git::Repository& repository,
                               const std::vector<ServerPolicy>& sharing, const std::string& ref,
                               const git::Oid& old_tip, const git::Oid& new_tip,
                               std::vector<Finding>& out) {
  const bool creates = git::IsNull(old_tip);
  const std::string fix = "revctl reserve, release and renumber move the ledger";
  if (git::IsNull(new_tip)) {
    out.push_back(Refusal("RV011", fmt::format("the ledger {} must not be deleted", ref),
                          "git push without --mirror and --prune"));
    return Done{};
  }
  if (!creates) {
    TRY(auto grows, repository.IsAncestor(old_tip, new_tip));
    if (!grows) {
      out.push_back(Refusal("RV011", fmt::format("the ledger {} must not be rewritten", ref), fix));
      return Done{};
    }
  }
  // Every new event, oldest first, against the state before it.
  std::vector<std::pair<git::Oid, ledger::Event>> chain;
  std::optional<git::Oid> at = new_tip;
  while (at && (creates || *at != old_tip)) {
    TRY(auto commit, repository.ReadCommit(*at));
    auto event = ledger::ParseEvent(commit.message);
    if (commit.parents.size() > 1 || !event) {
      out.push_back(Refusal(
          "RV011",
          fmt::format("commit {} of the ledger is no event of revctl's", at->substr(0, 10)), fix));
      return Done{};
    }
    chain.emplace_back(*at, std::move(*event));
    if (!creates && chain.size() > kMostEvents) {
      out.push_back(Refusal(
          "RV011", fmt::format("a push brings at most {} events of the ledger", kMostEvents), fix));
      return Done{};
    }
    at = commit.parents.empty() ? std::nullopt : std::optional<git::Oid>(commit.parents[0]);
  }
  ledger::State before;
  if (!creates) {
    // A damaged ledger can be repaired by what is sound again.
    auto sound = ledger::ReadSound(repository, old_tip, "", std::nullopt, ledger::kCheckedBefore);
    if (sound.ok()) before = std::move(sound->state);
  }
  std::reverse(chain.begin(), chain.end());
  const auto target = TargetListsOf(repository, sharing);
  ledger::PushedNumbers numbers(before);
  std::size_t compared = 0;
  for (const auto& [id, event] : chain) {
    numbers.Add(event);
    auto after = ledger::ReadState(repository, id);
    if (!after.ok()) {
      out.push_back(Refusal("RV011", after.error().message, fix));
      return Done{};
    }
    for (const auto& [name, list] : after->lists) compared += 1 + list.open.size();
    if (compared > (creates ? kMostOfWhole : kMostCompared) && chain.size() > 1) {
      out.push_back(Refusal("RV011", "this push has too many events and reservations to judge",
                            "push the ledger in smaller steps"));
      return Done{};
    }
    const bool named =
        sharing.empty() ||
        std::any_of(sharing.begin(), sharing.end(), [&](const ServerPolicy& policy) {
          return policy.config.ledger_id.empty() || policy.config.ledger_id == after->id;
        });
    if (!named) {
      out.push_back(Refusal(
          "RV011",
          fmt::format("the ledger at {} has another id than .revctl.yaml names", id.substr(0, 10)),
          "revctl doctor"));
      return Done{};
    }
    if (auto why = ledger::Contradiction(before, event, *after, target, creates))
      out.push_back(Refusal("RV011",
                            fmt::format("commit {} of the ledger ({}) {}", id.substr(0, 10),
                                        ledger::KindName(event.kind), *why),
                            fix));
    for (const auto& [name, old] : before.lists) {
      if (auto why = ledger::GivesAgain(name, before, *after))
        out.push_back(Refusal("RV001", *why, fix));
    }
    before = std::move(*after);
  }
  if (chain.empty()) return Done{};
  if (auto why = numbers.Contradiction(before, target))
    out.push_back(Refusal("RV011", "this push of the ledger " + *why, fix));
  return Done{};
}

}  // namespace revctl::commands
