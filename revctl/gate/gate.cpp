// Runs the gate on a change: reads the facts, runs the rules, and filters their findings.
#include "revctl/gate/gate.h"

#include "revctl/base/shell_word.h"
#include "revctl/gate/filters.h"
#include "revctl/gate/fold_at_tip.h"
#include "revctl/gate/gate_rules.h"

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

}  // namespace

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

namespace {

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
