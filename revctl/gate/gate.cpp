// Runs the gate over a change: reads the facts, asks the rules, and filters what they found.
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

/// A rule about one list, and the modes in which it runs.
struct ListCheck {
  unsigned modes;
  Result<Findings> (*run)(const ListFacts&);
};

constexpr unsigned operator|(Mode one, Mode other) {
  return static_cast<unsigned>(one) | static_cast<unsigned>(other);
}
constexpr unsigned operator|(unsigned some, Mode other) {
  return some | static_cast<unsigned>(other);
}

/// Modes in which the change is compared as it would be on the target.
constexpr unsigned kLanding = Mode::Land | Mode::Server;
constexpr unsigned kMerged = kLanding | Mode::Release | Mode::Intermediate;
constexpr unsigned kEvery = kMerged | Mode::Commit;
/// The rules that need nothing but two texts of a list also run for Mode::Versions.
constexpr unsigned kTexts = kMerged | Mode::Versions;

/// In the order in which their findings are printed. CheckPendingFolder and CheckReadable run
/// before these.
constexpr ListCheck kListChecks[] = {
    {kLanding | Mode::Questions, CheckSharedRevisions},
    {kEvery | Mode::Versions, CheckTargetAndIncludes},
    {static_cast<unsigned>(Mode::Commit), CheckListOfCommit},
    {kMerged, CheckTextMerge},
    {kMerged, CheckPendingFiles},
    {kTexts, CheckListRules},
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

Result<Findings> CheckList(const ListFacts& facts) {
  TRY(Findings unreadable, CheckReadable(facts));
  if (!facts.IsReadable()) return unreadable;
  Findings out;
  for (const ListCheck& check : kListChecks) {
    if ((check.modes & static_cast<unsigned>(facts.request().mode)) == 0) continue;
    TRY(Findings found, check.run(facts));
    Append(out, std::move(found));
  }
  HideFollowUps(out);
  return out;
}

/// Runs the rules about the whole change, after those about its lists.
Result<Findings> CheckWhole(const ChangeFacts& change, const std::vector<ListFacts>& lists) {
  const GateRequest& request = change.request;
  Findings out;
  const auto add = [&](bool applies, auto* check) -> Result<Done> {
    if (!applies) return Done{};
    TRY(Findings found, check(change, lists));
    Append(out, std::move(found));
    return Done{};
  };
  const bool lands = request.Is(Mode::Land) || request.Is(Mode::Server);
  TRY(add(lands || request.Is(Mode::Release), CheckAttributes));
  TRY(add(lands || request.Is(Mode::Commit), CheckStrayPending));
  TRY(add(request.Is(Mode::Land) || request.Is(Mode::Release), CheckUse));
  return out;
}

/// Compares with the merge base, because later changes of the target are not this change's.
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
    TRY(Findings folder, CheckPendingFolder(facts));
    TRY(Findings found, CheckList(facts));
    Append(out, std::move(folder));
    Append(out, std::move(found));
  }
  TRY(Findings whole, CheckWhole(change, lists));
  Append(out, std::move(whole));
  if (!change.target || request.Is(Mode::Commit)) return out;
  ApplyAllowances(*change.target, change.config_path,
                  request.Is(Mode::Land) && request.only_list.empty(), out);
  if (request.Is(Mode::Questions)) std::erase_if(out, [](const Finding& f) { return !f.asks; });
  else if (!request.Is(Mode::Versions)) Append(out, CheckPolicyOf(change));
  return out;
}

}  // namespace

Findings CheckConfig(const ChangeFacts& change) {
  const GateRequest& request = change.request;
  if (!change.ours) {
    if (!change.target_has_config || request.Is(Mode::Commit)) return {};
    return {
        {.rule = RuleId::LandedRemoved,
         .severity = change.weakening_severity,
         .message = fmt::format("this change removes {}: the lists of {} would be guarded no more",
                                change.config_path, request.target.label),
         .file = change.config_path,
         .fix = AllowPolicyChange(fmt::format("git checkout {} -- {}", request.target.ForGit(),
                                              base::ShellPath(change.config_path)))}};
  }
  if (!change.target_error) return {};
  return {{.rule = RuleId::PolicyChange,
           .severity = Severity::Warning,
           .message = fmt::format("the {} of {} cannot be read: this change is judged by its own",
                                  change.config_path, request.target.Text()),
           .file = change.config_path,
           .fix = "mend it with this change",
           .details = ErrorText(*change.target_error)}};
}

namespace {

/// Checks a change whose tip folds revisions of its own as the two changes that it is: everything
/// up to the fold, and the fold.
Result<Findings> CheckBothParts(const GateRequest& request, const git::Oid& below) {
  GateRequest first = request;
  first.tree = FileTree::Commit(*request.repository, below);
  TRY(Findings out, CheckChange(first));
  GateRequest fold = request;
  fold.target = {below, below.substr(0, 10)};
  fold.base = below;
  fold.mode = Mode::Server;  // the first part has searched the sources
  TRY(Findings found, CheckChange(fold));
  Append(out, std::move(found));
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
