#include "revctl/gate/check_target.h"

#include <cstdlib>
#include <set>

#include "revctl/base/shell_word.h"
#include "revctl/findings/printable.h"
#include "revctl/git/remote.h"
#include "revctl/tree/tree.h"
#include "revctl/workspace/releases.h"

namespace revctl::commands {

Result<git::Oid> NamedCommit(const Workspace& workspace, const std::string& what,
                             const char* option) {
  // Reject an ambiguous name, because git would pick the tag, and anyone can push a tag.
  std::vector<std::string> named;
  std::set<git::Oid> meant;
  for (const char* lead : {"refs/", "refs/tags/", "refs/heads/", "refs/remotes/"}) {
    auto there = workspace.repository().Resolve(lead + what);
    if (!there.ok() || !*there) continue;
    named.push_back(lead + what);
    meant.insert(**there);
  }
  if (meant.size() > 1)
    return Error{Exit::Environment,
                 fmt::format("{} {} is ambiguous: it names {} and {}", option, what, named.front(),
                             named.back()),
                 fmt::format("write the full name: {} {}", option, base::ShellWord(named.back()))};
  TRY(auto id, workspace.repository().RevParse(what));
  if (!id)
    return Error{
        Exit::Environment, fmt::format("{} {}: this clone has no such commit", option, what),
        fmt::format("git fetch {} (in GitHub Actions: fetch-depth: 0)",
                    workspace.remote().empty() ? "REMOTE" : base::ShellWord(workspace.remote()))};
  return std::move(*id);
}

namespace {

/// The facts that FindTarget uses to choose the target.
struct TargetQuestion {
  const Workspace& workspace;
  const Tree& tree;  ///< tree of the change
  bool fetched;      ///< true if the check may contact the server
  /// the change as the CI system describes it; empty if the command line or the kind of push takes
  /// precedence
  CiChange ci;

