// Runs the gate on the server. Reads the lines "<old> <new> <ref>" that git passes to its
// pre-receive hook. git rejects the push if this command fails.
#include <fmt/core.h>
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <iostream>
#include <iterator>
#include <map>
#include <tuple>

#include "revctl/commands/table.h"
#include "revctl/findings/printable.h"
#include "revctl/gate/gate.h"
#include "revctl/gate/gate_rules.h"
#include "revctl/git/settings.h"
#include "revctl/ledger/chain.h"
#include "revctl/ledger/ledger.h"
#include "revctl/server/ledger_update.h"
#include "revctl/server/policy.h"
#include "revctl/session/hook_input.h"
#include "revctl/session/session.h"
#include "revctl/tree/tree.h"

namespace revctl::commands {
namespace {

using findings::Finding;
using findings::RuleId;
using findings::Severity;

Result<std::vector<Update>> ReadUpdates(std::istream& in) {
  std::vector<Update> out;
  for (std::string line; std::getline(in, line);) {
    const auto words = LastWords(line, 3);
    const bool told =
        words && line.size() == (*words)[0].size() + (*words)[1].size() + (*words)[2].size() + 2;
    if (!told || !IsObjectId((*words)[0]) || !IsObjectId((*words)[1])) {
      return NotFromGit(line, "<old id> <new id> <ref>", "pre-receive", "pre-receive");
    }
    out.push_back({(*words)[0], (*words)[1], (*words)[2]});
  }
  // Fail if there is no input. git does not call the hook for an empty push, so another command
  // must have consumed the input, and the refs would go unchecked.
  if (out.empty() || std::ferror(stdin) != 0)
    return Error{Exit::Usage,
                 "stdin is missing lines that git passes to the pre-receive hook; a command before "
                 "revctl may have read them",
                 "call `revctl pre-receive` from that hook, and pass it the hook's stdin"};
  return out;
}

/// Replaces each symbolic ref with the ref that it points to, because a push moves the latter.
Result<Done> FollowSymbolicRefs(const git::Repository& repository, std::vector<Update>& updates) {
  TRY(auto leads, git::SymbolicRefs(repository));
  for (Update& update : updates) {
    for (auto to = leads.find(update.ref); to != leads.end(); to = leads.find(update.ref)) {
      update.ref = to->second;
      leads.erase(to);  // ends the loop for a cycle of refs, which git rejects
    }
  }
  return Done{};
}

/// Reads each ledger at most once, because thousands of projects may share a ledger.
class LedgersRead {
 public:
  explicit LedgersRead(git::Repository& repository) : repository_(repository) {}

  const Result<ledger::Snapshot>& Of(const config::Config& config) {
    const auto key = std::tuple(config.ledger, config.ledger_id, config.target);
    const auto found = read_.find(key);
    if (found != read_.end()) return found->second;
    ledger::Ledger ledger(repository_,
                          {"", std::nullopt, config.ledger, config.ledger_id, config.target});
    return read_.emplace(key, ledger.Cached()).first->second;
  }

