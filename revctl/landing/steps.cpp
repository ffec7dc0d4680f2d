#include "revctl/landing/steps.h"

#include <algorithm>

#include "revctl/base/shell_word.h"
#include "revctl/findings/rule_table.h"
#include "revctl/gate/gate.h"
#include "revctl/git/history.h"
#include "revctl/git/index.h"
#include "revctl/git/process.h"
#include "revctl/numbering/renumber_list.h"
#include "revctl/setup/installation.h"
#include "revctl/tree/work_tree.h"
#include "revctl/workspace/list_view.h"

namespace revctl::commands {

using findings::Finding;
using findings::Rule;
using findings::Severity;

namespace {

GateRequest RequestOf(const Landing& landing) {
  GateRequest request(landing.workspace.At(landing.state.head));
  request.mode = Mode::Server;
  request.target = {landing.target(), landing.workspace.TargetLabel()};
  return request;
}

bool IsError(const Finding& finding) { return finding.severity == Severity::Error; }

/// True if renumbering fixes the finding. Findings about a damaged landed entry count only if their
/// own fix is to renumber.
bool IsOfNumbers(const Finding& finding) {
  const bool says_so = finding.fix.kind == findings::FixKind::Numbers;
  return IsError(finding) && !finding.asks &&
         (Is(finding, Rule::kFixedByRenumber) || (Is(finding, Rule::kRenumberMayFix) && says_so));
}

/// True if there is an error that cannot be fixed by renumbering or by regenerating goldens.
bool NeedsAPerson(const std::vector<Finding>& found) {
  return std::any_of(found.begin(), found.end(), [](const Finding& f) {
    return IsError(f) && !Is(f, Rule::kFixedByRefresh) && !IsOfNumbers(f);
  });
}

/// True if regenerating goldens fixes at least one of the findings.
bool AsksForGoldens(const std::vector<Finding>& found) {
  return std::any_of(found.begin(), found.end(),
                     [](const Finding& f) { return IsError(f) && Is(f, Rule::kFixedByRefresh); });
}

/// Runs one of the target's commands with `sh -c`. Fails with Exit::Findings if the command fails.
Result<Done> RunLine(Landing& landing, const std::string& key, const std::string& line) {
  TRY(auto ran, landing.calls.run(landing.workspace.root(), {key, line}));
  if (ran.ok()) return Done{};
  return Error{Exit::Findings,
               fmt::format("the `{}` command of {} failed (exit {}); nothing was pushed{}", key,
                           landing.workspace.TargetLabel(), ran.status, git::CapturedOutput(ran)),
               "fix the cause and commit, then run revctl land; " + AbortAdvice(landing.state)};
}

Result<Done> RefreshGoldens(Landing& landing) {
  const git::Repository& repository = landing.repository();
  const std::vector<std::string> folders = landing.GoldenFolders();
  TRY(auto before, ChangesOf(repository, folders));
  if (!before.untracked.empty())
    return Error{Exit::Usage,
                 "goldens must be recorded again, but their folder has untracked files: " +
                     SomeOf(before.untracked),
                 "git add and commit them, or move them elsewhere, then run revctl land"};
  TRY(SaveLandState(landing, LandState::Phase::Goldens));
  TRY(RunLine(landing, "goldens", landing.policy.goldens));
  TRY(auto after, ChangesOf(repository, folders));
  std::vector<std::string> outside;
  for (const std::string& path : after.tracked) {
    if (!LiesIn(path, folders)) outside.push_back(path);
  }
  if (!outside.empty())
    return Error{
        Exit::Findings,
        "the `goldens` command changed files outside the golden folder: " + SomeOf(outside),
        "look at git diff, then restore or commit these files and run revctl land"};
  if (!after.tracked.empty() || !after.untracked.empty()) {
    std::vector<std::string> changed = after.tracked;
    changed.insert(changed.end(), after.untracked.begin(), after.untracked.end());
    std::sort(changed.begin(), changed.end());
    std::string message =
        fmt::format("Record goldens again for landing\n\n{} changes types in these goldens:\n",
                    landing.TargetText());
    for (const std::string& path : changed) message += "\n" + path;
    TRY(CommitPaths(repository, changed, message));
    // Clear the commit to which the next merge would reset the branch, because the reset would drop
    // the commit created above.
    landing.head_before_merge.reset();
  }
  return SaveLandState(landing, LandState::Phase::Idle);
}

/// True if the local copy of the target has moved since this run fetched it, because `fix` or the
/// user has fetched again.
Result<bool> TargetMoved(const Landing& landing) {
  TRY(const auto now, landing.repository().Resolve(landing.workspace.OpenLedger().TargetRef()));
  return now && *now != landing.target();
}

/// Runs the gate on HEAD without changing anything.
Result<std::vector<Finding>> CheckHead(const Landing& landing) {
  // Read the ledger again, because it may have confirmed numbers since the fetch. Still compare
  // with the target as of that fetch.
  TRY(auto known, landing.workspace.OpenLedger().Cached());
  GateRequest request = RequestOf(landing);
  request.ledger = {&known, true};
  return RunGate(request);
}

struct PendingNames {
  std::vector<std::string> names;  ///< ordered by number
  bool others = false;             ///< true if another user holds at least one of them
};

Result<PendingNames> PendingOf(const Landing& landing, const list::ListConfig& list,
                               const git::Person& me) {
  TRY(auto view, ReadListView(landing.workspace, list, landing.seen));
  const Numbering numbering = view.numbering();
  PendingNames out;
  for (const list::Entry* entry : numbering.Pending()) {
    out.names.push_back(entry->name);
    const ledger::Reservation* held = view.ledger.Find(entry->name);
    out.others = out.others || (held != nullptr && !ledger::SamePerson(held->who, me));
  }
  return out;
}

/// Assigns numbers to the pending revisions of the lists in `files` so that the revisions can land,
/// has the ledger confirm the numbers, and commits the lists.
Result<Done> GiveNumbers(Landing& landing, const std::vector<std::string>& files) {
  TRY(auto me, landing.repository().Identity());
  TRY(SaveLandState(landing, LandState::Phase::Numbers));
  std::vector<std::string> written;
  std::string message;
  for (const auto& list : landing.workspace.config().lists) {
    if (std::find(files.begin(), files.end(), landing.workspace.GitPath(list.path)) == files.end())
      continue;
    TRY(auto pending, PendingOf(landing, list, me));
    TRY(auto before, landing.workspace.ReadList(list));
    // If some of the pending revisions are reserved for a colleague, pass all pending names, so
    // that the revisions keep their order. The colleague keeps the reservations.
    RenumberRequest request;
    if (pending.others) request.names = pending.names;
    TRY(const auto lock, landing.workspace.LockLists(landing.listener()));
    TRY(auto renumbered, RenumberList(landing.workspace, list, request, landing.listener()));
    for (const std::string& line : MoveLines(renumbered)) landing.listener().Note(line);
    TRY(auto after, landing.workspace.ReadList(list));
    if (before == after) continue;
    TRY(auto now, landing.workspace.ParseWorking(list));
    written.push_back(landing.workspace.GitPath(list.path));
    for (const std::string& name : pending.names) {
      if (const list::Entry* entry = now.Find(name))
        message += fmt::format("\n{} = {}", name, entry->number);
    }
  }
  if (!written.empty())
    TRY(CommitPaths(landing.repository(), written, "Assign numbers for landing\n" + message));
  return SaveLandState(landing, LandState::Phase::Idle);
}

}  // namespace

Result<std::vector<Finding>> CheckFold(const Landing& landing) {
  TRY(const auto fold, landing.repository().ReadCommit(landing.state.head));
  GateRequest request = RequestOf(landing);
  request.target = {fold.parents.front(), fold.parents.front().substr(0, 10)};
  return RunGate(request);
}

Result<std::vector<Finding>> FindQuestions(const Landing& landing) {
  GateRequest request = RequestOf(landing);
  request.mode = Mode::Questions;
  request.ledger = {&landing.seen, true};
  auto found = RunGate(request);
  // Report nothing if the gate cannot run. The join may repair an unreadable list, and the gate
  // runs again after the join.
  return found.ok() ? found : std::vector<Finding>();
}

Result<std::vector<Finding>> CheckOwnCommits(const Landing& landing, std::vector<Finding> at_head) {
  // Skip intermediate commits if they do not land unchanged: a merge lands as one commit, and for a
  // pull request the host decides which commits land.
  if (landing.policy.push == config::LandPolicy::Push::Branch ||
      landing.policy.by == config::LandPolicy::By::Merge)
    return at_head;
  return CheckIntermediateCommits(RequestOf(landing), std::move(at_head));
}

Result<std::optional<std::vector<Finding>>> CheckLanding(Landing& landing) {
  TRY(auto found, CheckHead(landing));
  // Do not reserve numbers for a branch that cannot land.
  if (NeedsAPerson(found)) return std::optional(std::move(found));
  std::vector<std::string> files;
  for (const Finding& finding : found) {
    if (IsOfNumbers(finding)) files.push_back(finding.file);
  }
  if (!files.empty()) {
    TRY(GiveNumbers(landing, files));
    TRY(found, CheckHead(landing));
  }
  if (!AsksForGoldens(found) || landing.policy.goldens.empty())
    return std::optional(std::move(found));
  // Start over if the target has moved. The `goldens:` command asks git which revisions have
  // landed, so it would record goldens on top of revisions that this branch does not contain.
  TRY(auto moved, TargetMoved(landing));
  if (moved) return std::optional<std::vector<Finding>>();
  TRY(RefreshGoldens(landing));
  TRY(found, CheckHead(landing));
  return std::optional(std::move(found));
}

Result<std::vector<LandedRevision>> NewRevisions(const Landing& landing, const git::Oid& commit) {
  std::vector<LandedRevision> out;
  for (const auto& list : landing.workspace.config().lists) {
    auto before = landing.workspace.At(landing.state.target).Parsed(list);
    if (!before.ok()) continue;  // the target's list is unreadable, so its revisions are unknown
    TRY(auto after, landing.workspace.At(commit).Parsed(list));
    if (!after) continue;
    TRY(const auto pending, PendingOnTarget(landing, list));
    for (const list::Entry* entry : after->Revisions()) {
      if (!*before || (*before)->Find(entry->name) == nullptr)
        out.push_back({list.name, entry->name, entry->number,
                       std::find(pending.begin(), pending.end(), entry->name) != pending.end()});
    }
  }
  return out;
}

namespace {

/// Returns the `paths` that the target's .gitattributes do not mark as `linguist-documentation`.
/// Uses the target's attributes, because a branch must not exempt its own files from verification.
Result<std::vector<std::string>> BuiltOf(const Landing& landing,
                                         const std::vector<std::string>& paths) {
  const git::AttributeSource source{{git::Place::Kind::Commit, landing.target()}};
  TRY(const auto attributes,
      git::AttributesOf(landing.repository(), source, {"linguist-documentation"}, paths));
  // git's answer is incomplete, so verify all paths.
  if (attributes.size() != paths.size()) return paths;
  std::vector<std::string> out;
  for (const git::PathAttribute& one : attributes) {
    if (one.value != "set" && one.value != "true") out.push_back(one.path);
  }
  return out;
}

/// True if `tree` has passed the `verify:` command, or differs only in documentation from a tree
/// that has passed it.
Result<bool> Passed(const Landing& landing, const git::Oid& tree) {
  const LandState& state = landing.state;
  if (state.verified_tree.empty() || state.verified_line != landing.policy.verify) return false;
  if (state.verified_tree == tree) return true;
  TRY(const auto changed, git::FilesBetween(landing.repository(), state.verified_tree, tree));
  if (!changed) return false;  // the tree that passed has been garbage-collected
  TRY(auto built, BuiltOf(landing, *changed));
  if (!built.empty()) return false;
  landing.listener().Note(fmt::format(
      "not verified again, because only documentation has changed since the last verification ({})",
      SomeOf(*changed)));
  return true;
}

}  // namespace

Result<Done> Verify(Landing& landing) {
  if (landing.policy.verify.empty()) return Done{};
  TRY(auto tree, git::TreeOf(landing.repository(), landing.state.head));
  TRY(auto passed, Passed(landing, tree));
  if (!passed) TRY(RunLine(landing, "verify", landing.policy.verify));
  TRY(const auto head, landing.repository().Head());
  TRY(const auto branch, landing.repository().HeadBranch());
  if (head != landing.state.head || branch != landing.state.branch)
    return Error{Exit::Findings, "the `verify` command made a commit or switched to another branch",
                 fmt::format("git switch {}, correct `land: verify:` so that the command does not "
                             "move the branch, then run revctl land",
                             base::ShellWord(landing.state.branch))};
  TRY(auto changes, ChangesOf(landing.repository()));
  if (!changes.tracked.empty())
    return Error{Exit::Findings, "the `verify` command changed files: " + SomeOf(changes.tracked),
                 "look at git diff, then restore or commit these files and run revctl land"};
  landing.state.verified_tree = tree;
  landing.state.verified_line = landing.policy.verify;
  return SaveLandState(landing, LandState::Phase::Idle);
}

namespace {

/// Returns a note about the files in which git predicts merge conflicts, such as "; expect
/// conflicts in src/a.cpp", or "" if it predicts none. A rebase applies one commit at a time and
/// may stop at different conflicts.
Result<std::string> Foreseen(const Landing& landing) {
  const std::string driver = Installation(landing.workspace, landing.program).DriverSetting();
  TRY(const auto paths,
      git::PredictConflicts(landing.repository(), driver, landing.state.head, landing.target()));
  if (paths.empty()) return std::string();
  return "; expect conflicts in " + SomeOf(paths);
}

Result<std::vector<std::string>> Moves(const Landing& landing) {
  std::vector<std::string> out;
  for (const auto& list : landing.workspace.config().lists) {
    TRY(auto renumbered, RenumberList(landing.workspace, list, {.dry_run = true}, {}));
    for (const std::string& line : MoveLines(renumbered)) out.push_back("number " + line);
  }
  return out;
}

}  // namespace

Result<std::vector<std::string>> PlanLanding(const Landing& landing) {
  const Workspace& workspace = landing.workspace;
  const bool rebase = landing.policy.by == config::LandPolicy::By::Rebase;
  std::vector<std::string> steps;
  TRY(auto joined, landing.repository().IsAncestor(landing.target(), landing.state.head));
  if (!joined) {
    TRY(auto foreseen, Foreseen(landing));
    const std::string branch = landing.state.branch, target = landing.TargetText();
    steps.push_back(rebase ? fmt::format("rebase {} onto {}{}", branch, target, foreseen)
                           : fmt::format("merge {} into {}{}", target, branch, foreseen));
  }
  TRY(auto moves, Moves(landing));
  steps.insert(steps.end(), moves.begin(), moves.end());
  TRY(auto found, CheckHead(landing));
  if (AsksForGoldens(found))
    steps.push_back(
        landing.policy.goldens.empty()
            ? "stop: goldens must be recorded again, but `land:` has no `goldens` command"
            : "run goldens: " + landing.policy.goldens);
  TRY(const auto numbers, NumbersOfFold(landing));
  if (!numbers.empty()) steps.push_back("fold " + numbers);
  steps.emplace_back("check");
  if (!landing.policy.verify.empty()) steps.push_back("run verify: " + landing.policy.verify);
  if (landing.policy.push == config::LandPolicy::Push::Branch) {
    TRY(auto branch, PullRequestBranch(landing));
    steps.push_back(fmt::format("push {}/{} for a pull request", branch.remote, branch.name));
  } else {
    steps.push_back("push to " + workspace.TargetLabel());
  }
  return steps;
}

}  // namespace revctl::commands
