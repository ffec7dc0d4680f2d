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

Finding Refusal(const std::string& rule, const std::string& message, const std::string& fix) {
  return {rule, Severity::Error, message, "", 0, "", fix, "", "", "", ""};
}

/// What has landed on the server, by the lists' names. A list that cannot be read has nothing: then reservations stay.
std::function<ledger::TargetList(const std::string&)> TargetLists(const git::Repository& repository, const config::Config& config) {
  auto lists = std::make_shared<std::map<std::string, list::RevisionList>>();
  auto tip = repository.Resolve("refs/heads/" + config.target);
  for (const list::ListConfig& one : config.lists) {
    if (!tip.ok() || !*tip) break;
    auto text = repository.ReadFile(**tip, one.path);
    if (!text.ok() || !text->has_value()) continue;
    auto parsed = list::Parse(**text, one, one.path);
    if (parsed.ok()) lists->emplace(one.name, std::move(*parsed));
  }
  return [lists](const std::string& name) {
    const auto found = lists->find(name);
    ledger::TargetList out{[](const std::string&) { return false; }, std::nullopt};
    if (found == lists->end()) return out;
    if (const list::Entry* latest = found->second.Latest()) out.last = latest->number;
    out.has = [lists, &landed = found->second](const std::string& entry) { return landed.Find(entry) != nullptr; };
    return out;
  };
}

}  // namespace

Result<Done> JudgeLedger(const git::Repository& repository, const config::Config& config, const git::Oid& old_tip, const git::Oid& new_tip,
                         std::vector<Finding>& out) {
  const bool creates = git::IsNull(old_tip);
  const std::string fix = "revctl reserve, release and renumber move the ledger";
  if (git::IsNull(new_tip)) {
    out.push_back(Refusal("RV011", "the ledger " + config.ledger + " must not be deleted", "git push without --mirror and --prune"));
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
      out.push_back(Refusal("RV011", "the ledger " + config.ledger + " must not be rewritten", fix));
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
      out.push_back(Refusal("RV011", "commit " + at->substr(0, 10) + " of the ledger is no event of revctl's", fix));
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
  const auto target = TargetLists(repository, config);
  for (const auto& [id, event] : chain) {
    auto after = read(id);
    if (!after.ok()) {
      out.push_back(Refusal("RV011", after.error().message, fix));
      return Done{};
    }
    if (!config.ledger_id.empty() && after->id != config.ledger_id) {
      out.push_back(Refusal("RV011", "the ledger at " + id.substr(0, 10) + " has another id than .revctl.yaml names", "revctl doctor"));
      return Done{};
    }
    // A chain that is brought back is older than the target is now: it is held to what holds for any state.
    ledger::Event judged = event;
    if (creates) judged.kind = ledger::Event::Kind::Create;
    if (auto why = ledger::Contradiction(before, judged, *after, target)) {
      out.push_back(Refusal("RV011", "commit " + id.substr(0, 10) + " of the ledger (" + std::string(ledger::KindName(event.kind)) + ") " + *why, fix));
    }
    for (const auto& [name, old] : before.lists) {
      auto now = after->lists.find(name);
      const bool shrinks = old.high_water && (now == after->lists.end() || !now->second.high_water || *now->second.high_water < *old.high_water);
      if (shrinks) out.push_back(Refusal("RV001", "the ledger's high-water mark of list " + name + " would go back from " + std::to_string(*old.high_water), fix));
      if (now == after->lists.end()) continue;
      for (const auto& given : now->second.open) {
        const ledger::Reservation* held = old.Find(given.name);
        const bool kept = held != nullptr && held->number == given.number;
        if (!kept && old.high_water && given.number <= *old.high_water) {
          out.push_back(Refusal("RV001", given.name + " would get " + std::to_string(given.number) + ", which was given before", fix));
        }
      }
    }
    before = std::move(*after);
  }
  return Done{};
}

}  // namespace revctl::commands
