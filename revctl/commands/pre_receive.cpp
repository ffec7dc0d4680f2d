// pre-receive: the gate on the server. Reads "<old> <new> <ref>" lines as git's hook gets them; what it refuses, git refuses.
#include <algorithm>
#include <iostream>

#include "revctl/commands/command.h"
#include "revctl/commands/gate.h"
#include "revctl/commands/hook_input.h"
#include "revctl/commands/ledger_gate.h"
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
  bool creates() const { return git::IsNull(before); }
  bool deletes() const { return git::IsNull(after); }
};

Result<std::vector<Update>> ReadUpdates(std::istream& in) {
  std::vector<Update> out;
  for (std::string line; std::getline(in, line);) {
    const auto words = LastWords(line, 3);
    const bool told = words && line.size() == (*words)[0].size() + (*words)[1].size() + (*words)[2].size() + 2;
    if (!told || !IsObjectId((*words)[0]) || !IsObjectId((*words)[1])) {
      return NotFromGit(line, "<old id> <new id> <ref>", "pre-receive", "pre-receive");
    }
    out.push_back({(*words)[0], (*words)[1], (*words)[2]});
  }
  return out;
}

Finding Refusal(const std::string& rule, const std::string& message, const std::string& fix) {
  return {rule, Severity::Error, message, "", 0, "", fix, "", "", "", ""};
}

std::optional<config::Config> PolicyAt(const git::Repository& repository, const git::Oid& commit, std::optional<Error>& unreadable) {
  auto text = repository.ReadFile(commit, config::kFileName);
  if (text.ok() && !text->has_value()) return std::nullopt;
  auto parsed = text.ok() ? config::ParseConfig(**text, commit.substr(0, 10) + ":" + std::string(config::kFileName)) : Result<config::Config>(text.error());
  if (parsed.ok()) return std::move(*parsed);
  unreadable = parsed.error();
  return std::nullopt;
}

/// Who decides: the target's own `.revctl.yaml` as it was before this push. Which branch is the target is read at HEAD; a bare
/// repository whose HEAD leads nowhere (`git init --bare` says master, the team pushes main) is asked branch by branch, and all
/// that call themselves the target are guarded. What is pushed decides only where nothing was there to be guarded.
Result<std::vector<config::Config>> ServerPolicies(const git::Repository& repository, const std::vector<Update>& updates) {
  std::vector<config::Config> out;
  std::optional<Error> unreadable;
  auto add = [&](const git::Oid& place, std::optional<Error>& unreadable_there) -> Result<Done> {
    auto policy = PolicyAt(repository, place, unreadable_there);
    if (!policy) return Done{};
    auto tip = repository.Resolve("refs/heads/" + policy->target);
    if (!tip.ok()) return tip.error();
    auto own = *tip && **tip != place ? PolicyAt(repository, **tip, unreadable_there) : std::nullopt;
    if (own && own->target == policy->target) policy = std::move(own);
    if (std::none_of(out.begin(), out.end(), [&](const config::Config& c) { return c.target == policy->target; })) out.push_back(std::move(*policy));
    return Done{};
  };
  auto head = repository.Head();
  if (!head.ok()) return head.error();
  if (*head) {
    auto added = add(**head, unreadable);
    if (!added.ok()) return added.error();
  }
  if (out.empty() && !unreadable) {
    auto branches = repository.Refs("refs/heads/");
    if (!branches.ok()) return branches.error();
    for (const auto& [ref, tip] : *branches) {
      std::optional<Error> said_nothing;  // anybody may push a branch
      auto added = add(tip, said_nothing);
      if (!added.ok()) return added.error();
    }
  }
  for (const Update& update : updates) {
    if (!out.empty()) break;
    if (update.deletes() || !update.ref.starts_with("refs/heads/")) continue;
    // A policy that cannot be read any more is mended by a push to where it stands.
    if (unreadable && (!*head || update.before != **head)) continue;
    std::optional<Error> worse;
    if (auto policy = PolicyAt(repository, update.after, worse)) out.push_back(std::move(*policy));
    if (worse) unreadable = worse;
  }
  if (out.empty() && unreadable) return *unreadable;
  return out;
}

Result<Done> JudgeUpdates(git::Repository& repository, const config::Config& config, const std::vector<Update>& updates, std::vector<Finding>& found) {
  const std::string target_ref = "refs/heads/" + config.target;
  auto target_tip = repository.Resolve(target_ref);
  if (!target_tip.ok()) return target_tip.error();
  ledger::Ledger ledger(repository, {"", std::nullopt, config.ledger, config.ledger_id, config.target});
  auto snapshot = ledger.Cached();
  for (const Update& update : updates) {
    if (update.ref == config.ledger) {
      auto judged = JudgeLedger(repository, config, update.before, update.after, found);
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
  return Done{};
}

Outcome Run(const Arguments&, Session& session) {
  auto directory = session.directory;
  auto opened = git::OpenRepository(directory);
  if (!opened.ok()) return opened.error();
  git::Repository& repository = **opened;
  auto read = ReadUpdates(std::cin);
  if (!read.ok()) return read.error();
  const std::vector<Update>& updates = *read;
  auto policies = ServerPolicies(repository, updates);  // none: a repository that revctl has no part in
  if (!policies.ok()) return policies.error();
  std::vector<Finding> found;
  for (const config::Config& policy : *policies) {
    auto judged = JudgeUpdates(repository, policy, updates, found);
    if (!judged.ok()) return judged.error();
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
