// Runs the gate on a change: reads the facts, runs the rules, and filters their findings.
#include "revctl/gate/gate.h"

#include <algorithm>

#include "revctl/base/file.h"
#include "revctl/base/shell_word.h"
#include "revctl/gate/gate_rules.h"
#include "revctl/git/history.h"
#include "revctl/list/reading/revision_list.h"
#include "revctl/pending/pending_file.h"
#include "revctl/tree/tree.h"
#include "revctl/workspace/pending_files.h"

namespace revctl::commands {
namespace {

using findings::Finding;
using findings::RuleId;
using findings::Severity;

/// A rule, and the modes in which the gate runs it.
template <class... Facts>
struct Check {
  unsigned modes;
  Result<Findings> (*run)(const Facts&...);
};

constexpr unsigned operator|(Mode one, Mode other) {
  return static_cast<unsigned>(one) | static_cast<unsigned>(other);
}
constexpr unsigned operator|(unsigned some, Mode other) {
  return some | static_cast<unsigned>(other);
}

/// Modes that check the change as if it had landed on the target.
constexpr unsigned kLanding = Mode::Land | Mode::Server;
constexpr unsigned kMerged = kLanding | Mode::Release | Mode::Intermediate;
constexpr unsigned kEvery = kMerged | Mode::Commit;
/// Modes for rules that need only two versions of a list's file and can therefore also run in
/// Mode::Versions.
constexpr unsigned kTexts = kMerged | Mode::Versions;

/// Rules about one list, in the order in which their findings are printed. The gate runs
/// CheckPendingFolder and CheckReadable before these.
constexpr Check<ListFacts> kListChecks[] = {
    {kLanding | Mode::Questions, CheckSharedRevisions},
    {kEvery | Mode::Versions, CheckTargetAndIncludes},
    {static_cast<unsigned>(Mode::Commit), CheckListOfCommit},
    {kMerged, CheckTextMerge},
    {kMerged, CheckPendingFiles},
    {kTexts, CheckListRules},
    {static_cast<unsigned>(Mode::Questions), CheckRenames},
    {kMerged, CheckShifts},
    {kTexts, CheckLineages},
    {kMerged, CheckPendingOnRelease},
    {kMerged, CheckRelease},
    {kMerged, CheckLandedGoldens},
    {kMerged, CheckPendingGoldens},
    {kLanding, CheckStaleGoldens},
    {kLanding | Mode::Questions, CheckHolders},
    {kLanding | Mode::Release, CheckListPolicy},
    {kEvery | Mode::Versions, CheckOldest},
};

/// Rules about the whole change, which run after the rules about its lists.
constexpr Check<ChangeFacts, std::vector<ListFacts>> kChangeChecks[] = {
    {kLanding | Mode::Release, CheckAttributes},
    {kLanding | Mode::Commit, CheckStrayPending},
    {Mode::Land | Mode::Release, CheckUse},
};

template <class Checks, class... Facts>
Result<Findings> RunAll(const Checks& checks, Mode mode, const Facts&... facts) {
  Findings out;
  for (const auto& check : checks) {
    if ((check.modes & static_cast<unsigned>(mode)) != 0) TRY(Append(out, check.run(facts...)));
  }
  return out;
}

Result<Findings> CheckList(const ListFacts& facts) {
  auto out = CheckReadable(facts);
  if (!out.ok() || !facts.IsReadable()) return out;
  out = RunAll(kListChecks, facts.request().mode, facts);
  if (out.ok()) HideFollowUps(*out);
  return out;
}

/// RV003 and RV024: the change must keep `.revctl.yaml`, and the target's `.revctl.yaml` must be
/// readable.
Findings CheckConfig(const ChangeFacts& change) {
  const GateRequest& request = change.request;
  if (!change.ours) {
    if (!change.target_has_config || request.Is(Mode::Commit)) return {};
    return {{.rule = RuleId::LandedRemoved,
             .severity = change.weakening_severity,
             .message = fmt::format(
                 "this change removes {}, so the lists on {} would no longer be protected",
                 change.config_path, request.target.label),
             .file = change.config_path,
             .fix = AllowPolicyChange(fmt::format("git checkout {} -- {}", request.target.ForGit(),
                                                  base::ShellPath(change.config_path)))}};
  }
  if (!change.target_error) return {};
  return {
      {.rule = RuleId::PolicyChange,
       .severity = Severity::Warning,
       .message = fmt::format("cannot read {} on {}, so this change is checked with its own policy",
                              change.config_path, request.target.Text()),
       .file = change.config_path,
       .fix = "correct the file in this change",
       .details = ErrorText(*change.target_error)}};
}

/// Checks how the change edits the config. Compares with the merge base, so that later changes on
/// the target are not attributed to this change.
Findings CheckPolicyOf(const ChangeFacts& change) {
  std::optional<std::string> ledger;
  if (change.request.ledger.HasLedger()) ledger = change.request.ledger.snapshot->state.id;
  return CheckPolicy(
      {change.base ? *change.base : *change.target, *change.ours, change.config_path, ledger},
      change.weakening_severity);
}

Result<Findings> CheckChange(const GateRequest& request) {
  TRY(const ChangeFacts change, ReadChange(request));
  Findings out = CheckConfig(change);
  if (!change.ours) return out;
  TRY(const std::vector<ListFacts> lists, ReadLists(change));
  for (const ListFacts& facts : lists) {
    TRY(Append(out, CheckPendingFolder(facts)));
    TRY(Append(out, CheckList(facts)));
  }
  TRY(Append(out, RunAll(kChangeChecks, request.mode, change, lists)));
  if (!change.target || request.Is(Mode::Commit)) return out;
  ApplyAllowances(*change.target, change.config_path,
                  request.Is(Mode::Land) && request.only_list.empty(), out);
  if (request.Is(Mode::Questions)) std::erase_if(out, [](const Finding& f) { return !f.asks; });
  else if (!request.Is(Mode::Versions)) TRY(Append(out, CheckPolicyOf(change)));
  return out;
}

/// If `commit` merges a branch into `target` without changing the branch's files, returns the tip
/// of the branch. Otherwise returns `commit`.
Result<git::Oid> WithoutMerge(const git::Repository& repository, const git::Oid& commit,
                              const git::Oid& target) {
  TRY(const auto info, repository.ReadCommit(commit));
  if (info.parents.size() != 2 || info.parents[0] != target) return commit;
  TRY(const auto merged, git::TreeOf(repository, commit));
  TRY(const auto branch, git::TreeOf(repository, info.parents[1]));
  return merged == branch ? info.parents[1] : commit;
}

/// True if the target has the pending file at `path` or an entry with the same name. Such a file is
/// not part of the change; for example, a revert may have restored it.
Result<bool> IsOnTarget(const GateRequest& request, const list::ListConfig& list,
                        const std::string& path) {
  const git::Oid& target = *request.target.tip;
  TRY(const auto file, request.repository().ReadFile(target, path));
  if (file) return true;
  const auto there = request.tree.At(target).List(list);
  if (!there.ok() || !there->HasList()) return false;
  const auto landed = list::Parse(*there->text, there->config, list.path);
  return landed.ok() && landed->Find(pending::NameOfFile(base::FileName(path))) != nullptr;
}

/// If the tip folds pending revisions that the change itself adds, as `land` does, returns the
/// commit below the tip. Such a tip has one parent and removes pending files of revisions that the
/// target does not have. The tip may also be a merge of such a commit into the target, if the merge
/// has the same files. Returns nullopt for any other change, or if the target has moved in the
/// meantime.
Result<std::optional<git::Oid>> CommitBelowFold(const GateRequest& request) {
  const std::optional<git::Oid> none;
  if ((!request.Is(Mode::Land) && !request.Is(Mode::Server)) || !request.target.tip) return none;
  const git::Repository& repository = request.repository();
  const git::Oid& target = *request.target.tip;
  TRY(const auto head, request.tree.Head());
  if (!head || *head == target) return none;
  const auto config = request.tree.At(*head).Config();
  if (!config.ok() || !*config ||
      std::none_of((*config)->lists.begin(), (*config)->lists.end(), AtLanding))
    return none;
  TRY(const git::Oid fold, WithoutMerge(repository, *head, target));
  TRY(const auto commit, repository.ReadCommit(fold));
  if (commit.parents.size() != 1 || commit.parents[0] == target) return none;
  TRY(const bool on_target, repository.IsAncestor(target, commit.parents[0]));
  if (!on_target) return none;
  for (const list::ListConfig& list : (*config)->lists) {
    if (!AtLanding(list)) continue;
    TRY(const auto removed,
        git::FilesDeletedBy(repository, fold, request.prefix() + pending::Folder(list)));
    for (const std::string& path : removed) {
      TRY(const bool known, IsOnTarget(request, list, path));
      if (!known) return std::optional(commit.parents[0]);
    }
  }
  return none;
}

/// Checks a change whose tip folds its own revisions. Treats it as two changes: the commits below
/// the fold, and the fold itself.
Result<Findings> CheckBothParts(const GateRequest& request, const git::Oid& below) {
  GateRequest first = request;
  first.tree = request.tree.At(below);
  TRY(Findings out, CheckChange(first));
  GateRequest fold = request;
  fold.target = {below, below.substr(0, 10)};
  fold.base = below;
  fold.mode = Mode::Server;  // the check of the other commits has already searched the sources
  TRY(Append(out, CheckChange(fold)));
  return out;
}

}  // namespace

Result<Findings> RunGate(const GateRequest& request) {
  TRY(const auto below, CommitBelowFold(request));
  auto found = below ? CheckBothParts(request, *below) : CheckChange(request);
  if (!found.ok() || !request.target.tip) return found;
  for (Finding& finding : *found) {
    finding.target = request.target.label;
    finding.target_commit = *request.target.tip;
  }
  return found;
}

}  // namespace revctl::commands