 private:
  git::Repository& repository_;
  std::map<std::tuple<std::string, std::string, std::string>, Result<ledger::Snapshot>> read_;
};

Result<Done> CheckUpdates(git::Repository& repository, const ServerPolicy& policy,
                          const std::vector<Update>& updates, LedgersRead& ledgers,
                          std::vector<Finding>& found) {
  const config::Config& config = policy.config;
  const std::string target_ref = "refs/heads/" + config.target;
  TRY(auto target_tip, repository.Resolve(target_ref));
  const auto& snapshot = ledgers.Of(config);
  for (const Update& update : updates) {
    if (update.ref == config.ledger) continue;  // CheckLedgers checks this ref for all projects
    const std::string branch = update.ref.starts_with("refs/heads/") ? update.ref.substr(11) : "";
    const bool release = !policy.alone && config.IsRelease(branch);
    if (update.ref != target_ref && !release) continue;
    if (update.deletes()) {
      if (!release && !policy.alone)
        found.push_back(Refusal(RuleId::LandedRemoved,
                                fmt::format("the target branch {} must not be deleted", branch),
                                ""));
      continue;
    }
    GateRequest request(Tree::Commit(repository, update.after, policy.prefix));
    // The pushed commit becomes the tip without a merge, so entries that it lacks count as removed.
    request.mode = Mode::Server;
    request.target.label = branch;
    if (!update.creates()) request.target.tip = request.base = update.before;
    request.ledger = {snapshot.ok() ? &*snapshot : nullptr, true};
    if (release) {
      request.mode = Mode::Release;
      request.release_of = {target_tip, config.target};
      for (const Update& other : updates) {
        if (other.ref == target_ref && !other.deletes()) request.release_of->tip = other.after;
      }
    }
    TRY(auto at_tip, RunGate(request));
    TRY(const auto all, CheckIntermediateCommits(request, std::move(at_tip)));
    found.insert(found.end(), all.begin(), all.end());
  }
  return Done{};
}

/// Checks all pushes to ledgers. By default, all projects of a repository share one ledger.
Result<Done> CheckLedgers(const git::Repository& repository,
                          const std::vector<ServerPolicy>& policies,
                          const std::vector<Update>& updates, std::vector<Finding>& found) {
  for (const Update& update : updates) {
    TRY(auto sharing, SharingLedger(repository, policies, update));
    if (!sharing) continue;
    TRY(CheckLedgerUpdate(repository, *sharing, update.ref, update.before, update.after, found));
  }
  return Done{};
}

/// Checks config changes on HEAD's branch if the config there names a different branch as the
/// target. Such changes must follow the rules for the target's config, but HEAD's lists are not
/// checked.
Result<Done> CheckDeciders(const git::Repository& repository,
                           const std::vector<ServerPolicy>& policies,
                           const std::vector<Update>& updates, std::vector<Finding>& found) {
  TRY(auto head, repository.HeadBranch());
  if (!head) return Done{};
  TRY(const auto weakening, WeakeningSeverity(repository));
  for (const Update& update : updates) {
    if (update.ref != "refs/heads/" + *head || update.creates()) continue;
    for (const ServerPolicy& policy : policies) {
      if (policy.config.target == *head || policy.config.IsRelease(*head)) continue;
      auto before = Tree::Commit(repository, update.before, policy.prefix).Config();
      if (!before.ok() || !*before) continue;
      const std::string file = policy.prefix + std::string(config::kFileName);
      auto after = update.deletes()
                       ? Result<std::optional<config::Config>>(std::nullopt)
                       : Tree::Commit(repository, update.after, policy.prefix).Config();
      if (after.ok() && *after) {
        TRY(auto tip, repository.Resolve((**before).ledger));
        std::optional<std::string> ledger;
        if (tip) {
          const auto valid = ledger::ReadLastValid(repository, *tip);
          ledger = valid.ok() ? valid->state.id : "";
        }
        for (Finding& finding : CheckPolicy({**before, **after, file, ledger}, weakening))
          found.push_back(std::move(finding));
        continue;
      }
      Finding gone =
          Refusal(RuleId::LandedRemoved,
                  fmt::format("this change {} {} on {}, so nothing would protect {}",
                              after.ok() ? "removes" : "breaks", file, *head, (**before).target),
                  AllowPolicyChange("restore it"));
      gone.severity = weakening;
      found.push_back(std::move(gone));
    }
  }
  return Done{};
}

/// True if the policy comes from the pushed branch itself and names a ledger outside the refs
/// reserved for ledgers. Such a policy must not turn an unrelated ref into a ledger.
bool NamesRefOfOthers(const ServerPolicy& policy) {
  const std::string& ledger = policy.config.ledger;
  return policy.alone && ledger != config::kBranchLedger && !ledger.starts_with("refs/revctl/");
}

/// Rejects refs that would prevent the team from creating a ledger, because git does not allow both
/// `refs/x` and `refs/x/y`.
void RefuseInTheWay(const std::vector<ServerPolicy>& policies, const std::vector<Update>& updates,
                    std::vector<Finding>& found) {
  for (const Update& update : updates) {
    if (update.deletes()) continue;
    for (const ServerPolicy& policy : policies) {
      const std::string& ledger = policy.config.ledger;
      if (!update.ref.starts_with(ledger + "/") && !ledger.starts_with(update.ref + "/")) continue;
      found.push_back(
          Refusal(RuleId::NotReserved,
                  fmt::format("{} conflicts with the name of the ledger, {}", update.ref, ledger),
                  "choose another name"));
      break;
    }
  }
}

/// Rejects pushes to refs/replace/, which would substitute landed objects on the server.
void RefuseReplacements(const std::vector<Update>& updates, std::vector<Finding>& found) {
  for (const Update& update : updates) {
    if (!update.ref.starts_with("refs/replace/") || update.deletes()) continue;
    found.push_back(Refusal(RuleId::LandedRemoved, update.ref + " would replace landed objects",
                            "push without refs/replace/*"));
  }
}

Outcome RunPreReceive(const Arguments&, Session& session) {
  if (const char* space = std::getenv("GIT_NAMESPACE"); space != nullptr && *space != '\0') {
    return Error{Exit::Environment,
                 "GIT_NAMESPACE is set, but revctl cannot protect refs in a namespace",
                 "serve the repository without namespaces, or remove the hook"};
  }
  TRY(auto opened, git::OpenRepository(session.directory));
  git::Repository& repository = *opened;
  TRY(auto updates, ReadUpdates(std::cin));
  TRY(FollowSymbolicRefs(repository, updates));
  std::vector<std::string> unguarded;
  // A repository that does not use revctl has no policies.
  TRY(const auto policies, ServerPolicies(repository, updates, unguarded));
  for (const std::string& why : unguarded)
    session.Message(
        fmt::format("revctl: {}; its lists are not protected", findings::Printable(why)));
  std::vector<Finding> found;
  if (!policies.empty()) RefuseReplacements(updates, found);
  std::vector<ServerPolicy> of_ledgers = policies;
  std::erase_if(of_ledgers, NamesRefOfOthers);
  RefuseInTheWay(of_ledgers, updates, found);
  TRY(CheckDeciders(repository, policies, updates, found));
  TRY(CheckLedgers(repository, of_ledgers, updates, found));
  LedgersRead ledgers(repository);
  for (const ServerPolicy& policy : policies) {
    TRY(CheckUpdates(repository, policy, updates, ledgers, found));
  }
  const std::string text = findings::Render(found, session.format, false);
  if (!text.empty()) session.MessageExact(text);
  return findings::HasErrors(found) ? Exit::Findings : Exit::Fine;
}

}  // namespace

Command PreReceiveCommand() {
  return {
      {"pre-receive",
       "server hook: check every push",
       "The pre-receive hook of a bare repository runs this command. It checks each commit that "
       "a push\nadds to the target or a release branch, for every .revctl.yaml at the root or in a "
       "folder, and rejects pushes\nthat delete, rewrite or forge the ledger.",
       "$ printf '#!/bin/sh\\nexec revctl pre-receive\\n' > hooks/pre-receive\n$ chmod +x "
       "hooks/pre-receive",
       {},
       {},
       true},
      RunPreReceive};
}

}  // namespace revctl::commands
