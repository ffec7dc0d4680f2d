#include "revctl/gate/check_target.h"

#include <cstdlib>
#include <set>

#include "revctl/base/shell_word.h"
#include "revctl/findings/printable.h"
#include "revctl/git/remote.h"
#include "revctl/tree/list_at.h"
#include "revctl/workspace/releases.h"

namespace revctl::commands {

Result<git::Oid> NamedCommit(const Workspace& workspace, const std::string& what,
                             const char* option) {
  // git would prefer a tag, which anyone can push. Reject an ambiguous name instead.
  std::vector<std::string> named;
  std::set<git::Oid> meant;
  for (const char* lead : {"refs/", "refs/tags/", "refs/heads/", "refs/remotes/"}) {
    auto there = workspace.repository().Resolve(lead + what);
    if (!there.ok() || !*there) continue;
    named.push_back(lead + what);
    meant.insert(**there);
  }
  if (meant.size() > 1)
    return Error{
        Exit::Environment,
        fmt::format("{} {} names both {} and {}", option, what, named.front(), named.back()),
        fmt::format("say which: {} {}", option, base::ShellWord(named.back()))};
  TRY(auto id, workspace.repository().RevParse(what));
  if (!id)
    return Error{
        Exit::Environment, fmt::format("{} {}: this clone has no such commit", option, what),
        fmt::format("git fetch {}, or in CI fetch-depth: 0",
                    workspace.remote().empty() ? "REMOTE" : base::ShellWord(workspace.remote()))};
  return std::move(*id);
}

namespace {

/// If the chosen target's own config names another target, check against that one, because the
/// target's config decides and not the change's.
Result<base::Done> TakeTargetOfTarget(const Workspace& workspace, GateRequest& request) {
  if (!request.target.tip) return base::Done{};
  auto own = ConfigAt(workspace.repository(), *request.target.tip, request.prefix);
  if (!own.ok() || !*own || (**own).target == workspace.config().target) return base::Done{};
  const std::string& remote = workspace.remote();
  const std::string lead = remote.empty() ? "" : remote + "/";
  TRY(auto tip, workspace.repository().Resolve((remote.empty() ? "refs/heads/" : "refs/remotes/") +
                                               lead + (**own).target));
  if (!tip) return base::Done{};
  request.target.tip = std::move(tip);
  request.target.label = lead + (**own).target;
  return base::Done{};
}

/// In CI without a target from the host, the config on the branch of the server's HEAD names the
/// target, even if the change's config names another (RV024 reports that).
Result<base::Done> TakeTargetOfHead(const Workspace& workspace, bool fetched,
                                    GateRequest& request) {
  const git::Repository& repository = workspace.repository();
  const std::string& remote = workspace.remote();
  const std::string lead = "refs/remotes/" + remote + "/";
  const auto tip_of = [&](const std::string& branch) -> Result<std::optional<git::Oid>> {
    if (fetched && branch != "HEAD") {
      TRY(git::Fetch(repository, remote, {{"refs/heads/" + branch, lead + branch, true}}));
    }
    return repository.Resolve(lead + branch);
  };
  std::string head = "HEAD";
  if (fetched) {
    TRY(const auto there, git::HeadOfRemote(repository, remote));
    if (!there || *there == workspace.config().target) return base::Done{};
    head = *there;
  }
  TRY(const auto tip, tip_of(head));
  if (!tip) return base::Done{};
  const auto policy = ConfigAt(repository, *tip, request.prefix);
  if (!policy.ok() || !*policy || (**policy).target == workspace.config().target)
    return base::Done{};
  TRY(auto target,
      (**policy).target == head ? Result<std::optional<git::Oid>>(tip) : tip_of((**policy).target));
  if (!target) return base::Done{};
  request.target.tip = std::move(target);
  request.target.label = remote + "/" + (**policy).target;
  return base::Done{};
}

/// Sets the remote's target branch, as last fetched.
Result<base::Done> DefaultTarget(const Workspace& workspace, const ledger::Ledger& ledger,
                                 bool fetched, GateRequest& request) {
  request.target.label = workspace.TargetLabel();
  TRY(auto tip, workspace.repository().Resolve(ledger.TargetRef()));
  if (!tip && workspace.remote_missing()) return *workspace.remote_missing();
  if (!tip && !workspace.remote().empty() && !fetched) {
    return Error{Exit::Environment,
                 request.target.label + " is not known here: what has landed cannot be judged",
                 "revctl check --fetch"};
  }
  request.target.tip = std::move(tip);
  return TakeTargetOfTarget(workspace, request);
}

/// If HEAD is for a release, sets it as target, because work on it lands there, and returns true.
Result<bool> TakeReleaseHere(const ReleaseQuestion& question, bool fetch, GateRequest& request) {
  auto here = FindReleaseHere(question);
  if (!here.ok()) return here.error();
  if (!*here) return false;
  if (fetch && !question.remote.empty()) {
    // Fetch its newest tip. A release that exists only in this clone cannot be fetched.
    auto asked =
        git::Fetch(*question.repository, question.remote,
                   {{"refs/heads/" + (*here)->branch, "refs/remotes/" + (*here)->label, true}});
    if (!asked.ok()) return asked.error();
    if (asked->ok) here = FindReleaseHere(question);
    if (!here.ok()) return here.error();
    if (!*here) return false;
  }
  request.target.tip = (*here)->tip;
  request.target.label = (*here)->label;
  return true;
}

/// Returns the short name of the remote's branch: release/1 for `origin/release/1`.
std::string BranchOf(const Workspace& workspace, std::string name) {
  for (const std::string& lead :
       {std::string("refs/heads/"), "refs/remotes/" + workspace.remote() + "/",
        workspace.remote() + "/"}) {
    if (lead != "/" && name.starts_with(lead)) name.erase(0, lead.size());
  }
  return name;
}

/// What SetTarget decides from.
struct TargetQuestion {
  const Workspace& workspace;
  const ledger::Ledger& ledger;
  const cli::Arguments& arguments;
  bool fetched;  ///< the server was asked
  CiChange ci;   ///< empty if the command line or the kind of push overrides it
};

Result<Done> TakeOption(const TargetQuestion& q, GateRequest& request) {
  request.target.label = q.arguments.Value("--target");
  TRY(request.target.tip, NamedCommit(q.workspace, request.target.label, "--target"));
  return Done{};
}

/// Sets the commit that the CI system names, for example the base of a merge group.
Result<Done> TakeCiCommit(const TargetQuestion& q, GateRequest& request) {
  const std::string& commit = q.ci.target_commit;
  const git::Repository& repository = q.workspace.repository();
  const auto known = repository.RevParse(commit);
  if (known.ok() && !*known && q.fetched && !q.workspace.remote().empty()) {
    // CI clones may be shallow. Hosts serve a commit by its id; the lookup below reports a failure.
    TRY(git::Fetch(repository, q.workspace.remote(), {{commit, "refs/revctl/ci/" + commit, true}},
                   git::FetchDepth::Exactly(1)));
  }
  TRY(request.target.tip, NamedCommit(q.workspace, commit, q.ci.system.c_str()));
  request.target.label = commit.substr(0, 10);
  return Done{};
}

/// Sets the branch that the CI system names, if it is not the target of the config. A CI clone may
/// lack the branch or have an old copy of it.
Result<Done> TakeCiBranch(const TargetQuestion& q, GateRequest& request) {
  const std::string& remote = q.workspace.remote();
  const std::string& branch = q.ci.target_branch;
  const std::string head = "refs/heads/" + branch;
  const std::string ref = remote.empty() ? head : "refs/remotes/" + remote + "/" + branch;
  const std::string fix = remote.empty()
                              ? "git branch " + base::ShellWord(branch)
                              : fmt::format("git fetch {} {}", base::ShellWord(remote),
                                            base::ShellWord(fmt::format("+{}:{}", head, ref)));
  if (!config::IsSafeRef(branch))
    return Error{Exit::Environment,
                 fmt::format("{} names no branch: {}", q.ci.system, findings::OneLine(branch)), ""};
  if (q.fetched && !remote.empty()) {
    TRY(const auto asked, git::Fetch(q.workspace.repository(), remote, {{head, ref, true}}));
    if (!asked.ok)
      return Error{Exit::Environment,
                   fmt::format("{} of {} cannot be fetched:\n{}", branch, remote, asked.talk), fix};
  }
  auto id = NamedCommit(q.workspace, ref, q.ci.system.c_str());
  if (!id.ok()) {
    id.error().fix = fix;
    return id.error();
  }
  request.target = {std::move(*id), ref.substr(ref.find('/', 5) + 1)};
  return Done{};
}

/// Sets the target of the config, or the release that the checked-out branch continues. Returns
/// true for a release. In CI, the target's own config decides, not the change's.
Result<bool> TakeConfigured(const TargetQuestion& q, ReleaseQuestion& releases,
                            GateRequest& request) {
  TRY(DefaultTarget(q.workspace, q.ledger, q.fetched, request));
  const bool in_ci = std::getenv("CI") != nullptr;
  if (in_ci && q.ci.target_branch.empty() && !q.workspace.remote().empty())
    TRY(TakeTargetOfHead(q.workspace, q.fetched, request));
  if (in_ci && request.target.tip) {
    releases.target = request.target.tip;
    const auto policy = ConfigAt(q.workspace.repository(), *request.target.tip, request.prefix);
    if (policy.ok() && *policy) {
      releases.config.releases = (**policy).releases;
      releases.config.target = (**policy).target;
    }
  }
  if (q.arguments.Has("--staged")) return false;
  return TakeReleaseHere(releases, q.fetched, request);
}

}  // namespace

Result<CheckTarget> SetTarget(const Workspace& workspace, const ledger::Ledger& ledger,
                              const cli::Arguments& arguments, bool fetched, GateRequest& request) {
  CheckTarget out;
  out.ci = ReadCiEnvironment();
  TargetQuestion q{workspace, ledger, arguments, fetched, out.ci};
  CiChange& ci = q.ci;
  const std::string& configured = workspace.config().target;
  if (arguments.Has("--target") || arguments.Has("--staged")) ci = {};
  TRY(ReleaseQuestion releases, workspace.Releases());
  if (ci.is_push && ci.target_branch != configured &&
      !IsReleaseBranch(releases, ci.target_branch)) {
    // A push to a branch that is neither target nor release lands nothing yet, so check it against
    // the target, like work in a clone.
    out.why = fmt::format("a push to {} lands nowhere yet: ", findings::OneLine(ci.target_branch));
    ci = {};
  }
  if (!ci.missing.empty())
    return Error{
        Exit::Environment,
        fmt::format("{} does not say what {} was before this change: no commit is in {}", ci.system,
                    ci.target_branch.empty() ? configured : ci.target_branch, ci.missing),
        fmt::format("give the job {}, or revctl check --target COMMIT", ci.missing)};
  std::string branch = ci.target_branch;
  if (arguments.Has("--target")) {
    TRY(TakeOption(q, request));
    out.why = "--target names it";
    branch = BranchOf(workspace, arguments.Value("--target"));
  } else if (!ci.target_commit.empty()) {
    TRY(TakeCiCommit(q, request));
    out.why = fmt::format("{}: {}", ci.commit_means, ci.commit_from);
  } else if (!ci.target_branch.empty() && ci.target_branch != configured) {
    TRY(TakeCiBranch(q, request));
    out.why = "the change is aimed at it: " + ci.branch_from;
  } else {
    TRY(const bool is_release, TakeConfigured(q, releases, request));
    if (is_release) branch = BranchOf(workspace, request.target.label);
    out.why += is_release               ? "the checked-out branch continues this release"
               : ci.branch_from.empty() ? "`target` of .revctl.yaml"
                                        : "the change is aimed at it: " + ci.branch_from;
  }
  out.branch = ci.target_branch.empty() ? configured : ci.target_branch;
  if (branch.empty() || !IsReleaseBranch(releases, branch)) return out;
  // A change that is aimed at a release branch must keep the list a prefix of main's.
  request.mode = Mode::Release;
  request.release_of = {releases.target, workspace.TargetLabel()};
  out.branch = branch;
  return out;
}

}  // namespace revctl::commands