  const git::Repository& repository() const { return tree.repository(); }
  const std::string& remote() const { return workspace.remote(); }
  /// Returns the remote-tracking ref of `branch`, or its local ref if there is no remote.
  std::string RefOf(const std::string& branch) const {
    return remote().empty() ? "refs/heads/" + branch : "refs/remotes/" + remote() + "/" + branch;
  }
  std::string LabelOf(const std::string& branch) const {
    return remote().empty() ? branch : remote() + "/" + branch;
  }
  /// If the config at `commit` names a different target than the change's config, returns that
  /// target; otherwise returns nullopt.
  std::optional<std::string> OtherTargetOf(const git::Oid& commit) const {
    const auto config = tree.At(commit).Config();
    if (!config.ok() || !*config || (**config).target == workspace.config().target)
      return std::nullopt;
    return (**config).target;
  }
};

/// Returns the target for a CI job whose host does not name one. Reads it from the config on the
/// server's default branch, even if the change's config names a different target (RV024 reports the
/// difference).
Result<std::optional<ComparedBranch>> TargetOfHead(const TargetQuestion& q) {
  const std::optional<ComparedBranch> none;
  const auto tip_of = [&](const std::string& branch) -> Result<std::optional<git::Oid>> {
    if (q.fetched && branch != "HEAD") {
      TRY(git::Fetch(q.repository(), q.remote(),
                     {{"refs/heads/" + branch, q.RefOf(branch), true}}));
    }
    return q.repository().Resolve(q.RefOf(branch));
  };
  std::string head = "HEAD";
  if (q.fetched) {
    TRY(const auto there, git::HeadOfRemote(q.repository(), q.remote()));
    if (!there || *there == q.workspace.config().target) return none;
    head = *there;
  }
  TRY(const auto tip, tip_of(head));
  const auto named = tip ? q.OtherTargetOf(*tip) : std::nullopt;
  if (!named) return none;
  TRY(auto target, *named == head ? Result<std::optional<git::Oid>>(tip) : tip_of(*named));
  if (!target) return none;
  return std::optional(ComparedBranch{std::move(target), q.LabelOf(*named)});
}

/// Returns the remote's target branch as of the last fetch. If the config on that branch names a
/// different target, returns that target instead, because the target's config decides, not the
/// change's.
Result<ComparedBranch> DefaultTarget(const TargetQuestion& q) {
  ComparedBranch out{std::nullopt, q.workspace.TargetLabel()};
  TRY(out.tip, q.repository().Resolve(q.workspace.OpenLedger().TargetRef()));
  if (!out.tip && q.workspace.remote_missing()) return *q.workspace.remote_missing();
  if (!out.tip && !q.remote().empty() && !q.fetched) {
    return Error{Exit::Environment,
                 out.label + " is not in this clone, so landed revisions are unknown",
                 "revctl check --fetch"};
  }
  const auto named = out.tip ? q.OtherTargetOf(*out.tip) : std::nullopt;
  if (!named) return out;
  TRY(auto tip, q.repository().Resolve(q.RefOf(*named)));
  return tip ? ComparedBranch{std::move(tip), q.LabelOf(*named)} : out;
}

/// Returns the release branch on which the work at HEAD will land, or nullopt.
Result<std::optional<ComparedBranch>> FindRelease(const ReleaseQuestion& question, bool fetch) {
  TRY(auto here, FindReleaseHere(question));
  if (here && fetch && !question.remote.empty()) {
    // Fetch the newest tip of the release. This fails if the release exists only in this clone.
    TRY(const auto asked,
        git::Fetch(*question.repository, question.remote,
                   {{"refs/heads/" + here->branch, "refs/remotes/" + here->label, true}}));
    if (asked.ok) {
      TRY(here, FindReleaseHere(question));
    }
  }
  if (!here) return std::optional<ComparedBranch>();
  return std::optional(ComparedBranch{std::move(here->tip), std::move(here->label)});
}

/// Returns the branch name without the remote: `release/1` for `origin/release/1`.
std::string BranchOf(const Workspace& workspace, std::string name) {
  for (const std::string& lead :
       {std::string("refs/heads/"), "refs/remotes/" + workspace.remote() + "/",
        workspace.remote() + "/"}) {
    if (lead != "/" && name.starts_with(lead)) name.erase(0, lead.size());
  }
  return name;
}

/// Returns the commit that the CI system names as the target, for example the base of a merge
/// group.
Result<ComparedBranch> TargetCommit(const TargetQuestion& q) {
  const std::string& commit = q.ci.target_commit;
  const auto known = q.repository().RevParse(commit);
  if (known.ok() && !*known && q.fetched && !q.remote().empty()) {
    // Fetch the commit by its id, because CI clones may be shallow. If that fails, the lookup below
    // reports that the commit is missing.
    TRY(git::Fetch(q.repository(), q.remote(), {{commit, "refs/revctl/ci/" + commit, true}},
                   git::FetchDepth::Exactly(1)));
  }
  TRY(auto id, NamedCommit(q.workspace, commit, q.ci.system.c_str()));
  return ComparedBranch{std::move(id), commit.substr(0, 10)};
}

/// Returns the target branch that the CI system names, if it differs from the config's target.
/// Fetches the branch if network access is allowed, because a CI clone may have only an old copy of
/// the branch, or none.
Result<ComparedBranch> TargetBranch(const TargetQuestion& q) {
  const std::string& branch = q.ci.target_branch;
  const std::string head = "refs/heads/" + branch, ref = q.RefOf(branch);
  const std::string fix = q.remote().empty()
                              ? "git branch " + base::ShellWord(branch)
                              : fmt::format("git fetch {} {}", base::ShellWord(q.remote()),
                                            base::ShellWord(fmt::format("+{}:{}", head, ref)));
  if (!config::IsSafeRef(branch))
    return Error{
        Exit::Environment,
        fmt::format("{} gave an invalid branch name: {}", q.ci.system, findings::OneLine(branch)),
        ""};
  if (q.fetched && !q.remote().empty()) {
    TRY(const auto asked, git::Fetch(q.repository(), q.remote(), {{head, ref, true}}));
    if (!asked.ok)
      return Error{Exit::Environment,
                   fmt::format("cannot fetch {} from {}:\n{}", branch, q.remote(), asked.talk),
                   fix};
  }
  auto id = NamedCommit(q.workspace, ref, q.ci.system.c_str());
  if (!id.ok()) {
    id.error().fix = fix;
    return id.error();
  }
  return ComparedBranch{std::move(*id), ref.substr(ref.find('/', 5) + 1)};
}

}  // namespace

Result<CheckTarget> FindTarget(const Workspace& workspace, const Tree& tree,
                               const cli::Arguments& arguments, bool fetched) {
  CheckTarget out;
  out.ci = ReadCiEnvironment();
  TargetQuestion q{workspace, tree, fetched, out.ci};
  CiChange& ci = q.ci;
  const std::string& configured = workspace.config().target;
  if (arguments.Has("--target") || arguments.Has("--staged")) ci = {};
  TRY(ReleaseQuestion releases, workspace.Releases());
  if (ci.is_push && ci.target_branch != configured &&
      !IsReleaseBranch(releases, ci.target_branch)) {
    // A push to any other branch lands nothing yet, so compare it with the target, as in a
    // developer's clone.
    out.why =
        fmt::format("a push to {} does not land revisions: ", findings::OneLine(ci.target_branch));
    ci = {};
  }
  if (!ci.missing.empty())
    return Error{
        Exit::Environment,
        fmt::format("the tip of {1} before this change is unknown, because the {0} job has no {2}",
                    ci.system, ci.target_branch.empty() ? configured : ci.target_branch,
                    ci.missing),
        fmt::format("pass {} to the job, or run revctl check --target COMMIT", ci.missing)};
  std::string branch = ci.target_branch;
  if (arguments.Has("--target")) {
    out.target.label = arguments.Value("--target");
    TRY(out.target.tip, NamedCommit(workspace, out.target.label, "--target"));
    out.why = "--target names it";
    branch = BranchOf(workspace, out.target.label);
  } else if (!ci.target_commit.empty()) {
    TRY(out.target, TargetCommit(q));
    out.why = fmt::format("{}: {}", ci.commit_means, ci.commit_from);
  } else if (!ci.target_branch.empty() && ci.target_branch != configured) {
    TRY(out.target, TargetBranch(q));
    out.why = "the target branch of the change: " + ci.branch_from;
  } else {
    TRY(out.target, DefaultTarget(q));
    const bool in_ci = std::getenv("CI") != nullptr;
    if (in_ci && ci.target_branch.empty() && !workspace.remote().empty()) {
      TRY(auto of_head, TargetOfHead(q));
      if (of_head) out.target = std::move(*of_head);
    }
    if (in_ci && out.target.tip) {
      // In CI, the target's config determines the release branches, not the change's config.
      releases.target = out.target.tip;
      const auto policy = tree.At(*out.target.tip).Config();
      if (policy.ok() && *policy) {
        releases.config.releases = (**policy).releases;
        releases.config.target = (**policy).target;
      }
    }
    std::optional<ComparedBranch> release;
    if (!arguments.Has("--staged")) {
      TRY(release, FindRelease(releases, fetched));
    }
    if (release) branch = BranchOf(workspace, release->label);
    out.why += release                  ? "the checked-out branch continues this release"
               : ci.branch_from.empty() ? "`target` in .revctl.yaml"
                                        : "the target branch of the change: " + ci.branch_from;
    if (release) out.target = std::move(*release);
  }
  out.branch = ci.target_branch.empty() ? configured : ci.target_branch;
  if (branch.empty() || !IsReleaseBranch(releases, branch)) return out;
  // On a release branch, the list must also stay a prefix of main's list.
  out.release_of = {releases.target, workspace.TargetLabel()};
  out.branch = branch;
  return out;
}

}  // namespace revctl::commands
