#include <fmt/core.h>

#include <algorithm>
#include <chrono>
#include <map>
#include <set>

#include "revctl/base/counted.h"
#include "revctl/base/shell_word.h"
#include "revctl/commands/table.h"
#include "revctl/findings/printable.h"
#include "revctl/findings/rule_table.h"
#include "revctl/folding/make_fold.h"
#include "revctl/git/changes.h"
#include "revctl/git/history.h"
#include "revctl/git/remote.h"
#include "revctl/pending/pending_file.h"
#include "revctl/session/progress_line.h"
#include "revctl/session/project_command.h"
#include "revctl/workspace/list_source.h"
#include "revctl/workspace/list_view.h"
#include "revctl/workspace/pending_files.h"
#include "revctl/workspace/releases.h"

namespace revctl::commands {
namespace {

constexpr std::chrono::seconds kPatience{60};

FoldCallbacks CallbacksOf(Session& session) {
  return {ListenerOf(session), ProjectRunnerOf(session)};
}

/// Returns the summary line, which begins with the result, such as `OK: folded 2 revisions on main
/// at 3f2c1d0abc`.
std::string StatusOf(std::size_t folded, std::size_t returned, std::size_t blocked,
                     const std::string& where) {
  const std::string done =
      folded != 0 ? "folded " + base::Counted(folded, "revision")
      : returned != 0
          ? "nothing to fold; removed " + base::Counted(returned, "file") + " that had reappeared"
          : "nothing to fold";
  if (blocked == 0) return fmt::format("OK: {} on {}", done, where);
  return fmt::format("FAILED: {} cannot be folded (see above); {} on {}",
                     base::Counted(blocked, "pending file"), done, where);
}

/// Prints which revisions were folded and which were not, with the reasons. `where` is the branch
/// or folder, and `commit` is empty outside a repository.
Exit Report(Session& session, const std::vector<FoldedList>& lists, bool done,
            const std::string& commit, const std::string& where) {
  std::string text;
  Json::List folded, returned, blocked;
  for (const FoldedList& list : lists) {
    for (const pending::Numbered& one : list.plan.order) {
      if (!done) break;
      text += fmt::format("{} = {}\n", one.name, one.number);
      folded.push_back(Json::Object()
                           .Set("list", list.config.name)
                           .Set("name", one.name)
                           .Set("number", one.number));
    }
    for (const std::string& name : list.plan.returned) {
      text += pending::FilePath(list.config, name) +
              " is removed, because it reappeared after its fold\n";
      returned.push_back(name);
    }
    for (const pending::Blocked& one : list.plan.blocked) {
      blocked.push_back(Json::Object()
                            .Set("rule", findings::NameOf(findings::RuleId::PendingFile))
                            .Set("list", list.config.name)
                            .Set("name", one.name)
                            .Set("file", pending::Folder(list.config) + "/" + one.file_name)
                            .Set("message", one.why)
                            .Set("fix", FixText(one.fix)));
    }
    for (const std::string& line : BlockedLines(list.config, list.plan))
      session.Message(
          fmt::format("revctl: {}: {}", findings::NameOf(findings::RuleId::PendingFile), line));
  }
  const std::string status =
      StatusOf(folded.size(), returned.size(), blocked.size(),
               commit.empty() ? where : fmt::format("{} at {}", where, commit.substr(0, 10)));
  const Exit exit = blocked.empty() ? Exit::Fine : Exit::Findings;
  if (session.json()) {
    session.OutJson(Json::Object()
                        .Set("version", 1)
                        .Set("commit", commit.empty() ? Json() : Json(commit))
                        .Set("folded", std::move(folded))
                        .Set("returned", std::move(returned))
                        .Set("blocked", std::move(blocked)));
  } else {
    session.Out(text);
    session.Message(status);
  }
  return exit;
}

Exit Report(Session& session, const MadeFold& made, const std::string& where) {
  return Report(session, made.fold.lists, made.commit.has_value(), made.commit.value_or(""), where);
}

/// Implements `fold --in`, which folds in a folder that need not be in a repository.
Outcome FoldInFolder(const Arguments& arguments, Session& session) {
  for (const char* const option : {"--push", "--branch", "--at"}) {
    if (auto both = Contradiction(arguments, {"--in", option})) return *both;
  }
  TRY(const auto folder, OpenConfigFolder(session.directory, arguments.Value("--in")));
  TRY(const auto named, ListsNamed(folder.config, session.list));
  if (std::none_of(named.begin(), named.end(), [](const auto* list) { return AtLanding(*list); }))
    return Error{Exit::Usage, "no list in .revctl.yaml has `numbers: at-landing`",
                 "numbers: at-landing   # in the list's entry in .revctl.yaml"};
  TRY(const auto lists, FoldFolder(folder.root, named));
  return Report(session, lists, true, "", folder.root);
}

/// Folds in the work tree of the target branch: creates the commit and updates the files that it
/// changes.
Outcome FoldHere(const Workspace& workspace, FoldQuestion question, Session& session) {
  const git::Repository& repository = workspace.repository();
  TRY(auto branch, repository.HeadBranch());
  if (branch.value_or("") != workspace.config().target)
    return Error{Exit::Usage,
                 fmt::format("numbers are assigned on {}, but the current branch is {}",
                             workspace.config().target, branch.value_or("no branch")),
                 fmt::format("git switch {}{}", base::ShellWord(workspace.config().target),
                             workspace.remote().empty() ? "" : ", or revctl fold --push")};
  if (const std::string operation = git::OperationIn(repository); !operation.empty())
    return Error{Exit::Usage, fmt::format("a {} is in progress in this work tree", operation),
                 fmt::format("git {0} --continue, or git {0} --abort", operation)};
  TRY(auto head, repository.Head());
  if (!head) return Error{Exit::Usage, workspace.config().target + " has no commit yet", ""};
  question.base = *head;
  question.base_label = workspace.config().target;
  TRY(auto made, MakeFold(workspace, question, CallbacksOf(session)));
  if (made.commit) {
    // Like `git checkout`, UpdateWorkTree keeps edits in other files, but fails if the user has
    // edited files that the fold changes. If revctl is killed after this step, the fold remains
    // staged, and the next run creates the same commit.
    const auto moved = git::UpdateWorkTree(repository, question.base, *made.commit);
    if (!moved.ok())
      return Error{
          Exit::Usage,
          "uncommitted changes in files that the fold would change:\n" + moved.error().message,
          "commit or stash them, then run revctl fold"};
    TRY(auto set, workspace.repository().UpdateRef("refs/heads/" + workspace.config().target,
                                                   *made.commit, question.base));
    if (!set)
      return Error{Exit::LostRace, workspace.config().target + " moved while the fold was running",
                   "git status, then run revctl fold"};
    for (const FoldedList& list : made.fold.lists) {
      TRY(WriteInclude(workspace.root(), list.config));
    }
  }
  return Report(session, made, workspace.config().target);
}

/// Returns the tip of `branch` on the remote, or nullopt if the branch does not exist.
Result<std::optional<git::Oid>> TipThere(const Workspace& workspace, const std::string& branch) {
  const std::string ref = "refs/heads/" + branch,
                    here = "refs/remotes/" + workspace.remote() + "/" + branch;
  TRY(auto there, git::ListRemote(workspace.repository(), workspace.remote(), {ref}));
  if (!there.contains(ref)) return std::optional<git::Oid>();
  TRY(auto fetched, git::Fetch(workspace.repository(), workspace.remote(), {{ref, here, true}}));
  if (!fetched.ok)
    return Error{
        Exit::Environment,
        fmt::format("cannot fetch {} from {}:\n{}", branch, workspace.remote(), fetched.talk), ""};
  return workspace.repository().Resolve(here);
}

/// True if `tip` does nothing but fold its parent, and the parent is a commit of the target.
/// Overwriting `tip` then discards nobody's work. Changes to goldens are ignored, because people do
/// not edit goldens.
Result<bool> IsOldFold(const Workspace& workspace, const git::Oid& tip, const git::Oid& target) {
  const git::Repository& repository = workspace.repository();
  TRY(const auto commit, repository.ReadCommit(tip));
  if (commit.parents.size() != 1) return false;
  TRY(const bool landed, repository.IsAncestor(commit.parents[0], target));
  if (!landed) return false;
  TRY(const auto differing, git::FilesBetween(repository, commit.parents[0], tip));
  if (!differing)
    return Error{Exit::Environment,
                 fmt::format("cannot compare {} with its parent", tip.substr(0, 10)), "git fsck"};
  std::set<std::string> changed(differing->begin(), differing->end());
  const auto file_of = [&](const FoldedList& list, const std::string& name) {
    return workspace.GitPath(pending::FilePath(list.config, name));
  };
  const FoldQuestion then{&repository, workspace.GitPath(""), commit.parents[0],
                          "",          std::nullopt,          ""};
  auto fold = PlanFold(then);
  std::map<std::string, std::string> left_pending;
  if (!fold.ok()) return false;
  for (const FoldedList& list : fold->lists) {
    for (const pending::Numbered& one : list.plan.order) {
      if (!changed.contains(file_of(list, one.name))) left_pending.emplace(one.name, "");
    }
  }
  if (!left_pending.empty()) fold = PlanFold(then, left_pending);
  if (!fold.ok()) return false;
  for (const FoldedList& list : fold->lists) {
    const std::string path = workspace.GitPath(list.config.path);
    TRY(const auto text, repository.ReadFile(tip, path));
    if (text != list.text) return false;
    changed.erase(path);
    for (const pending::Numbered& one : list.plan.order) changed.erase(file_of(list, one.name));
    for (const std::string& name : list.plan.returned) changed.erase(file_of(list, name));
    std::erase_if(changed, [&](const std::string& file) {
      return !list.config.golden.empty() &&
             file.starts_with(workspace.GitPath(list.config.golden) + "/");
    });
  }
  return changed.empty();
}

/// Folds on the remote and pushes to `branch`, which is the target or a branch for a pull request.
/// After a lost push race, replays the fold on the new tip. Reads the remote ref to find out who
/// won, because git's output is not reliable.
Outcome FoldThere(const Workspace& workspace, FoldQuestion question, const std::string& branch,
                  Session& session) {
  if (workspace.remote_missing()) return *workspace.remote_missing();
  if (workspace.remote().empty())
    return Error{Exit::Usage, "there is no remote to push to",
                 "revctl fold, on " + workspace.config().target};
  const std::string& target = workspace.config().target;
  const bool direct = branch == target;
  question.base_label = workspace.TargetLabel();
  const auto begin = std::chrono::steady_clock::now();
  int unmoved = 0;  // consecutive failed pushes during which the ref did not move
  MadeFold last;    // the last fold whose push was rejected, to be replayed
  for (;;) {
    TRY(auto tip, TipThere(workspace, target));
    if (!tip)
      return Error{Exit::Environment, workspace.TargetLabel() + " does not exist", "git push"};
    if (last.commit) {
      TRY(auto there, workspace.repository().IsAncestor(*last.commit, *tip));
      if (there && direct) return Report(session, last, question.base_label);
    }
    question.base = *tip;
    std::optional<MadeFold> again;
    if (last.commit) {
      TRY(again, ReplayFold(question, last));
    }
    if (!again) {
      TRY(again, MakeFold(workspace, question, CallbacksOf(session)));
    }
    MadeFold made = std::move(*again);
    if (!made.commit) return Report(session, made, question.base_label);
    std::optional<git::Oid> lease;
    if (!direct) {
      TRY(auto old, TipThere(workspace, branch));
      if (old) {
        TRY(auto ours, IsOldFold(workspace, *old, question.base));
        if (!ours)
          return Error{Exit::Findings,
                       fmt::format("{}/{} already exists, and revctl fold did not create it",
                                   workspace.remote(), branch),
                       "revctl fold --branch OTHER_NAME"};
        auto same_base = workspace.repository().ReadCommit(*old);
        auto one = git::TreeOf(workspace.repository(), *old),
             two = git::TreeOf(workspace.repository(), *made.commit);
        if (same_base.ok() && one.ok() && two.ok() && *one == *two &&
            same_base->parents[0] == question.base) {
          made.commit = *old;
          return Report(session, made, workspace.remote() + "/" + branch);
        }
        lease = *old;
      }
    }
    TRY(auto report, git::PushBranch(workspace.repository(), workspace.remote(),
                                     "refs/heads/" + branch, *made.commit, lease));
    if (report.accepted) return Report(session, made, workspace.remote() + "/" + branch);
    last = std::move(made);
    TRY(auto now, TipThere(workspace, branch));
    const bool moved = direct ? now != question.base : now != lease;
    if (!moved && !git::IsRace(report.reason))
      return git::Rejected(
          workspace.remote(), branch, report,
          direct ? "fix the problem that the server reports; if the branch is protected, push "
                   "a branch for a pull request: revctl fold --branch fold-revisions"
                 : "fix the problem that the server reports");
    unmoved = moved ? 0 : unmoved + 1;
    if (unmoved > 0 && !git::WaitForLock(unmoved - 1))
      return git::LockedOnServer(workspace.remote(), branch, report);
    if (std::chrono::steady_clock::now() - begin > kPatience)
      return Error{Exit::LostRace, "lost the push race on " + branch + " on every attempt",
                   "revctl fold"};
    session.Progress("lost the push race; repeating the fold on " + question.base_label);
  }
}

Outcome RunFold(const Arguments& arguments, Session& session) {
  if (auto both = Contradiction(arguments, {"--push", "--branch"})) return *both;
  if (arguments.Has("--in")) return FoldInFolder(arguments, session);
  TRY(auto workspace, Workspace::Open(session.directory));
  TRY(auto lists, workspace.Lists(session.list));
  if (std::none_of(lists.begin(), lists.end(), [](const auto* list) { return AtLanding(*list); })) {
    TRY(const auto seen, workspace.LastSeen(ListenerOf(session)));
    TRY(const auto release, FindReleaseHere(workspace.Releases(seen.target)));
    return Error{Exit::Usage, "no list in .revctl.yaml has `numbers: at-landing`",
                 release
                     ? "nothing to do: a release takes its numbers from " + workspace.TargetLabel()
                     : "revctl land; to switch the list instead: revctl init --numbers at-landing"};
  }
  const std::string branch = arguments.Value("--branch");
  if (arguments.Has("--branch") &&
      (!config::IsSafeRef(branch) || branch == workspace.config().target ||
       workspace.config().IsRelease(branch)))
    return Error{
        Exit::Usage,
        fmt::format("--branch {} cannot be used for a pull request", findings::Quoted(branch)),
        "revctl fold --branch fold-revisions"};
  TRY(const auto lock, workspace.LockLists(ListenerOf(session)));
  TRY(RecoverFold(workspace, ListenerOf(session)));
  FoldQuestion question{
      &workspace.repository(), workspace.GitPath(""), {}, "", std::nullopt, session.list};
  if (arguments.Has("--at")) {
    TRY(auto at, workspace.repository().RevParse(arguments.Value("--at")));
    if (!at)
      return Error{
          Exit::Usage,
          fmt::format("--at {}: no such commit", findings::Quoted(arguments.Value("--at"))),
          "git fetch"};
    question.at = std::move(at);
  }
  if (arguments.Has("--push"))
    return FoldThere(workspace, question, workspace.config().target, session);
  if (arguments.Has("--branch")) return FoldThere(workspace, question, branch, session);
  return FoldHere(workspace, question, session);
}

}  // namespace

Command FoldCommand() {
  return {
      {"fold",
       "assign numbers to the pending revisions on the target",
       "For lists with `numbers: at-landing`: turns the target's pending files into entries of the "
       "list,\nin one commit. Without options it commits in this work tree, which must be on the "
       "target; a CI\njob runs it with --push. A file that cannot be folded stays pending and is "
       "reported.",
       "$ revctl fold --push\nSR_BOSS_PHASE = 667",
       {},
       {{"--push", "", "fold on the remote's target, not on the checked-out branch"},
        {"--in", "FOLDER", "fold in this folder without committing; works without git",
         Hint::Folder},
        {"--branch", "NAME", "push to this branch, for a pull request, and not to the target",
         Hint::Ref},
        {"--at", "COMMIT", "fold only revisions that are pending at this commit", Hint::Ref}}},
      RunFold};
}

}  // namespace revctl::commands
