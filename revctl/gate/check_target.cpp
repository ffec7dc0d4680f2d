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
  if (!request.target) return base::Done{};
  auto own = ConfigAt(workspace.repository(), *request.target, request.prefix);
  if (!own.ok() || !*own || (**own).target == workspace.config().target) return base::Done{};
  const std::string& remote = workspace.remote();
  const std::string lead = remote.empty() ? "" : remote + "/";
  TRY(auto tip, workspace.repository().Resolve((remote.empty() ? "refs/heads/" : "refs/remotes/") +
                                               lead + (**own).target));
  if (!tip) return base::Done{};
  request.target = std::move(tip);
  request.target_label = lead + (**own).target;
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
  request.target = std::move(target);
  request.target_label = remote + "/" + (**policy).target;
  return base::Done{};
}

/// Sets the remote's target branch, as last fetched.
Result<base::Done> DefaultTarget(const Workspace& workspace, const ledger::Ledger& ledger,
                                 bool fetched, GateRequest& request) {
  request.target_label = workspace.TargetLabel();
  TRY(auto tip, workspace.repository().Resolve(ledger.TargetRef()));
  if (!tip && workspace.remote_missing()) return *workspace.remote_missing();
  if (!tip && !workspace.remote().empty() && !fetched) {
    return Error{Exit::Environment,
                 request.target_label + " is not known here: what has landed cannot be judged",
                 "revctl check --fetch"};
  }
  request.target = std::move(tip);
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
  request.target = (*here)->tip;
  request.target_label = (*here)->label;
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

}  // namespace

Result<CheckTarget> SetTarget(const Workspace& workspace, const ledger::Ledger& ledger,
                              const Arguments& arguments, bool fetched, GateRequest& request) {
  CheckTarget out;
  out.ci = ReadCiEnvironment();
  CiChange ci = arguments.Has("--target") || arguments.Has("--staged") ? CiChange{} : out.ci;
  // A push to a branch that is neither target nor release lands nothing yet, so check it against
  // the target, like work in a clone.
  TRY(auto releases, workspace.Releases());
  if (ci.is_push && ci.target_branch != workspace.config().target &&
      !IsReleaseBranch(releases, ci.target_branch)) {
    out.why = fmt::format("a push to {} lands nowhere yet: ", findings::OneLine(ci.target_branch));
    ci = {};
  }
  const bool in_ci = std::getenv("CI") != nullptr;
  bool on_release = false;
  if (!ci.missing.empty()) {
    const std::string branch =
        ci.target_branch.empty() ? workspace.config().target : ci.target_branch;
    return Error{Exit::Environment,
                 fmt::format("{} does not say what {} was before this change: no commit is in {}",
                             ci.system, branch, ci.missing),
                 fmt::format("give the job {}, or revctl check --target COMMIT", ci.missing)};
  }
  if (arguments.Has("--target")) {
    TRY(auto id, NamedCommit(workspace, arguments.Value("--target"), "--target"));
    request.target = std::move(id);
    request.target_label = arguments.Value("--target");
    out.why = "--target names it";
  } else if (!ci.target_commit.empty()) {
    auto known = workspace.repository().RevParse(ci.target_commit);
    if (known.ok() && !*known && fetched && !workspace.remote().empty()) {
      // CI clones may be shallow. Hosts serve a commit by its id; the lookup below reports a
      // failure.
      const std::string keep = "refs/revctl/ci/" + ci.target_commit;
      TRY(git::Fetch(workspace.repository(), workspace.remote(), {{ci.target_commit, keep, true}},
                     {"--depth=1"}));
    }
    TRY(auto id, NamedCommit(workspace, ci.target_commit, ci.system.c_str()));
    request.target = std::move(id);
    request.target_label = ci.target_commit.substr(0, 10);
    out.why = fmt::format("{}: {}", ci.commit_means, ci.commit_from);
  } else if (!ci.target_branch.empty() && ci.target_branch != workspace.config().target) {
    const std::string head = "refs/heads/" + ci.target_branch;
    const std::string ref = workspace.remote().empty()
                                ? head
                                : "refs/remotes/" + workspace.remote() + "/" + ci.target_branch;
    const std::string mend =
        workspace.remote().empty()
            ? "git branch " + base::ShellWord(ci.target_branch)
            : fmt::format("git fetch {} {}", base::ShellWord(workspace.remote()),
                          base::ShellWord(fmt::format("+{}:{}", head, ref)));
    if (!config::IsSafeRef(ci.target_branch))
      return Error{
          Exit::Environment,
          fmt::format("{} names no branch: {}", ci.system, findings::OneLine(ci.target_branch)),
          ""};
    if (fetched && !workspace.remote().empty()) {
      // A CI clone may lack the target branch or have an old copy of it.
      TRY(auto asked, git::Fetch(workspace.repository(), workspace.remote(), {{head, ref, true}}));
      if (!asked.ok)
        return Error{Exit::Environment,
                     fmt::format("{} of {} cannot be fetched:\n{}", ci.target_branch,
                                 workspace.remote(), asked.talk),
                     mend};
    }
    auto id = NamedCommit(workspace, ref, ci.system.c_str());
    if (!id.ok()) {
      id.error().fix = mend;
      return id.error();
    }
    request.target = std::move(*id);
    request.target_label = ref.substr(ref.find('/', 5) + 1);
    out.why = "the change is aimed at it: " + ci.branch_from;
  } else {
    TRY(DefaultTarget(workspace, ledger, fetched, request));
    if (in_ci && ci.target_branch.empty() && !workspace.remote().empty()) {
      TRY(TakeTargetOfHead(workspace, fetched, request));
    }
    if (in_ci && request.target) {
      // Use the target's list of release branches, not the change's.
      releases.target = request.target;
      const auto policy = ConfigAt(workspace.repository(), *request.target, request.prefix);
      if (policy.ok() && *policy) {
        releases.config.releases = (**policy).releases;
        releases.config.target = (**policy).target;
      }
    }
    TRY(auto taken, arguments.Has("--staged") ? Result<bool>(false)
                                              : TakeReleaseHere(releases, fetched, request));
    on_release = taken;
    out.why += on_release               ? "the checked-out branch continues this release"
               : ci.branch_from.empty() ? "`target` of .revctl.yaml"
                                        : "the change is aimed at it: " + ci.branch_from;
  }
  // A change that is aimed at a release branch must keep the list a prefix of main's.
  std::string branch = on_release ? BranchOf(workspace, request.target_label) : ci.target_branch;
  if (branch.empty() && arguments.Has("--target")) {
    branch = BranchOf(workspace, arguments.Value("--target"));
  }
  if (!branch.empty() && IsReleaseBranch(releases, branch)) {
    request.scope = GateRequest::Scope::Release;
    request.main_tip = releases.target;
    request.main_label = workspace.TargetLabel();
    out.branch = branch;
  } else {
    out.branch = ci.target_branch.empty() ? workspace.config().target : ci.target_branch;
  }
  return out;
}

