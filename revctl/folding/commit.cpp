// Plans a fold from the target's tree and writes the fold as git objects.
#include "revctl/folding/commit.h"

#include <fmt/core.h>

#include <algorithm>

#include "golden/index.h"
#include "revctl/findings/rule_table.h"
#include "revctl/git/changes.h"
#include "revctl/goldens/golden_rewrites.h"
#include "revctl/goldens/stale_goldens.h"
#include "revctl/ledger/chain.h"
#include "revctl/pending/pending_file.h"
#include "revctl/tree/tree.h"

namespace revctl::commands {
namespace {

/// Returns the config at `commit`, keeping only the lists with `numbers: at-landing`.
Result<config::Config> ConfigOf(const FoldQuestion& q, const git::Oid& commit) {
  TRY(auto config, Tree::Commit(*q.repository, commit, q.prefix).Config());
  if (!config)
    return Error{Exit::Usage, fmt::format("{} has no {}", q.base_label, config::kFileName), ""};
  return std::move(*config);
}

Result<list::RevisionList> ListOf(const FoldQuestion& q, const git::Oid& commit,
                                  const list::ListConfig& config) {
  TRY(auto text, q.repository->ReadFile(commit, q.prefix + config.path));
  if (!text)
    return Error{Exit::Usage, fmt::format("{} has no {}{}", q.base_label, q.prefix, config.path),
                 "correct `path` in .revctl.yaml"};
  return list::Parse(*text, config, q.prefix + config.path);
}

Result<std::set<std::string>> Recorded(const FoldQuestion& q, const git::Oid& commit,
                                       const list::ListConfig& config) {
  std::set<std::string> out;
  TRY(auto files, q.repository->ListFiles(commit, q.prefix + config.golden));
  for (const git::TreeFile& file : files) {
    const auto name = golden::ParseFileName(file.path);
    if (name && name->kind == golden::FileName::Kind::Record && !name->IsAddition())
      out.insert(name->revision);
  }
  return out;
}

/// Plans a fold of the pending files at `commit`. Revisions with missing or broken goldens stay
/// pending.
Result<pending::Plan> PlanAt(const FoldQuestion& q, const git::Oid& commit,
                             const list::ListConfig& config, const list::RevisionList& list,
                             std::map<std::string, std::string> refused) {
  const Tree side = Tree::Commit(*q.repository, commit, q.prefix);
  TRY(side.CheckPendingFolder(config));
  TRY(auto files, side.Pending(config));
  if (const std::string doubt = DoubtAboutNumbers(list, config); !doubt.empty()) {
    for (const auto& file : files) refused.emplace(pending::NameOfFile(file.file_name), doubt);
  }
  if (!config.golden.empty()) {
    const std::string folder = q.prefix + config.golden;
    TRY(auto recorded, Recorded(q, commit, config));
    std::set<std::string> names;
    for (const auto& file : files) names.insert(pending::NameOfFile(file.file_name));
    TRY(const auto broken, FindBroken(side, folder, names));
    for (const std::string& name : names) {
      if (!recorded.contains(name)) {
        refused.emplace(name, fmt::format("it has no golden ({}/{}.yaml)", config.golden, name));
        continue;
      }
      if (const auto found = broken.find(name); found != broken.end())
        refused.emplace(name, fmt::format("{}: its goldens are broken ({}: {}); first land an "
                                          "`allow` for {} with name {}, then {}",
                                          findings::NameOf(findings::RuleId::PendingGolden),
                                          found->second.file, found->second.message,
                                          findings::NameOf(findings::RuleId::LandedGolden), name,
                                          found->second.fix));
    }
  }
  return pending::MakePlan(list, config, files, refused);
}

/// Plans a fold of only those revisions that were pending at `q.at`. Fails if any of them would get
/// a different number than in a fold at `q.at`.
Result<pending::Plan> PlanOfThen(const FoldQuestion& q, const list::ListConfig& config,
                                 const list::RevisionList& list,
                                 std::map<std::string, std::string> refused) {
  TRY(auto config_then, ConfigOf(q, *q.at));
  const list::ListConfig* then = config_then.ListNamed(config.name);
  if (then == nullptr || !AtLanding(*then)) return pending::Plan{};
  TRY(auto list_then, ListOf(q, *q.at, *then));
  TRY(auto plan_then, PlanAt(q, *q.at, *then, list_then, refused));
  TRY(auto all, PlanAt(q, q.base, config, list, {}));
  for (const pending::Numbered& one : all.order) {
    if (plan_then.Find(one.name) == nullptr)
      refused.emplace(one.name, "it was not pending at " + q.at->substr(0, 10));
  }
  TRY(auto plan, PlanAt(q, q.base, config, list, refused));
  std::erase_if(plan.blocked,
                [&](const pending::Blocked& one) { return plan_then.Find(one.name) == nullptr; });
  for (const pending::Numbered& one : plan_then.order) {
    const pending::Numbered* now = plan.Find(one.name);
    const list::Entry* entry = list.Find(one.name);
    const std::int64_t number = now != nullptr     ? now->number
                                : entry != nullptr ? entry->number
                                                   : one.number;
    if (number != one.number)
      return Error{Exit::Findings,
                   fmt::format("{} had number {} at {}, but now has {} on {}, because other "
                               "revisions were folded in the meantime",
                               one.name, one.number, q.at->substr(0, 10), number, q.base_label),
                   "cut the release from the latest fold commit"};
  }
  return plan;
}

/// Returns the changes that turn the base's tree into the fold's tree: new lists and goldens, and
/// removed pending files.
Result<std::vector<git::TreeChange>> TreeChangesOf(const FoldQuestion& q, const Fold& fold) {
  std::vector<git::TreeChange> out;
  for (const FoldedList& list : fold.lists) {
    if (!list.plan.order.empty()) {
      TRY(auto blob, git::StoreBlob(*q.repository, list.text, "the list"));
      out.push_back({q.prefix + list.config.path, std::move(blob), true});
    }
    const auto gone = [&](const std::string& name) {
      out.push_back({q.prefix + pending::FilePath(list.config, name), std::nullopt});
    };
    for (const pending::Numbered& one : list.plan.order) gone(one.name);
    for (const std::string& name : list.plan.returned) gone(name);
  }
  for (const auto& [path, blob] : fold.goldens)
    out.push_back({path, blob.empty() ? std::nullopt : std::optional(blob)});
  return out;
}

}  // namespace

bool Fold::Any() const {
  return std::any_of(lists.begin(), lists.end(), [](const FoldedList& list) {
    return !list.plan.order.empty() || !list.plan.returned.empty();
  });
}

bool Fold::Folds(const std::string& name) const {
  return std::any_of(lists.begin(), lists.end(),
                     [&](const FoldedList& list) { return list.plan.Find(name) != nullptr; });
}

std::string DoubtAboutNumbers(const list::RevisionList& list, const list::ListConfig& config) {
  const auto revisions = list.Revisions();
  if (revisions.size() < 2) return "";
  const list::Entry &latest = *revisions.back(), &before = *revisions[revisions.size() - 2];
  const bool confirmed = config.floor && *config.floor >= latest.number;
  if (confirmed || !ledger::TooFar(latest.number, before.number)) return "";
  return fmt::format(
      "its number would continue from {} = {} ({}:{}), far beyond {} = {}. Correct that number; if "
      "it is intended, add `floor: {}` to the list in .revctl.yaml",
      latest.name, latest.number, config.path, latest.line, before.name, before.number,
      latest.number);
}

Result<Fold> PlanFold(const FoldQuestion& q, const std::map<std::string, std::string>& refused) {
  TRY(auto config, ConfigOf(q, q.base));
  Fold out;
  out.config = std::move(config);
  if (q.policy) out.config.land = *q.policy;
  for (const list::ListConfig& one : out.config.lists) {
    if (!AtLanding(one)) continue;
    if (!q.only_list.empty() && q.only_list != one.name && q.only_list != one.path) continue;
    TRY(auto list, ListOf(q, q.base, one));
    TRY(auto plan,
        q.at ? PlanOfThen(q, one, list, refused) : PlanAt(q, q.base, one, list, refused));
    TRY(auto text, pending::FoldedText(list, one, plan));
    out.lists.push_back({one, std::move(plan), std::move(text)});
  }
  return out;
}

Result<git::Oid> WriteFold(const FoldQuestion& q, const Fold& fold) {
  TRY(const auto changes, TreeChangesOf(q, fold));
  TRY(const auto tree, git::StoreTree(*q.repository, q.base, changes));
  std::string message = "Assign numbers to landed revisions\n";
  for (const FoldedList& list : fold.lists) {
    for (const pending::Numbered& one : list.plan.order)
      message += fmt::format("\n{} = {}", one.name, one.number);
    for (const std::string& name : list.plan.returned)
      message += fmt::format("\n{}: removed its pending file, which had reappeared", name);
  }
  TRY(q.repository->Identity());
  return git::StoreCommit(*q.repository, tree, {q.base}, message + "\n");
}

Result<std::map<std::string, std::string>> StaleIn(const FoldQuestion& q, const Fold& fold,
                                                   const git::Oid& commit) {
  std::map<std::string, std::string> out;
  for (const FoldedList& one : fold.lists) {
    if (one.config.golden.empty() || one.plan.order.empty()) continue;
    TRY(auto list, ListOf(q, q.base, one.config));
    std::vector<ListedGolden> order;
    for (const list::Entry* entry : list.Revisions()) order.push_back({entry->name, false});
    for (const pending::Numbered& pending : one.plan.order) order.push_back({pending.name, true});
    const Tree side = Tree::Commit(*q.repository, commit, q.prefix);
    const std::string folder = q.prefix + one.config.golden;
    auto stale =
        FindStaleGoldens({&side, commit, q.base_label, folder, folder, &one.config.purged}, order);
    if (!stale.ok()) return stale.error();
    for (StaleGolden& golden : *stale) out.emplace(golden.revision, std::move(golden.message));
  }
  return out;
}

Result<RefreshedGoldens> ValidateRefreshed(const FoldQuestion& q, const Fold& fold,
                                           const git::Oid& commit) {
  RefreshedGoldens out;
  const Tree side = Tree::Commit(*q.repository, commit, q.prefix);
  for (const FoldedList& one : fold.lists) {
    if (one.config.golden.empty()) continue;
    const std::string folder = q.prefix + one.config.golden;
    std::set<std::string> edited;
    for (const auto& [path, blob] : fold.goldens) {
      if (!path.starts_with(folder + "/")) continue;
      const auto name = golden::ParseFileName(std::string_view(path).substr(folder.size() + 1));
      if (name && name->kind != golden::FileName::Kind::Approval && !name->IsAddition() &&
          one.plan.Find(name->revision) != nullptr)
        edited.insert(name->revision);
    }
    if (edited.empty()) continue;
    TRY(const auto list, ListOf(q, q.base, one.config));
    TRY(const auto there, side.At(q.base).WithPending(one.config, list));
    RewriteQuestion writing{&side, q.base, q.base_label, folder, {}, {}};
    for (const list::Entry* entry : there.Revisions())
      writing.order.push_back({entry->name, list.Find(entry->name) == nullptr});
    for (const list::Entry* entry : list.Revisions()) writing.numbered.push_back(entry->name);
    for (const pending::Numbered& pending : one.plan.order)
      writing.numbered.push_back(pending.name);
    TRY(auto anew, CheckRewrites(writing, edited));
    for (const std::string& name : edited) {
      const auto found = anew.find(name);
      if (found == anew.end()) out.untouched.insert(name);
      else if (found->second.severity == findings::Severity::Error)
        out.refused.emplace(name, fmt::format("{}: {}", findings::NameOf(found->second.rule),
                                              found->second.message));
    }
  }
  return out;
}

}  // namespace revctl::commands
