// pre-receive: the gate on the server. Reads "<old> <new> <ref>" lines as git's hook gets them; what it refuses, git refuses.
#include <algorithm>
#include <iostream>
#include <iterator>
#include <sstream>

#include "revctl/commands/command.h"
#include "revctl/commands/gate.h"
#include "revctl/commands/session.h"
#include "revctl/ledger/ledger.h"

namespace revctl::commands {
namespace {

using findings::Done;
using findings::Error;
using findings::Exit;
using findings::Finding;
using findings::Result;
using findings::Severity;

struct Update {
  std::string before, after, ref;
  bool creates() const { return before.find_first_not_of('0') == std::string::npos; }
  bool deletes() const { return after.find_first_not_of('0') == std::string::npos; }
};

std::vector<Update> ReadUpdates(std::istream& in) {
  std::vector<Update> out;
  Update update;
  while (in >> update.before >> update.after >> update.ref) out.push_back(update);
  return out;
}

Finding Refusal(const std::string& rule, const std::string& message, const std::string& fix) {
  return {rule, Severity::Error, message, "", 0, "", fix, "", "", "", ""};
}

/// The policy is the target's; before it has one, that of the commit that brings it.
Result<std::optional<config::Config>> ServerPolicy(const git::Repository& repository, const std::vector<Update>& updates) {
  auto head = repository.Head();
  if (!head.ok()) return head.error();
  std::vector<git::Oid> places;
  if (*head) places.push_back(**head);
  for (const Update& update : updates) {
    if (!update.deletes() && update.ref.starts_with("refs/heads/")) places.push_back(update.after);
  }
  for (const git::Oid& place : places) {
    auto text = repository.ReadFile(place, config::kFileName);
    if (!text.ok()) return text.error();
    if (!text->has_value()) continue;
    auto parsed = config::ParseConfig(**text, place.substr(0, 10) + ":" + std::string(config::kFileName));
    if (!parsed.ok()) return parsed.error();
    return std::optional<config::Config>(std::move(*parsed));
  }
  return std::optional<config::Config>();
}

/// The ledger only grows: no deletion, no rewriting, no number given twice, whatever client wrote it.
Result<Done> JudgeLedger(git::Repository& repository, const config::Config& config, const Update& update, std::vector<Finding>& out) {
  const std::string fix = "revctl reserve, release and renumber move the ledger";
  if (update.deletes()) {
    out.push_back(Refusal("RV011", "the ledger " + update.ref + " must not be deleted", "git push without --mirror and --prune"));
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
  if (!update.creates()) {
    auto grows = repository.IsAncestor(update.before, update.after);
    if (!grows.ok()) return grows.error();
    if (!*grows) {
      out.push_back(Refusal("RV011", "the ledger " + update.ref + " must not be rewritten", fix));
      return Done{};
    }
  }
  // Every new event, oldest first, against the state before it.
  std::vector<git::Oid> chain;
  std::optional<git::Oid> at = update.after;
  while (at && (update.creates() || *at != update.before)) {
    auto commit = repository.ReadCommit(*at);
    if (!commit.ok()) return commit.error();
    if (commit->parents.size() > 1 || !ledger::ParseEvent(commit->message)) {
      out.push_back(Refusal("RV011", "commit " + at->substr(0, 10) + " of the ledger is no event of revctl's", fix));
      return Done{};
    }
    chain.push_back(*at);
    at = commit->parents.empty() ? std::nullopt : std::optional<git::Oid>(commit->parents[0]);
  }
  ledger::State before;
  if (!update.creates()) {
    auto state = read(update.before);
    // A damaged ledger can be repaired by what is sound again.
    if (state.ok()) before = std::move(*state);
  }
  std::reverse(chain.begin(), chain.end());
  for (const git::Oid& id : chain) {
    auto after = read(id);
    if (!after.ok()) {
      out.push_back(Refusal("RV011", after.error().message, fix));
      return Done{};
    }
    if (!config.ledger_id.empty() && after->id != config.ledger_id) {
      out.push_back(Refusal("RV011", "the ledger at " + id.substr(0, 10) + " has another id than .revctl.yaml names", "revctl doctor"));
      return Done{};
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

Outcome Run(const Arguments&, Session& session) {
  auto directory = session.directory;
  auto opened = git::OpenRepository(directory);
  if (!opened.ok()) return opened.error();
  git::Repository& repository = **opened;
  const std::vector<Update> updates = ReadUpdates(std::cin);
  auto policy = ServerPolicy(repository, updates);
  if (!policy.ok()) return policy.error();
  if (!*policy) return Exit::Fine;  // a repository that revctl has no part in
  const config::Config& config = **policy;

  const std::string target_ref = "refs/heads/" + config.target;
  auto target_tip = repository.Resolve(target_ref);
  if (!target_tip.ok()) return target_tip.error();
  ledger::Ledger ledger(repository, {"", std::nullopt, config.ledger, config.ledger_id, config.target});
  auto snapshot = ledger.Cached();
  std::vector<Finding> found;
  for (const Update& update : updates) {
    if (update.ref == config.ledger) {
      auto judged = JudgeLedger(repository, config, update, found);
      if (!judged.ok()) return judged.error();
      continue;
    }
    const std::string branch = update.ref.starts_with("refs/heads/") ? update.ref.substr(11) : "";
    const bool release = config.IsRelease(branch);
    if (update.ref != target_ref && !release) continue;
    if (update.deletes()) {
      if (!release) found.push_back(Refusal("RV003", "the target branch " + branch + " must not be deleted", ""));
      continue;
    }
    GateRequest request(repository, "", Side::Commit(repository, update.after));
    // What is pushed is the result: nothing is merged any more, so that what is missing there is removed.
    if (!update.creates()) request.target = request.base = update.before;
    request.target_label = branch;
    if (snapshot.ok()) request.ledger = &*snapshot;
    if (release) {
      request.scope = GateRequest::Scope::Release;
      request.main_tip = *target_tip;
      request.main_label = config.target;
      for (const Update& other : updates) {
        if (other.ref == target_ref && !other.deletes()) request.main_tip = other.after;
      }
    }
    auto judged = RunGate(request);
    if (!judged.ok()) return judged.error();
    found.insert(found.end(), judged->begin(), judged->end());
  }
  const std::string text = findings::Render(found, session.format, false);
  if (!text.empty()) session.Talk(text);
  const bool refused = std::any_of(found.begin(), found.end(), [](const Finding& f) { return f.severity == Severity::Error; });
  return refused ? Exit::Findings : Exit::Fine;
}

}  // namespace

Command PreReceiveCommand() {
  return {"pre-receive", "server hook: the same rules on every push",
          "Called by the bare repository's pre-receive hook. Guards the target and the release branches, and\n"
          "keeps the ledger from being deleted, rewritten or forged.",
          "$ printf '#!/bin/sh\\nexec revctl pre-receive\\n' > hooks/pre-receive\n$ chmod +x hooks/pre-receive", {}, {}, Run, true};
}

}  // namespace revctl::commands
