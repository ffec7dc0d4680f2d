#include "revctl/commands/ledger_gate.h"

#include <algorithm>
#include <map>
#include <memory>

#include "revctl/ledger/contradiction.h"
#include "revctl/ledger/ledger.h"
#include "revctl/list/revision_list.h"

namespace revctl::commands {
namespace {

using findings::Done;
using findings::Finding;
using findings::Result;
using findings::Severity;

/// What has landed on the server, by the lists' names. A list that cannot be read has nothing: then
/// reservations stay.
std::function<ledger::TargetList(const std::string&)> TargetLists(
    const git::Repository& repository, const std::vector<ServerPolicy>& sharing) {
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
  return {rule, Severity::Error, message, "", 0, "", fix, "", "", "", ""};
}

Result<Done> JudgeLedger(const git::Repository& repository,
                         const std::vector<ServerPolicy>& sharing, const git::Oid& old_tip,
                         const git::Oid& new_tip, std::vector<Finding>& out) {
  const std::string& ref = sharing.front().config.ledger;
  const bool creates = git::IsNull(old_tip);
  const std::string fix = "revctl reserve, release and renumber move the ledger";
  if (git::IsNull(new_tip)) {
    out.push_back(Refusal("RV011", "the ledger " + ref + " must not be deleted",
                          "git push without --mirror and --prune"));
    return Done{};
  }
  auto read = [&](const git::Oid& id) -> Result<ledger::State> {
    auto files = repository.ListFiles(id, "");
    if (!files.ok()) return files.error();
    ledger::Files texts;
    for (const auto& file : *files) {
      auto text = repository.ReadFile(id, file.path);
      if (!text.ok()) return text.error();
      texts[file.path] = text->value_or("");
    }
    return ledger::ParseState(texts, id.substr(0, 10));
  };
  if (!creates) {
    auto grows = repository.IsAncestor(old_tip, new_tip);
    if (!grows.ok()) return grows.error();
    if (!*grows) {
      out.push_back(Refusal("RV011", "the ledger " + ref + " must not be rewritten", fix));
      return Done{};
    }
  }
  // Every new event, oldest first, against the state before it.
  std::vector<std::pair<git::Oid, ledger::Event>> chain;
  std::optional<git::Oid> at = new_tip;
  while (at && (creates || *at != old_tip)) {
    auto commit = repository.ReadCommit(*at);
    if (!commit.ok()) return commit.error();
    auto event = ledger::ParseEvent(commit->message);
    if (commit->parents.size() > 1 || !event) {
      out.push_back(Refusal(
          "RV011", "commit " + at->substr(0, 10) + " of the ledger is no event of revctl's", fix));
      return Done{};
    }
    chain.emplace_back(*at, std::move(*event));
    at = commit->parents.empty() ? std::nullopt : std::optional<git::Oid>(commit->parents[0]);
  }
  ledger::State before;
  if (!creates) {
    auto state = read(old_tip);
    // A damaged ledger can be repaired by what is sound again.
    if (state.ok()) before = std::move(*state);
  }
  std::reverse(chain.begin(), chain.end());
  const auto target = TargetLists(repository, sharing);
  for (const auto& [id, event] : chain) {
    auto after = read(id);
    if (!after.ok()) {
      out.push_back(Refusal("RV011", after.error().message, fix));
      return Done{};
    }
    const bool named = std::any_of(sharing.begin(), sharing.end(), [&](const ServerPolicy& policy) {
      return policy.config.ledger_id.empty() || policy.config.ledger_id == after->id;
    });
    if (!named) {
      out.push_back(Refusal(
          "RV011", "the ledger at " + id.substr(0, 10) + " has another id than .revctl.yaml names",
          "revctl doctor"));
      return Done{};
    }
    if (auto why = ledger::Contradiction(before, event, *after, target, creates)) {
      out.push_back(Refusal("RV011",
                            "commit " + id.substr(0, 10) + " of the ledger (" +
                                std::string(ledger::KindName(event.kind)) + ") " + *why,
                            fix));
    }
    for (const auto& [name, old] : before.lists) {
      auto now = after->lists.find(name);
      const bool shrinks =
          old.high_water && (now == after->lists.end() || !now->second.high_water ||
                             *now->second.high_water < *old.high_water);
      if (shrinks)
        out.push_back(Refusal("RV001",
                              "the ledger's high-water mark of list " + name +
                                  " would go back from " + std::to_string(*old.high_water),
                              fix));
      if (now == after->lists.end()) continue;
      for (const auto& given : now->second.open) {
        const ledger::Reservation* held = old.Find(given.name);
        const bool kept = held != nullptr && held->number == given.number;
        if (!kept && old.high_water && given.number <= *old.high_water) {
          out.push_back(Refusal("RV001",
                                given.name + " would get " + std::to_string(given.number) +
                                    ", which was given before",
                                fix));
        }
      }
    }
    before = std::move(*after);
  }
  return Done{};
}

}  // namespace revctl::commands
