// Each attempt fetches, joins, numbers, checks, verifies and pushes. A lost push race starts the
// next attempt.
#include "revctl/landing/landing.h"

#include <algorithm>
#include <chrono>

#include "revctl/base/file_lock.h"
#include "revctl/base/shell_word.h"
#include "revctl/commands/table.h"
#include "revctl/findings/finding.h"
#include "revctl/git/remote.h"
#include "revctl/landing/begin.h"
#include "revctl/landing/join.h"
#include "revctl/landing/plan.h"
#include "revctl/landing/push.h"
#include "revctl/landing/steps.h"
#include "revctl/session/progress_line.h"
#include "revctl/tree/tree.h"
#include "revctl/tree/work_tree.h"
#include "revctl/workspace/releases.h"

namespace revctl::commands {
namespace {

using findings::Finding;
using findings::Severity;
using Clock = std::chrono::steady_clock;

std::string Listed(const std::vector<LandedRevision>& revisions, const std::string& branch) {
  std::string out;
  for (const LandedRevision& revision : revisions)
    out += fmt::format("{}{} = {}", out.empty() ? "" : ", ", revision.name, revision.number);
  return out.empty() ? branch : out;
}

Outcome Report(Landing& landing, Pushed pushed, const git::Oid& commit) {
  TRY(auto revisions, NewRevisions(landing.workspace, landing.state.target, commit));
  std::string where = landing.workspace.TargetLabel();
  if (pushed == Pushed::Prepared) {
    TRY(auto branch, PullRequestBranch(landing));
    where = branch.remote + "/" + branch.name;
  }
  TRY(RemoveLandState(landing.repository()));
  if (landing.session.json()) {
    Json::List items;
    for (const LandedRevision& revision : revisions)
      items.push_back(Json::Object()
                          .Set("list", revision.list)
                          .Set("name", revision.name)
                          .Set("number", revision.number));
    landing.session.OutJson(Json::Object()
                                .Set("version", 1)
                                .Set("landed", pushed == Pushed::Landed)
                                .Set("branch", landing.state.branch)
                                .Set("on", where)
                                .Set("target", landing.workspace.TargetLabel())
                                .Set("commit", commit)
                                .Set("revisions", std::move(items)));
  } else {
    const std::string what = Listed(revisions, landing.state.branch), id = commit.substr(0, 10);
    landing.session.Out(pushed == Pushed::Landed
                            ? fmt::format("landed {} on {} at {}\n", what, where, id)
                            : fmt::format("pushed {} on {} at {}: ready to be merged into {}\n",
                                          what, where, id, landing.workspace.TargetLabel()));
  }
  return Exit::Fine;
}

Outcome NothingToLand(Landing& landing) {
  TRY(RemoveLandState(landing.repository()));
  const std::string text =
      fmt::format("{} has all of {}", landing.workspace.TargetLabel(), landing.state.branch);
  if (landing.session.json()) {
    landing.session.OutJson(Json::Object()
                                .Set("version", 1)
                                .Set("landed", false)
                                .Set("branch", landing.state.branch)
                                .Set("on", landing.workspace.TargetLabel())
                                .Set("target", landing.workspace.TargetLabel())
                                .Set("commit", landing.target())
                                .Set("revisions", Json::List()));
  } else {
    landing.session.Out(fmt::format("nothing to land: {}\n", text));
  }
  return Exit::Fine;
}

/// Fetches the target and the ledger, and reads the target's landing policy.
Result<Done> FetchTargetAndPolicy(Landing& landing, const Arguments& arguments) {
  const Workspace& workspace = landing.workspace;
  TRY(auto seen, workspace.Fetched(ListenerOf(landing.session), !workspace.NeedsLedger()));
  landing.seen = std::move(seen);
  if (!landing.seen.target)
    return Error{Exit::Usage, workspace.TargetLabel() + " does not exist yet",
                 workspace.remote().empty()
                     ? "git branch " + base::ShellWord(workspace.config().target)
                     : fmt::format("git push {} {}", base::ShellWord(workspace.remote()),
                                   base::ShellWord("HEAD:" + workspace.config().target))};
  TRY(const auto release, FindReleaseHere(workspace.Releases(landing.seen.target)));
  if (release)
    return Error{Exit::Findings,
                 fmt::format("this branch is for {}, and land joins it with {}", release->branch,
                             workspace.TargetLabel()),
                 workspace.remote().empty()
                     ? "revctl check --target " + base::ShellWord(release->label)
                     : fmt::format("git push {} {}", base::ShellWord(workspace.remote()),
                                   base::ShellWord("HEAD:" + release->branch))};
  TRY(auto policy, workspace.At(landing.target()).Config());
  // Until the target has a config there is nothing to run.
  landing.policy = policy ? policy->land : config::LandPolicy{};
  if (policy && policy->target != workspace.config().target)
    return Error{Exit::Usage,
                 fmt::format("this branch lands on {}, whose own .revctl.yaml says `target: {}`",
                             workspace.config().target, policy->target),
                 "put `target` of .revctl.yaml back; a new target branch is pushed by hand"};
  if (arguments.Has("--by"))
    landing.policy.by = arguments.Value("--by") == "rebase" ? config::LandPolicy::By::Rebase
                                                            : config::LandPolicy::By::Merge;
  if (landing.policy.push != config::LandPolicy::Push::Branch) return Done{};
  if (workspace.remote().empty())
    return Error{Exit::Usage, "`push: branch` needs a remote, and there is none", "git remote add"};
  TRY(PullRequestBranch(landing));
  return Done{};
}

/// Reads `.revctl.yaml` again, because the join may have changed it.
Result<Done> Reopen(Landing& landing) {
  TRY(auto workspace, Workspace::Open(landing.session.directory));
  landing.workspace = std::move(workspace);
  return Done{};
}

/// Makes one attempt. Returns nullopt if the push race was lost.
Result<std::optional<Exit>> Try(Landing& landing, const Arguments& arguments) {
  const git::Repository& repository = landing.repository();
  TRY(FetchTargetAndPolicy(landing, arguments));
  auto finish = [&](Outcome outcome) -> Result<std::optional<Exit>> {
    if (!outcome.ok()) return outcome.error();
    return std::optional<Exit>(*outcome);
  };
  if (landing.state.landing) {  // an earlier push is unconfirmed
    auto there = repository.IsAncestor(*landing.state.landing, landing.target());
    if (!there.ok()) return there.error();
    TRY(auto all,
        *there ? repository.IsAncestor(landing.state.head, *landing.state.landing) : there);
    if (all) {
      TRY(FollowTarget(landing, *landing.state.landing));
      return finish(Report(landing, Pushed::Landed, *landing.state.landing));
    }
  }
  landing.state.target = landing.target();
  TRY(auto landed, repository.IsAncestor(landing.state.head, landing.target()));
  if (landed) return finish(NothingToLand(landing));
  if (arguments.Has("--dry-run")) return finish(PlanLanding(landing));
  TRY(auto joined, repository.IsAncestor(landing.target(), landing.state.head));
  if (!joined) {
    TRY(const auto questions, FindQuestions(landing));
    if (!questions.empty()) {
      landing.session.OutExact(
          findings::Render(questions, landing.session.format, landing.session.colour));
      landing.session.Message("not landed; " + AbortAdvice(landing.state));
      return std::optional<Exit>(Exit::Findings);
    }
    TRY(JoinTarget(landing));
    TRY(Reopen(landing));
    if (landing.state.head == landing.target()) return finish(NothingToLand(landing));
  }
  TRY(auto judged, CheckLanding(landing));
  if (!judged) return std::optional<Exit>();
  std::vector<Finding>& found = *judged;
  TRY(CheckOwnCommits(landing, found));
  const bool broken = std::any_of(found.begin(), found.end(),
                                  [](const Finding& f) { return f.severity == Severity::Error; });
  if (broken) {
    landing.session.OutExact(
        findings::Render(found, landing.session.format, landing.session.colour));
    landing.session.Message("not landed; " + AbortAdvice(landing.state));
    return std::optional<Exit>(Exit::Findings);
  }
  if (!found.empty())
    landing.session.Message(findings::Render(found, findings::Format::Text, false));
  TRY(Verify(landing));
  TRY(auto pushed, PushLanding(landing));
  if (pushed == Pushed::Lost) return std::optional<Exit>();
  const git::Oid commit = landing.state.landing.value_or(landing.state.head);
  if (pushed == Pushed::Landed) {
    TRY(FollowTarget(landing, commit));
  }
  return finish(Report(landing, pushed, commit));
}

/// Gives up after both a time and a number of attempts, because `goldens` and `verify` may be slow.
Outcome TryUntilLanded(Landing& landing, const Arguments& arguments) {
  const auto begin = Clock::now();
  for (int tries = 1;; ++tries) {
    TRY(auto tried, Try(landing, arguments));
    if (tried) return *tried;
    const auto spent = Clock::now() - begin;
    if (git::IsRaceLost(spent, tries, std::chrono::hours(1))) {
      const auto seconds = std::chrono::duration_cast<std::chrono::seconds>(spent).count();
      return Error{Exit::LostRace,
                   fmt::format("others landed on {} first, {} times in {} s; nothing was pushed",
                               landing.workspace.TargetLabel(), tries, seconds),
                   "revctl land again"};
    }
    landing.session.Message(landing.workspace.TargetLabel() + " has moved: again");
  }
}

Outcome RunLand(const Arguments& arguments, Session& session) {
  for (const auto& pair : {std::pair("--continue", "--abort"), std::pair("--continue", "--dry-run"),
                           std::pair("--abort", "--dry-run"), std::pair("--abort", "--by")}) {
    if (auto both = Contradiction(arguments, {pair.first, pair.second})) return *both;
  }
  const std::string by = arguments.Value("--by");
  if (arguments.Has("--by") && by != "rebase" && by != "merge")
    return Error{Exit::Usage, "--by rebase, or --by merge", "revctl land --help"};
  if (!session.list.empty())
    return Error{Exit::Usage, "a branch lands with all its lists", "leave --list out"};
  TRY(auto directory, AbsoluteFolder(session.directory));
  TRY(auto repository, git::OpenRepository(directory));
  auto lock = base::FileLock::Take(
      repository->git_dir() + "/revctl-land.lock", [](const std::string&) {},
      std::chrono::milliseconds(0));
  if (!lock.ok()) {
    lock.error().message =
        "another revctl land is at work in this work tree: " + lock.error().message;
    return lock.error();
  }
  if (arguments.Has("--abort")) {
    TRY(AbortLanding(*repository, session));
    return Exit::Fine;
  }
  TRY(auto workspace, Workspace::Open(session.directory));
  TRY(auto state, arguments.Has("--continue")
                      ? ContinueLanding(workspace)
                      : BeginLanding(workspace, session, arguments.Has("--dry-run")));
  Landing landing{session, std::move(workspace), std::move(state), {}, {}};
  if (arguments.Has("--continue")) {
    TRY(ContinueJoin(landing));
    TRY(SaveLandState(landing, LandState::Phase::Idle));
    TRY(Reopen(landing));
  }
  auto outcome = TryUntilLanded(landing, arguments);
  // After an error, mark the landing as idle. The next run would treat it as killed otherwise.
  const bool over = outcome.ok() && *outcome == Exit::Fine;
  if (!over && landing.state.phase != LandState::Phase::Stopped && !arguments.Has("--dry-run")) {
    auto idle = SaveLandState(landing, LandState::Phase::Idle);
    if (!idle.ok() && outcome.ok()) return idle.error();
  }
  return outcome;
}

}  // namespace

Command LandCommand() {
  return {
      {"land",
       "one command from \"done\" to \"on the target\"",
       "Fetches, rebases or merges, gives numbers, has stale goldens recorded again, verifies,\n"
       "checks and pushes the branch in the work tree; again when others were faster. At a\n"
       "conflict in code it stops as a rebase does. The commands come from `land:` in the\n"
       "target's .revctl.yaml.",
       "$ revctl land\nlanded SR_BOSS_PHASE = 667 on origin/main at 3f2c1d0abc",
       {},
       {{"--by", "HOW", "rebase or merge, whatever .revctl.yaml says", Hint::None},
        {"--dry-run", "", "fetch, say what would be done, change nothing", Hint::None},
        {"--continue", "", "go on after a conflict was mended", Hint::None},
        {"--abort", "", "take the branch back to where the landing began", Hint::None}}},
      RunLand};
}

}  // namespace revctl::commands
