#include "revctl/server/ledger_update.h"

#include <fmt/core.h>

#include <algorithm>
#include <iterator>
#include <set>

#include "revctl/ledger/chain.h"

namespace revctl::commands {
namespace {

using findings::Finding;
using findings::RuleId;
using findings::Severity;

/// Limits for one push, needed because the server compares each event with all lists and their
/// reservations. A push that restores a whole ledger has a higher limit.
constexpr std::size_t kMostEvents = 1000, kMostCompared = 1'000'000, kMostRestored = 20'000'000;

}  // namespace

Finding Refusal(findings::RuleId rule, const std::string& message, const std::string& fix) {
  return {.rule = rule, .message = message, .fix = fix};
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
    auto valid = ledger::ReadLastValid(repository, update.before);
    if (valid.ok()) look(std::move(valid->state));
  }
  if (!update.deletes()) look(ledger::ReadState(repository, update.after));
  if (!is_ledger) return std::optional<std::vector<ServerPolicy>>();
  for (const ServerPolicy& policy : sharing) {
    for (const list::ListConfig& list : policy.config.lists) lists.erase(list.name);
  }
  // Read the policies on all branches, because a project in a subfolder may land on a branch that
  // HEAD's policies do not mention.
  if (sharing.empty() || !lists.empty()) {
    TRY(auto all, BranchPolicies(repository));
    take(all);
  }
  // Ignore a new ref if no branch names it as its ledger. An existing ledger stays protected even
  // if no branch names it.
  if (sharing.empty() && update.creates()) return std::optional<std::vector<ServerPolicy>>();
  return std::optional(std::move(sharing));
}

Result<Done> CheckLedgerUpdate(const git::Repository& repository,
                               const std::vector<ServerPolicy>& sharing, const std::string& ref,
                               const git::Oid& old_tip, const git::Oid& new_tip,
                               std::vector<Finding>& out) {
  const bool creates = git::IsNull(old_tip);
  const auto refuse =
      [&out](const std::string& why,
             const char* fix =
                 "change the ledger only with revctl reserve, abandon and fix") -> Result<Done> {
    out.push_back(Refusal(RuleId::NotReserved, why, fix));
    return Done{};
  };
  if (git::IsNull(new_tip))
    return refuse(fmt::format("the ledger {} must not be deleted", ref),
                  "run git push without --mirror or --prune");
  if (!creates) {
    TRY(auto grows, repository.IsAncestor(old_tip, new_tip));
    if (!grows) return refuse(fmt::format("the ledger {} must not be rewritten", ref));
  }
  std::vector<std::pair<git::Oid, ledger::Event>> newest_first;
  for (std::optional<git::Oid> at = new_tip; at && (creates || *at != old_tip);) {
    if (!creates && newest_first.size() == kMostEvents)
      return refuse(fmt::format("this push adds too many ledger events; the limit is {} per push",
                                kMostEvents));
    TRY(auto commit, repository.ReadCommit(*at));
    auto event = ledger::ParseEvent(commit.message);
    if (commit.parents.size() > 1 || !event)
      return refuse(
          fmt::format("commit {} of the ledger is not a revctl event", at->substr(0, 10)));
    newest_first.emplace_back(*at, std::move(*event));
    at = commit.parents.empty() ? std::nullopt : std::optional<git::Oid>(commit.parents[0]);
  }
  ledger::State before;
  if (!creates) {
    // Start from the last valid state, because the push may repair a damaged ledger.
    auto valid = ledger::ReadLastValid(repository, old_tip);
    if (valid.ok()) before = std::move(valid->state);
  }
  ledger::Chain chain("", before);
  std::size_t compared = 0;
  for (auto at = newest_first.rbegin(); at != newest_first.rend(); ++at) {
    const auto& [commit, event] = *at;
    const auto after = ledger::ReadState(repository, commit);
    if (after.ok()) {
      for (const auto& [name, list] : after->lists) compared += 1 + list.open.size();
      if (compared > (creates ? kMostRestored : kMostCompared) && newest_first.size() > 1)
        return refuse("this push has too many events and reservations to check",
                      "push fewer ledger commits at once");
      const bool named =
          sharing.empty() ||
          std::any_of(sharing.begin(), sharing.end(), [&](const ServerPolicy& policy) {
            return policy.config.ledger_id.empty() || policy.config.ledger_id == after->id;
          });
      if (!named)
        return refuse(
            fmt::format("the ledger at {} has a different id than `ledger_id` in .revctl.yaml",
                        commit.substr(0, 10)),
            "revctl doctor");
    }
    // A push that restores a whole ledger may contain invalid commits, because readers skip them.
    const auto skipped = chain.Add(commit, event, after);
    if (skipped && (!creates || commit == new_tip))
      return refuse(fmt::format("{} ({})", skipped->message, ledger::KindName(event.kind)));
  }
  if (auto jump = ledger::JumpsTooFar(before, *chain.state()))
    return refuse("this push of the ledger " + *jump);
  return Done{};
}

}  // namespace revctl::commands
