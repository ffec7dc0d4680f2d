// Implements `land`. Each attempt fetches, joins, numbers, checks, verifies and pushes. If it loses
// the push race, `land` starts another attempt.
#include "revctl/landing/landing.h"

#include <algorithm>
#include <chrono>
#include <iterator>

#include "revctl/base/file_lock.h"
#include "revctl/base/shell_word.h"
#include "revctl/commands/table.h"
#include "revctl/findings/finding.h"
#include "revctl/findings/printable.h"
#include "revctl/git/remote.h"
#include "revctl/landing/steps.h"
#include "revctl/session/progress_line.h"
#include "revctl/session/project_command.h"
#include "revctl/tree/tree.h"
#include "revctl/tree/work_tree.h"
#include "revctl/workspace/list_view.h"
#include "revctl/workspace/releases.h"

namespace revctl::commands {
namespace {

using findings::Finding;
using findings::Severity;
using Clock = std::chrono::steady_clock;

/// Returns the branch's revisions, such as "SR_BOSS = 667, SR_ANT = 668", or the branch's name if
/// it has none.
std::string Listed(const std::vector<LandedRevision>& revisions, const std::string& branch) {
  std::string out;
  for (const LandedRevision& revision : revisions) {
    if (!revision.was_pending)
      out += fmt::format("{}{} = {}", out.empty() ? "" : ", ", revision.name, revision.number);
  }
  return out.empty() ? branch : out;
}

Outcome Report(Landing& landing, Session& session, Pushed pushed, const git::Oid& commit) {
  TRY(auto revisions, NewRevisions(landing, commit));
  std::string where = landing.workspace.TargetLabel();
  if (pushed == Pushed::Prepared) {
    TRY(auto branch, PullRequestBranch(landing));
    where = branch.remote + "/" + branch.name;
  }
  TRY(RemoveLandState(landing.repository()));
  if (session.json()) {
    Json::List items;
    for (const LandedRevision& revision : revisions)
      items.push_back(Json::Object()
                          .Set("list", revision.list)
                          .Set("name", revision.name)
                          .Set("number", revision.number)
                          .Set("was_pending", revision.was_pending));
    session.OutJson(Json::Object()
                        .Set("version", 1)
                        .Set("landed", pushed == Pushed::Landed)
                        .Set("branch", landing.state.branch)
                        .Set("on", where)
                        .Set("target", landing.workspace.TargetLabel())
                        .Set("commit", commit)
                        .Set("revisions", std::move(items)));
  } else {
    const std::string what = Listed(revisions, landing.state.branch), id = commit.substr(0, 10);
    for (const LandedRevision& revision : revisions) {
      if (revision.was_pending)
        session.Message(fmt::format("{} = {} (was pending on {})", revision.name, revision.number,
                                    landing.workspace.TargetLabel()));
    }
    session.Out(pushed == Pushed::Landed
                    ? fmt::format("OK: landed {} on {} at {}\n", what, where, id)
                    : fmt::format("OK: pushed {} on {} at {}: ready to be merged into {}\n", what,
                                  where, id, landing.workspace.TargetLabel()));
    if (LandsWithoutSaveTests(landing.workspace.config()))
      session.Message(
          fmt::format("revctl: note: {}\nfix: {}", kLandsWithoutSaveTests, kNameVerifyCommand));
  }
  return Exit::Fine;
}

Outcome NothingToLand(Landing& landing, Session& session) {
  TRY(RemoveLandState(landing.repository()));
  const std::string text =
      fmt::format("{} already contains {}", landing.workspace.TargetLabel(), landing.state.branch);
  if (session.json()) {
    session.OutJson(Json::Object()
                        .Set("version", 1)
                        .Set("landed", false)
                        .Set("branch", landing.state.branch)
                        .Set("on", landing.workspace.TargetLabel())
                        .Set("target", landing.workspace.TargetLabel())
                        .Set("commit", landing.target())
                        .Set("revisions", Json::List()));
  } else {
    session.Out(fmt::format("OK: nothing to land: {}\n", text));
  }
  return Exit::Fine;
}

/// Fetches the target and the ledger, and reads the landing policy from the target's config.
Result<Done> FetchTargetAndPolicy(Landing& landing, const Arguments& arguments) {
  const Workspace& workspace = landing.workspace;
  TRY(landing.seen, workspace.Fetched(landing.listener(), !workspace.NeedsLedger()));
  if (!landing.seen.target)
    return Error{Exit::Usage, workspace.TargetLabel() + " does not exist yet",
                 workspace.remote().empty()
                     ? "git branch " + base::ShellWord(workspace.config().target)
                     : fmt::format("git push {} {}", base::ShellWord(workspace.remote()),
                                   base::ShellWord("HEAD:" + workspace.config().target))};
  TRY(const auto release, FindReleaseHere(workspace.Releases(landing.seen.target)));
  if (release)
    return Error{Exit::Findings,
                 fmt::format("this branch is for {}, but revctl land would merge it into {}",
                             release->branch, workspace.TargetLabel()),
                 workspace.remote().empty()
                     ? "revctl check --target " + base::ShellWord(release->label)
                     : fmt::format("git push {} {}", base::ShellWord(workspace.remote()),
                                   base::ShellWord("HEAD:" + release->branch))};
  TRY(auto policy, workspace.At(landing.target()).Config());
  // A target without a config defines no `land:` commands.
  landing.policy = policy ? policy->land : config::LandPolicy{};
  if (policy && policy->target != workspace.config().target)
    return Error{
        Exit::Usage,
        fmt::format("this branch lands on {}, but the .revctl.yaml there says `target: {}`",
                    workspace.config().target, policy->target),
        "restore `target` in .revctl.yaml; to create a new target branch, push it with git"};
  if (arguments.Has("--by"))
    landing.policy.by = arguments.Value("--by") == "rebase" ? config::LandPolicy::By::Rebase
                                                            : config::LandPolicy::By::Merge;
  if (landing.policy.push != config::LandPolicy::Push::Branch) return Done{};
  if (workspace.remote().empty())
    return Error{Exit::Usage, "`push: branch` needs a remote, but this clone has none",
                 "git remote add origin URL"};
  TRY(PullRequestBranch(landing));
  return Done{};
}

/// Reopens the workspace, because joining the branch with the target may have changed
/// `.revctl.yaml`.
Result<Done> Reopen(Landing& landing, Session& session) {
  TRY(landing.workspace, Workspace::Open(session.directory));
  return Done{};
}

Exit NotLanded(const Landing& landing, Session& session, const std::vector<Finding>& found) {
  session.OutExact(findings::Render(found, session.format, session.colour));
  session.Message("FAILED: not landed; " + AbortAdvice(landing.state));
  return Exit::Findings;
}

Outcome PrintPlan(const Landing& landing, Session& session) {
  TRY(const auto steps, PlanLanding(landing));
  if (session.json()) {
    session.OutJson(Json::Object()
                        .Set("version", 1)
                        .Set("dry_run", true)
                        .Set("branch", landing.state.branch)
                        .Set("target", landing.workspace.TargetLabel())
                        .Set("target_commit", landing.target())
                        .Set("steps", Json::List(steps.begin(), steps.end())));
    return Exit::Fine;
  }
  for (const std::string& step : steps)
    session.Out(fmt::format("would {}\n", findings::Printable(step)));
  return Exit::Fine;
}

/// Makes one attempt to land. Returns nullopt if the attempt loses the push race.
Result<std::optional<Exit>> Try(Landing& landing, const Arguments& arguments, Session& session) {
  const git::Repository& repository = landing.repository();
  TRY(FetchTargetAndPolicy(landing, arguments));
  auto finish = [&](Outcome outcome) -> Result<std::optional<Exit>> {
    if (!outcome.ok()) return outcome.error();
    return std::optional<Exit>(*outcome);
  };
  if (landing.state.landing) {  // an earlier push may have succeeded unnoticed
    auto there = repository.IsAncestor(*landing.state.landing, landing.target());
    if (!there.ok()) return there.error();
    TRY(auto all,
        *there ? repository.IsAncestor(landing.state.head, *landing.state.landing) : there);
    if (all) {
      TRY(FollowTarget(landing, *landing.state.landing));
      return finish(Report(landing, session, Pushed::Landed, *landing.state.landing));
    }
  }
  landing.state.target = landing.target();
  TRY(auto landed, repository.IsAncestor(landing.state.head, landing.target()));
  if (landed) return finish(NothingToLand(landing, session));
  if (arguments.Has("--dry-run")) return finish(PrintPlan(landing, session));
  TRY(auto joined, repository.IsAncestor(landing.target(), landing.state.head));
  if (!joined) {
    TRY(const auto questions, FindQuestions(landing));
    if (!questions.empty()) {
      return std::optional(NotLanded(landing, session, questions));
    }
    TRY(JoinTarget(landing));
    TRY(Reopen(landing, session));
    if (landing.state.head == landing.target()) return finish(NothingToLand(landing, session));
  }
  TRY(auto judged, CheckLanding(landing));
  if (!judged) return std::optional<Exit>();
  std::vector<Finding>& found = *judged;
  if (!findings::HasErrors(found)) {
    TRY(auto unfolded, FoldBranch(landing));
    if (landing.state.fold) {
      TRY(unfolded, CheckFold(landing));
    }
    std::move(unfolded.begin(), unfolded.end(), std::back_inserter(found));
  }
  TRY(found, CheckOwnCommits(landing, std::move(found)));
  if (findings::HasErrors(found)) return std::optional(NotLanded(landing, session, found));
  if (!found.empty()) session.Message(findings::Render(found, findings::Format::Text, false));
  TRY(Verify(landing));
  TRY(auto pushed, PushLanding(landing));
  if (pushed == Pushed::Lost) {
    TRY(TakeBackFold(landing));
    return std::optional<Exit>();
  }
  const git::Oid commit = landing.state.landing.value_or(landing.state.head);
  if (pushed == Pushed::Landed) {
    TRY(FollowTarget(landing, commit));
  }
  return finish(Report(landing, session, pushed, commit));
}

/// Tries until the branch has landed. Gives up only after both a time limit and a number of
/// attempts, because a slow `goldens` or `verify` command may use up the time in a few attempts.
Outcome TryUntilLanded(Landing& landing, const Arguments& arguments, Session& session) {
  const auto begin = Clock::now();
  for (int tries = 1;; ++tries) {
    TRY(auto tried, Try(landing, arguments, session));
    if (tried) return *tried;
    const auto spent = Clock::now() - begin;
    if (git::IsRaceLost(spent, tries, std::chrono::hours(1))) {
      const auto seconds = std::chrono::duration_cast<std::chrono::seconds>(spent).count();
      return Error{Exit::LostRace,
                   fmt::format("lost the push race on {} {} times in {} s; nothing was pushed",
                               landing.workspace.TargetLabel(), tries, seconds),
                   "revctl land"};
    }
    session.Message(landing.workspace.TargetLabel() + " has moved; trying again");
  }
}

Outcome RunLand(const Arguments& arguments, Session& session) {
  for (const auto& pair : {std::pair("--continue", "--abort"), std::pair("--continue", "--dry-run"),
                           std::pair("--abort", "--dry-run"), std::pair("--abort", "--by")}) {
    if (auto both = Contradiction(arguments, {pair.first, pair.second})) return *both;
  }
  const std::string by = arguments.Value("--by");
  if (arguments.Has("--by") && by != "rebase" && by != "merge")
    return Error{Exit::Usage, "--by takes `rebase` or `merge`", "revctl land --help"};
  if (!session.list.empty())
    return Error{Exit::Usage,
                 "land does not accept --list, because a branch lands with all its lists",
                 "revctl land"};
  TRY(auto directory, AbsoluteFolder(session.directory));
  TRY(auto repository, git::OpenRepository(directory));
  auto lock = base::FileLock::Take(
      repository->git_dir() + "/revctl-land.lock", [](const std::string&) {},
      std::chrono::milliseconds(0));
  if (!lock.ok()) {
    lock.error().message =
        "another revctl land is running in this work tree: " + lock.error().message;
    return lock.error();
  }
  if (arguments.Has("--abort")) {
    if (const auto workspace = Workspace::Open(session.directory); workspace.ok())
      TRY(RecoverFold(*workspace, ListenerOf(session)));
    TRY(const auto back, AbortLanding(*repository));
    session.Message(back);
    return Exit::Fine;
  }
  TRY(auto workspace, Workspace::Open(session.directory));
  TRY(auto state, arguments.Has("--continue")
                      ? ContinueLanding(workspace)
                      : BeginLanding(workspace, ListenerOf(session), arguments.Has("--dry-run")));
  Landing landing{std::move(workspace),
                  {ListenerOf(session), ProjectRunnerOf(session)},
                  session.program,
                  std::move(state)};
  if (arguments.Has("--continue")) {
    TRY(ContinueJoin(landing));
    TRY(SaveLandState(landing, LandState::Phase::Idle));
    TRY(Reopen(landing, session));
  }
  auto outcome = TryUntilLanded(landing, arguments, session);
  // After a failure, mark the landing as idle. Otherwise, the next run would assume that this run
  // was killed.
  const bool over = outcome.ok() && *outcome == Exit::Fine;
  if (!over && landing.state.phase != LandState::Phase::Stopped && !arguments.Has("--dry-run")) {
    if (auto back = TakeBackFold(landing); !back.ok() && outcome.ok()) return back.error();
    auto idle = SaveLandState(landing, LandState::Phase::Idle);
    if (!idle.ok() && outcome.ok()) return idle.error();
  }
  return outcome;
}

}  // namespace

Command LandCommand() {
  return {{"land",
           "land this branch on the target",
           "Fetches, rebases or merges, assigns numbers, runs the team's command to record "
           "stale\ngoldens, verifies, checks and pushes the branch. It starts over if others "
           "pushed first.\nIf there are conflicts in code, it stops as git rebase does. The "
           "commands come from `land:` in the\ntarget's .revctl.yaml.",
           "$ revctl land\nOK: landed SR_BOSS_PHASE = 667 on origin/main at 3f2c1d0abc",
           {},
           {{"--by", "HOW", "rebase or merge (default: as set in .revctl.yaml)"},
            {"--dry-run", "", "fetch and print the plan; change nothing"},
            {"--continue", "", "continue after you resolved a conflict"},
            {"--abort", "", "reset the branch to the state before the landing"}}},
          RunLand};
}

}  // namespace revctl::commands