namespace {

/// Returns the merge base that the gate will use.
Result<std::optional<git::Oid>> BaseOf(const GateRequest& request,
                                       const std::optional<git::Oid>& head) {
  if (request.base || !request.target || !head) return request.base;
  return request.repository->MergeBase(*head, *request.target);
}

}  // namespace

Outcome ExplainCi(const Workspace& workspace, Session& session, const GateRequest& request,
                  const CheckTarget& target, bool fetched) {
  TRY(const auto head, request.side.Head());
  TRY(const auto base, BaseOf(request, head));
  const CiChange& ci = target.ci;
  const bool work_tree = request.side.IsWorkTree();
  const std::string base_why = request.base       ? "--base names it"
                               : base.has_value() ? "where the change left the target"
                                                  : "none is known: the two share no commit here";
  const std::string rules = request.scope == GateRequest::Scope::Release ? "release" : "landing";
  const std::string ledger_state =
      workspace.remote().empty() ? "of this clone, which has no remote"
      : fetched                  ? fmt::format("of {}, fetched now", workspace.remote())
                                 : fmt::format("of {}, as of the last fetch", workspace.remote());
  if (session.json()) {
    session.OutJson(
        Json::Object()
            .Set("version", 1)
            .Set("ci", Json::Object().Set("system", ci.system).Set("event", ci.event))
            .Set("judged", Json::Object()
                               .Set("what", work_tree ? "work tree" : "commit")
                               .Set("commit", head.value_or("")))
            .Set("target", Json::Object()
                               .Set("branch", target.branch)
                               .Set("name", request.target_label)
                               .Set("commit", request.target.value_or(""))
                               .Set("why", target.why))
            .Set("base", Json::Object().Set("commit", base.value_or("")).Set("why", base_why))
            .Set("rules", rules)
            .Set("ledger", Json::Object()
                               .Set("ref", workspace.config().ledger)
                               .Set("remote", workspace.remote())
                               .Set("fetched", fetched)));
    return base::Exit::Fine;
  }
  const auto line = [&](const std::string& key, const std::string& text) {
    session.Out(fmt::format("{:<9}{}\n", key, findings::OneLine(text)));
  };
  line("ci", ci.system.empty() ? "none is recognised"
                               : ci.system + (ci.event.empty() ? "" : ", event " + ci.event));
  line("judged", (work_tree ? "the work tree at " : "the commit ") +
                     head.value_or("no commit").substr(0, 10));
  line("target", fmt::format("{} ({}): {}", request.TargetText(), target.branch, target.why));
  line("base", (base.has_value() ? base.value().substr(0, 10) + ": " : "") + base_why);
  line("rules", rules == "release" ? "a release: every revision must be on " + request.main_label
                                   : "a landing on " + target.branch);
  line("policy", request.target ? ".revctl.yaml of the target" : ".revctl.yaml of the work tree");
  line("ledger", workspace.config().ledger + " " + ledger_state);
  return base::Exit::Fine;
}

}  // namespace revctl::commands
