// Rebases and merges with the user's git, which uses this program as the merge driver even if the
// driver is not installed.
#include "revctl/landing/steps.h"

#include <algorithm>

#include "revctl/findings/printable.h"
#include "revctl/git/changes.h"
#include "revctl/setup/installation.h"
#include "revctl/tree/work_tree.h"

namespace revctl::commands {
namespace {

/// Returns git settings that make this program the merge driver, and that override any user
/// settings that would make git move other branches, reorder commits or stash changes.
git::Overrides JoinSettings(const Landing& landing) {
  return {
      "rebase.autoStash=false",  "rebase.autoSquash=false",
      "rebase.updateRefs=false", "rebase.backend=merge",
      "merge.autoStash=false",   Installation(landing.workspace, landing.program).DriverSetting()};
}

/// Returns an error that names the conflicting files and, during a rebase, the commit.
Error StoppedAt(const Landing& landing, const std::vector<std::string>& paths,
                const std::string& talk) {
  std::string where;
  auto picked = landing.repository().RevParse("REBASE_HEAD");
  if (picked.ok() && *picked) {
    if (auto commit = landing.repository().ReadCommit(**picked); commit.ok())
      where = fmt::format(" of {} {}", (**picked).substr(0, 10),
                          findings::Quoted(commit->message.substr(0, commit->message.find('\n'))));
  }
  const bool files = !paths.empty();
  auto places = landing.GoldenFolders();
  for (const auto& list : landing.workspace.config().lists)
    places.push_back(landing.workspace.GitPath(list.path));
  const bool ours = std::any_of(paths.begin(), paths.end(),
                                [&](const std::string& path) { return LiesIn(path, places); });
  return {Exit::Findings,
          files ? fmt::format("conflict with {}{} in {}", landing.workspace.TargetLabel(), where,
                              SomeOf(paths))
                : fmt::format("git stopped{}:\n{}", where, git::LastLines(talk)),
          fmt::format(
              "{}{}, then run revctl land --continue (or undo everything with revctl land --abort)",
              ours ? "run revctl fix for the list and goldens; " : "",
              files ? "resolve the conflicts and git add the files" : "fix the cause")};
}

/// Returns success if git finished the step. Otherwise returns an error and, for a conflict, saves
/// the landing as stopped.
Result<Done> CheckJoinResult(Landing& landing, const Result<git::JoinReport>& joined) {
  if (!joined.ok()) return joined.error();
  const git::Repository& repository = landing.repository();
  if (git::OperationIn(repository).empty()) {
    if (joined->ok) return SaveLandState(landing, LandState::Phase::Idle);
    return Error{
        Exit::Environment,
        fmt::format("git failed to rebase or merge {} and {}:\n{}", landing.workspace.TargetLabel(),
                    landing.state.branch, git::LastLines(joined->talk)),
        ""};
  }
  landing.state.phase = LandState::Phase::Stopped;
  TRY(WriteLandState(repository, landing.state));
  TRY(auto changes, ChangesOf(repository));
  return StoppedAt(landing, changes.unmerged, joined->talk);
}

}  // namespace

Result<Done> JoinTarget(Landing& landing) {
  const bool rebase = landing.policy.by == config::LandPolicy::By::Rebase;
  if (landing.head_before_merge && !rebase) {
    TRY(git::ResetBranch(landing.repository(), *landing.head_before_merge,
                         "git reset --keep failed"));
  } else if (!rebase) {
    landing.head_before_merge = landing.state.head;
  }
  const std::string &branch = landing.state.branch, label = landing.workspace.TargetLabel();
  landing.listener().Note(rebase ? fmt::format("rebasing {} onto {}", branch, landing.TargetText())
                                 : fmt::format("merging {} into {}", landing.TargetText(), branch));
  TRY(SaveLandState(landing, LandState::Phase::Joining));
  const git::Overrides settings = JoinSettings(landing);
  return CheckJoinResult(
      landing, rebase ? git::Rebase(landing.repository(), landing.target(), settings)
                      : git::Merge(landing.repository(), landing.target(),
                                   fmt::format("Merge {} into {}", label, branch), settings));
}

Result<Done> ContinueJoin(Landing& landing) {
  const git::Repository& repository = landing.repository();
  const std::string operation = git::OperationIn(repository);
  if (operation.empty()) return Done{};  // the user has already finished the operation with git
  if (operation != "rebase" && operation != "merge")
    return Error{
        Exit::Usage,
        fmt::format("a {} is in progress here, but revctl land did not start it", operation),
        fmt::format("git {0} --continue, or git {0} --abort", operation)};
  return CheckJoinResult(landing,
                         git::ContinueOperation(repository, operation, JoinSettings(landing)));
}

Result<std::string> AbortLanding(const git::Repository& repository) {
  TRY(auto state, ReadLandState(repository));
  if (!state) return Error{Exit::Usage, "no landing to abort in this work tree", "revctl land"};
  const std::string operation = git::OperationIn(repository);
  using Phase = LandState::Phase;
  const bool ours = state->phase == Phase::Stopped || state->phase == Phase::Joining;
  if (!operation.empty()) {
    if (!ours || (operation != "rebase" && operation != "merge"))
      return Error{
          Exit::Usage,
          fmt::format("a {} is in progress here, but revctl land did not start it", operation),
          fmt::format("git {} --abort", operation)};
    TRY(git::AbortOperation(repository, operation));
  }
  const std::string back = "git reset --keep " + state->start.substr(0, 10);
  TRY(auto branch, repository.HeadBranch());
  TRY(auto head, repository.Head());
  if (branch != state->branch || !head || (*head != state->head && head != state->fold))
    return Error{Exit::Usage,
                 state->branch + " has moved since the landing stopped, so it was not reset",
                 fmt::format("to reset it anyway, run this on {}: {}", state->branch, back)};
  if (state->start != *head) {
    TRY(git::ResetBranch(repository, state->start, back + " failed"));
  }
  TRY(RemoveLandState(repository));
  return fmt::format("{} is back at {}", state->branch, state->start.substr(0, 10));
}

}  // namespace revctl::commands
