// Pushes a landing. Reads the remote ref to find out who won a race, because git's output is not
// reliable.
#include "revctl/landing/steps.h"

#include "revctl/base/shell_word.h"
#include "revctl/git/changes.h"
#include "revctl/git/history.h"
#include "revctl/git/remote.h"
#include "revctl/git/settings.h"

namespace revctl::commands {
namespace {

constexpr std::string_view kHeads = "refs/heads/";

/// Returns the commit to push to the target: HEAD or, with `by: merge`, a merge of HEAD whose first
/// parent is the target's tip.
Result<git::Oid> CommitToLand(const Landing& landing) {
  const git::Oid& head = landing.state.head;
  if (landing.policy.by == config::LandPolicy::By::Rebase) return head;
  TRY(auto commit, landing.repository().ReadCommit(head));
  if (commit.parents.size() > 1 && commit.parents.front() == landing.target()) return head;
  TRY(const auto tree, git::TreeOf(landing.repository(), head));
  return git::StoreCommit(landing.repository(), tree, {landing.target(), head},
                          fmt::format("Merge branch '{}'\n", landing.state.branch));
}

/// Moves the local target branch in a repository without a remote, using a compare-and-swap to
/// detect a lost race.
Result<Pushed> MoveLocalTarget(Landing& landing, const git::Oid& commit) {
  const std::string& target = landing.workspace.config().target;
  TRY(const auto elsewhere, git::OtherWorkTreeOn(landing.repository(), target));
  if (!elsewhere.empty())
    return Error{Exit::Usage,
                 fmt::format("{} is checked out in {}, where a push would leave outdated files, "
                             "and there is no remote to push to",
                             target, elsewhere),
                 fmt::format("git -C {} merge {}", base::ShellQuoted(elsewhere),
                             base::ShellWord(landing.state.branch))};
  const std::string ref = std::string(kHeads) + target;
  for (int failures = 0;; ++failures) {
    TRY(const bool moved, landing.repository().UpdateRef(ref, commit, landing.target()));
    if (moved) return Pushed::Landed;
    TRY(const auto now, landing.repository().Resolve(ref));
    if (now != landing.target()) return Pushed::Lost;
    if (!git::WaitForLock(failures)) return git::LockedHere(landing.repository(), ref);
  }
}

Result<Pushed> PushToTarget(Landing& landing, const git::Oid& commit) {
  const Workspace& workspace = landing.workspace;
  const std::string& target = workspace.config().target;
  const git::Oid before = landing.target();
  landing.listener().Note("pushing to " + workspace.TargetLabel());
  for (int failures = 0;; ++failures) {
    TRY(const auto pushed, git::PushBranch(landing.repository(), workspace.remote(),
                                           std::string(kHeads) + target, commit, std::nullopt));
    if (pushed.accepted) return Pushed::Landed;
    TRY(const auto seen, workspace.Fetched(landing.listener(), true));
    if (seen.target) {
      TRY(const bool there, landing.repository().IsAncestor(commit, *seen.target));
      if (there) return Pushed::Landed;
    }
    if (seen.target != before) return Pushed::Lost;
    if (!git::IsRace(pushed.reason))
      return git::Rejected(workspace.remote(), target, pushed,
                           "fix the problem that the server reports, then run revctl land; if the "
                           "branch is protected, set `land: {push: branch}` in its .revctl.yaml");
    if (!git::WaitForLock(failures)) return git::LockedOnServer(workspace.remote(), target, pushed);
  }
}

/// True if the branch has contained all commits of `theirs` at some point, so overwriting `theirs`
/// discards nobody's work.
Result<bool> WasOurs(const Landing& landing, const git::Oid& theirs) {
  auto ancestor = landing.repository().IsAncestor(theirs, landing.state.start);
  if (!ancestor.ok() || *ancestor) return ancestor;
  return git::HasContained(landing.repository(), landing.state.branch, theirs);
}

Result<Pushed> PushPullRequest(Landing& landing) {
  TRY(auto branch, PullRequestBranch(landing));
  const git::Repository& repository = landing.repository();
  const std::string ref = std::string(kHeads) + branch.name,
                    label = branch.remote + "/" + branch.name;
  TRY(auto there, git::ListRemote(repository, branch.remote, {ref}));
  std::optional<git::Oid> lease;
  if (const auto found = there.find(ref); found != there.end()) {
    const git::Oid& theirs = found->second;
    if (theirs == landing.state.head) return Pushed::Prepared;
    TRY(auto known, repository.RevParse(theirs));
    TRY(auto forward,
        known ? repository.IsAncestor(theirs, landing.state.head) : Result<bool>(false));
    if (!forward) {
      TRY(auto ours, known ? WasOurs(landing, theirs) : Result<bool>(false));
      if (!ours)
        return Error{
            Exit::Findings,
            fmt::format("{} has commits that {} does not have, and a push would discard them",
                        label, landing.state.branch),
            fmt::format("git fetch {} {} && git merge FETCH_HEAD, then run revctl land",
                        base::ShellWord(branch.remote), base::ShellWord(branch.name))};
      lease = theirs;
    }
  }
  landing.listener().Note(fmt::format("pushing {}{}", label, lease ? " (--force-with-lease)" : ""));
  for (int failures = 0;; ++failures) {
    TRY(const auto pushed,
        git::PushBranch(repository, branch.remote, ref, landing.state.head, lease));
    if (pushed.accepted) return Pushed::Prepared;
    TRY(const auto now, git::ListRemote(repository, branch.remote, {ref}));
    const bool moved = now.contains(ref) != there.contains(ref) ||
                       (now.contains(ref) && now.at(ref) != there.at(ref));
    if (moved || !git::IsRace(pushed.reason))
      return git::Rejected(
          branch.remote, branch.name, pushed,
          moved ? "revctl land" : "fix the problem that the server reports, then run revctl land");
    if (!git::WaitForLock(failures)) return git::LockedOnServer(branch.remote, branch.name, pushed);
  }
}

}  // namespace

Result<RemoteBranch> PullRequestBranch(const Landing& landing) {
  const git::Repository& repository = landing.repository();
  const std::string section = fmt::format("branch.{}.", landing.state.branch);
  RemoteBranch out{landing.workspace.remote(), landing.state.branch};
  for (const std::string& key : {section + "pushRemote", std::string("remote.pushDefault")}) {
    TRY(auto value, repository.ConfigValue(key));
    if (!value.has_value()) continue;
    if (!config::IsSafeRef(*value))
      return Error{Exit::Usage, fmt::format("git config {} does not name a remote", key),
                   "git config " + base::ShellWord(key)};
    out.remote = *value;
    break;
  }
  // Push to the upstream branch, whose name may differ from the local name. Never push to the
  // target, even if it is the upstream branch.
  TRY(auto upstream, repository.ConfigValue(section + "merge"));
  TRY(auto follows, repository.ConfigValue(section + "remote"));
  if (upstream.has_value() && follows == out.remote && upstream->starts_with(kHeads)) {
    const std::string name = upstream->substr(kHeads.size());
    if (name != landing.workspace.config().target && config::IsSafeRef(name)) out.name = name;
  }
  if (out.name == landing.workspace.config().target)
    return Error{
        Exit::Usage,
        "`push: branch` needs a branch for a pull request, but the current branch is " + out.name,
        "git switch -c NAME, then run revctl land"};
  return out;
}

Result<Done> FollowTarget(Landing& landing, const git::Oid& landed) {
  const git::Repository& repository = landing.repository();
  TRY(const auto head, HeadOf(repository));
  TRY(const bool forward, repository.IsAncestor(head, landed));
  if (!forward || landed == head) return Done{};
  TRY(const auto tree_here, git::TreeOf(repository, head));
  TRY(const auto tree_there, git::TreeOf(repository, landed));
  if (tree_here != tree_there)
    return git::ResetBranch(repository, landed, "cannot move the branch to the landed commit");
  // The landed commit is a merge that exists only on the target. Its tree equals HEAD's, so moving
  // the ref is enough.
  TRY(landing.repository().UpdateRef(std::string(kHeads) + landing.state.branch, landed, head));
  return Done{};
}

Result<Pushed> PushLanding(Landing& landing) {
  if (landing.policy.push == config::LandPolicy::Push::Branch) return PushPullRequest(landing);
  TRY(auto commit, CommitToLand(landing));
  landing.state.landing = commit;
  TRY(WriteLandState(landing.repository(), landing.state));
  auto pushed = landing.workspace.remote().empty() ? MoveLocalTarget(landing, commit)
                                                   : PushToTarget(landing, commit);
  if (pushed.ok() && *pushed == Pushed::Lost) landing.state.landing.reset();
  return pushed;
}

}  // namespace revctl::commands
