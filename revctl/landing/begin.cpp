#include "revctl/landing/steps.h"

#include <chrono>
#include <filesystem>
#include <thread>

#include "revctl/base/shell_word.h"
#include "revctl/config/files.h"
#include "revctl/git/changes.h"
#include "revctl/git/index.h"
#include "revctl/pending/pending_file.h"
#include "revctl/tree/work_tree.h"

namespace revctl::commands {
namespace {

/// Returns the files and folders that a landing may change in `phase`.
std::vector<std::string> WrittenIn(const Workspace& workspace, LandState::Phase phase) {
  using Phase = LandState::Phase;
  std::vector<std::string> out;
  if (phase == Phase::Goldens || phase == Phase::Folding)
    out = GoldenFolders(workspace.config(), workspace.GitPath(""));
  if (phase == Phase::Goldens) return out;
  for (const auto& list : workspace.config().lists) {
    out.push_back(workspace.GitPath(list.path));
    if (phase == Phase::Folding) out.push_back(workspace.GitPath(pending::Folder(list)));
  }
  return out;
}

/// Fails if git has left a lock file behind, because the rebase or merge would otherwise stop
/// halfway with a less helpful message from git. First waits up to a second, in case a running git
/// process holds the lock.
Result<base::Done> NoLocks(const git::Repository& repository) {
  std::string locks;
  for (int wait = 0; wait < 10; ++wait) {
    locks.clear();
    for (const char* name : {"index.lock", "HEAD.lock"}) {
      const std::string path = repository.git_dir() + "/" + name;
      std::error_code error;
      if (std::filesystem::exists(path, error)) locks += " " + base::ShellQuoted(path);
    }
    if (locks.empty()) return base::Done{};
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
  }
  return Error{
      Exit::Environment,
      fmt::format("another git process is running in this work tree, or was killed and left{}",
                  locks),
      fmt::format("wait for that process; if none is running: rm{}, then run revctl land", locks)};
}

const char* const kStashed = "revctl land was interrupted while it wrote to this work tree";

/// Removes the untracked files that a killed git process left behind, because they would block the
/// next join. To avoid losing work, removes a file only if its content is a prefix of the target's
/// file.
Result<Done> RemoveLeftOvers(const git::Repository& repository, const git::Oid& target) {
  TRY(const auto untracked, git::UntrackedFiles(repository));
  for (const std::string& path : untracked) {
    auto there = repository.ReadFile(target, path);
    if (!there.ok() || !*there) continue;
    auto here = config::ReadFile(repository.root() + "/" + path, (**there).size());
    if (!here.ok() || !*here || !(**there).starts_with(**here)) continue;
    std::error_code error;
    std::filesystem::remove(repository.root() + "/" + path, error);
  }
  return Done{};
}

/// Copies uncommitted changes to a stash without touching the work tree (`git stash create` and
/// `store`).
Result<Done> KeepWorkTree(const git::Repository& repository, const base::Listener& listener) {
  TRY(const bool kept, git::StashCopy(repository, kStashed));
  if (!kept) return Done{};
  listener.Note("the uncommitted changes were saved to git stash (git stash show -p)");
  return Done{};
}

/// Aborts the rebase or merge that a killed git process left behind, and resets the work tree.
Result<Done> EndJoin(const git::Repository& repository, const base::Listener& listener,
                     const LandState& state, bool dirty) {
  if (dirty) TRY(KeepWorkTree(repository, listener));
  if (git::OperationIn(repository) == "rebase") {
    const auto aborted = git::AbortOperation(repository, "rebase");
    // `git rebase --abort` fails if git was killed early in the rebase. In that case, remove git's
    // state folder, as git itself advises.
    std::error_code error;
    if (!aborted.ok())
      std::filesystem::remove_all(std::filesystem::path(repository.git_dir()) / "rebase-merge",
                                  error);
  }
  TRY(git::ResetToBranch(repository, state.branch));
  return state.target.empty() ? Result<Done>(Done{}) : RemoveLeftOvers(repository, state.target);
}

/// Cleans up after revctl or git was killed while a landing was writing files: saves the changed
/// files with `git stash`, then resets the work tree to the branch's last commit. `places` lists
/// the version lists and golden folders, the only paths that a landing itself writes.
Result<Done> RecoverKilled(const git::Repository& repository, const base::Listener& listener,
                           const LandState& state, const std::vector<std::string>& places) {
  // Only the golden and folding phases create files. The numbering phase writes only tracked files.
  const bool adds_files =
      state.phase == LandState::Phase::Goldens || state.phase == LandState::Phase::Folding;
  TRY(auto changes, ChangesOf(repository, adds_files ? places : std::vector<std::string>{}));
  if (state.phase == LandState::Phase::Joining) {
    const bool running = !git::OperationIn(repository).empty();
    if (running && !changes.unmerged.empty())
      return Error{
          Exit::Findings,
          fmt::format("the landing of {} has stopped at a conflict in {}", state.branch,
                      SomeOf(changes.unmerged)),
          "resolve the conflicts and git add the files, then run revctl land --continue; or "
          "revctl land --abort"};
    if (!running && changes.tracked.empty()) return RemoveLeftOvers(repository, state.target);
    listener.Note(fmt::format(
        "the landing of {} was interrupted during a rebase or merge; starting over", state.branch));
    return EndJoin(repository, listener, state, !changes.tracked.empty());
  }
  if (changes.tracked.empty() && changes.untracked.empty()) return Done{};
  for (const std::string& path : changes.tracked) {
    if (!LiesIn(path, places)) return Done{};  // the landing did not write this file
  }
  std::vector<std::string> present;
  for (const std::string& place : places) {
    if (std::filesystem::exists(repository.root() + "/" + place)) present.push_back(place);
  }
  TRY(git::StashFolders(repository, present, kStashed));
  listener.Note(fmt::format(
      "the landing of {} was interrupted while it wrote {}, which was saved to git stash; starting "
      "over",
      state.branch, SomeOf(changes.tracked.empty() ? changes.untracked : changes.tracked)));
  return Done{};
}

}  // namespace

Result<LandState> BeginLanding(const Workspace& workspace, const base::Listener& listener,
                               bool dry_run) {
  using Phase = LandState::Phase;
  const git::Repository& repository = workspace.repository();
  TRY(NoLocks(repository));
  if (!dry_run) TRY(RecoverFold(workspace, listener));
  TRY(auto saved, ReadLandState(repository));
  const bool killed = saved && saved->phase != Phase::Idle && saved->phase != Phase::Stopped;
  std::string operation = git::OperationIn(repository);
  if (saved && saved->phase == Phase::Stopped && !operation.empty())
    return Error{Exit::Usage,
                 fmt::format("the landing of {} has stopped at a conflict", saved->branch),
                 "revctl land --continue, or revctl land --abort"};
  TRY(auto branch, repository.HeadBranch());
  const bool rebasing = killed && saved->phase == Phase::Joining && operation == "rebase";
  if (killed && !dry_run && (rebasing || branch == saved->branch)) {
    TRY(RecoverKilled(repository, listener, *saved, WrittenIn(workspace, saved->phase)));
    operation = git::OperationIn(repository);
    TRY(branch, repository.HeadBranch());
  }
  if (!operation.empty())
    return Error{Exit::Usage, fmt::format("a {} is in progress in this work tree", operation),
                 operation == "bisect"
                     ? "git bisect reset"
                     : fmt::format("git {0} --continue, or git {0} --abort", operation)};
  if (!branch)
    return Error{Exit::Usage, "HEAD is detached, so there is no branch to land",
                 "git switch -c NAME, then run revctl land"};
  TRY(auto head, repository.Head());
  if (!head)
    return Error{Exit::Usage, *branch + " has no commit yet", "git commit, then run revctl land"};
  TRY(auto changes, ChangesOf(repository));
  if (!changes.tracked.empty())
    return Error{Exit::Usage, "uncommitted changes would not land: " + SomeOf(changes.tracked),
                 "git commit or git stash, then run revctl land"};
  LandState state;
  if (saved) state = *saved;  // a verified tree stays verified on any branch
  if (state.fold && state.fold == *head && state.branch == *branch) {
    TRY(const auto fold, repository.ReadCommit(*head));
    head = fold.parents.front();
    state.head = *head;
    if (!dry_run) {
      TRY(git::ResetBranch(repository, *head, "cannot undo the fold of an earlier landing"));
      TRY(WriteIncludes(workspace, workspace.config()));
    }
  }
  state.fold.reset();
  if (state.branch != *branch || state.head != *head) {
    // Forget the unconfirmed push only if the user has switched branches. A different HEAD does not
    // show that the push failed, because the pushed commit may be a merge that exists only on the
    // target.
    if (state.branch != *branch) state.landing.reset();
    state.branch = *branch;
    state.start = *head;
  }
  state.head = *head;
  state.phase = Phase::Idle;
  return state;
}

Result<LandState> ContinueLanding(const Workspace& workspace) {
  using Phase = LandState::Phase;
  TRY(auto saved, ReadLandState(workspace.repository()));
  if (!saved || (saved->phase != Phase::Stopped && saved->phase != Phase::Joining))
    return Error{Exit::Usage, "no stopped landing in this work tree", "revctl land"};
  if (git::OperationIn(workspace.repository()).empty()) {
    TRY(auto branch, workspace.repository().HeadBranch());
    if (branch != saved->branch)
      return Error{
          Exit::Usage, "the stopped landing belongs to branch " + saved->branch,
          fmt::format("git switch {}, then run revctl land", base::ShellWord(saved->branch))};
  }
  return *saved;
}

}  // namespace revctl::commands
