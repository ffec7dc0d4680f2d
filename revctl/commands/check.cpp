// check: the gate. Which commit is the target comes from the command line, the CI system, or
// .revctl.yaml, in that order.
#include <algorithm>
#include <cstdlib>
#include <iostream>

#include "revctl/commands/ci_environment.h"
#include "revctl/commands/command.h"
#include "revctl/commands/gate.h"
#include "revctl/commands/hook_input.h"
#include "revctl/commands/list_names.h"
#include "revctl/commands/release_here.h"
#include "revctl/commands/views.h"
#include "revctl/commands/workspace.h"
#include "revctl/findings/printable.h"
#include "revctl/git/remote.h"

namespace revctl::commands {
namespace {

using findings::Error;
using findings::Exit;
using findings::Finding;
using findings::Result;
using findings::Severity;

/// What the hooks judge is given: neither another commit nor the server has a part in it.
constexpr std::pair<std::string_view, std::string_view> kContradicting[] = {
    {"--fetch", "--no-fetch"}, {"--staged", "--pushed"}, {"--staged", "--head"},
    {"--staged", "--fetch"},   {"--pushed", "--head"},   {"--pushed", "--fetch"},
    {"--pushed", "--base"},    {"--pushed", "--target"},
};

Outcome Report(Session& session, const std::vector<Finding>& found, const std::string& fine) {
  session.Out(findings::Render(found, session.format, session.colour));
  const bool broken = std::any_of(found.begin(), found.end(),
                                  [](const Finding& f) { return f.severity == Severity::Error; });
  if (found.empty() && session.format == findings::Format::Text) session.Talk(fine);
  return broken ? Exit::Findings : Exit::Fine;
}

Result<git::Oid> CommitOf(const Workspace& workspace, const std::string& what, const char* option) {
  auto id = workspace.repository().RevParse(what);
  if (!id.ok()) return id.error();
  if (!*id) {
    return Error{Exit::Environment,
                 std::string(option) + " " + what + ": this clone has no such commit",
                 "git fetch " + (workspace.remote().empty() ? "REMOTE" : workspace.remote()) +
                     ", or in CI fetch-depth: 0"};
  }
  return std::move(**id);
}

std::string Prefix(const Workspace& workspace) { return workspace.GitPath(""); }

/// What the target is when nobody names it: the remote's target branch, as the last fetch saw it.
Result<findings::Done> DefaultTarget(const Workspace& workspace, const ledger::Ledger& ledger,
                                     bool fetched, GateRequest& request) {
  request.target_label = workspace.TargetLabel();
  auto tip = workspace.repository().Resolve(ledger.TargetRef());
  if (!tip.ok()) return tip.error();
  if (!*tip && workspace.remote_missing()) return *workspace.remote_missing();
  if (!*tip && !workspace.remote().empty() && !fetched) {
    return Error{Exit::Environment,
                 request.target_label + " is not known here: what has landed cannot be judged",
                 "revctl check --fetch"};
  }
  request.target = std::move(*tip);
  return findings::Done{};
}

Result<ReleaseQuestion> ReleasesOf(const Workspace& workspace, const ledger::Ledger& ledger) {
  auto main = workspace.repository().Resolve(ledger.TargetRef());
  if (!main.ok()) return main.error();
  return ReleaseQuestion{&workspace.repository(), workspace.config(), workspace.remote(),
                         Prefix(workspace), std::move(*main)};
}

/// Work on a release lands on it, whatever the configuration calls the target. True: it does.
Result<bool> TakeReleaseHere(const ReleaseQuestion& question, bool fetch, GateRequest& request) {
  auto here = FindReleaseHere(question);
  if (!here.ok()) return here.error();
  if (!*here) return false;
  if (fetch && !question.remote.empty()) {
    // Its newest tip; a release that only this clone has is not there to be fetched.
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

/// `origin/release/1` is release/1 there.
std::string BranchOf(const Workspace& workspace, std::string name) {
  for (const std::string& lead :
       {std::string("refs/heads/"), "refs/remotes/" + workspace.remote() + "/",
        workspace.remote() + "/"}) {
    if (lead != "/" && name.starts_with(lead)) name.erase(0, lead.size());
  }
  return name;
}

/// The name of the branch that the change lands on.
Result<std::string> SetTarget(const Workspace& workspace, const ledger::Ledger& ledger,
                              const Arguments& arguments, bool fetched, GateRequest& request) {
  CiChange ci =
      arguments.Has("--target") || arguments.Has("--staged") ? CiChange{} : ReadCiEnvironment();
  // A push to any other branch lands nowhere yet: it is judged against the target like work in a
  // clone.
  auto releases = ReleasesOf(workspace, ledger);
  if (!releases.ok()) return releases.error();
  if (ci.is_push && ci.target_branch != workspace.config().target &&
      !IsReleaseBranch(*releases, ci.target_branch))
    ci = {};
  bool on_release = false;
  if (!ci.missing.empty()) {
    const std::string branch =
        ci.target_branch.empty() ? workspace.config().target : ci.target_branch;
    return Error{Exit::Environment,
                 ci.system + " does not say what " + branch +
                     " was before this change: no commit is in " + ci.missing,
                 "give the job " + ci.missing + ", or revctl check --target COMMIT"};
  }
  if (arguments.Has("--target")) {
    auto id = CommitOf(workspace, arguments.Value("--target"), "--target");
    if (!id.ok()) return id.error();
    request.target = std::move(*id);
    request.target_label = arguments.Value("--target");
  } else if (!ci.target_commit.empty()) {
    auto known = workspace.repository().RevParse(ci.target_commit);
    if (known.ok() && !*known && fetched && !workspace.remote().empty()) {
      // CI clones are cut short; hosts give a commit by its name. Whether it came is told by the
      // look below.
      const std::string keep = "refs/revctl/ci/" + ci.target_commit;
      auto ignored = git::Fetch(workspace.repository(), workspace.remote(),
                                {{ci.target_commit, keep, true}}, {"--depth=1"});
      if (!ignored.ok()) return ignored.error();
    }
    auto id = CommitOf(workspace, ci.target_commit, ci.system.c_str());
    if (!id.ok()) return id.error();
    request.target = std::move(*id);
    request.target_label = ci.target_commit.substr(0, 10);
  } else if (!ci.target_branch.empty() && ci.target_branch != workspace.config().target) {
    const std::string head = "refs/heads/" + ci.target_branch;
    const std::string ref = workspace.remote().empty()
                                ? head
                                : "refs/remotes/" + workspace.remote() + "/" + ci.target_branch;
    const std::string mend = workspace.remote().empty()
                                 ? "git branch " + ci.target_branch
                                 : "git fetch " + workspace.remote() + " +" + head + ":" + ref;
    if (!config::IsSafeRef(ci.target_branch))
      return Error{Exit::Environment,
                   ci.system + " names no branch: " + findings::OneLine(ci.target_branch), ""};
    if (fetched && !workspace.remote().empty()) {
      // A clone for CI may have one branch alone, and another as it was some time ago.
      auto asked = git::Fetch(workspace.repository(), workspace.remote(), {{head, ref, true}});
      if (!asked.ok()) return asked.error();
      if (!asked->ok)
        return Error{
            Exit::Environment,
            ci.target_branch + " of " + workspace.remote() + " cannot be fetched:\n" + asked->talk,
            mend};
    }
    auto id = CommitOf(workspace, ref, ci.system.c_str());
    if (!id.ok()) {
      id.error().fix = mend;
      return id.error();
    }
    request.target = std::move(*id);
    request.target_label = ref.substr(ref.find('/', 5) + 1);
  } else {
    auto set = DefaultTarget(workspace, ledger, fetched, request);
    if (!set.ok()) return set.error();
    auto taken = arguments.Has("--staged") ? Result<bool>(false)
                                           : TakeReleaseHere(*releases, fetched, request);
    if (!taken.ok()) return taken.error();
    on_release = *taken;
  }
  // A change aimed at a release branch is held to the prefix rule instead.
  std::string branch = on_release ? BranchOf(workspace, request.target_label) : ci.target_branch;
  if (branch.empty() && arguments.Has("--target")) {
    branch = BranchOf(workspace, arguments.Value("--target"));
  }
  if (!branch.empty() && IsReleaseBranch(*releases, branch)) {
    request.scope = GateRequest::Scope::Release;
    request.main_tip = releases->target;
    request.main_label = workspace.TargetLabel();
    return branch;
  }
  return ci.target_branch.empty() ? workspace.config().target : ci.target_branch;
}

/// A shallow clone learns as much history as the merge base needs: a little, more, at last all of
/// it.
Result<findings::Done> Deepen(const Workspace& workspace, const std::string& branch,
                              GateRequest& request, Session& session) {
  const git::Repository& repository = workspace.repository();
  auto shallow = repository.IsShallow();
  if (!shallow.ok()) return shallow.error();
  if (!*shallow || request.base || !request.target || workspace.remote().empty())
    return findings::Done{};
  const git::Refspec target{"refs/heads/" + branch,
                            "refs/remotes/" + workspace.remote() + "/" + branch, true};
  for (const char* depth : {"", "--deepen=50", "--deepen=1000", "--unshallow"}) {
    if (*depth != '\0') {
      session.Progress("fetching history (" + std::string(depth) + ")");
      auto fetched = git::Fetch(repository, workspace.remote(), {target}, {depth});
      if (!fetched.ok()) return fetched.error();
      if (!fetched->ok) break;
    }
    auto head = request.side.Head();
    if (!head.ok()) return head.error();
    if (!*head) break;
    auto base = repository.MergeBase(**head, *request.target);
    if (base.ok() && *base) break;
  }
  return findings::Done{};
}

/// pre-push: "<local ref> <local oid> <remote ref> <remote oid>" a line; only what lands is judged.
Outcome CheckPushed(const Workspace& workspace, Session& session,
                    const ledger::Snapshot& snapshot) {
  std::vector<Finding> found;
  const ReleaseQuestion releases{&workspace.repository(), workspace.config(), workspace.remote(),
                                 Prefix(workspace), snapshot.target};
  for (std::string line; std::getline(std::cin, line);) {
    // What was pushed may be any revision expression, blanks and all: the last three words are
    // git's own.
    const auto words = LastWords(line, 3);
    const bool told = words && words->front() != line && IsObjectId((*words)[0]) &&
                      (*words)[1].starts_with("refs/") && IsObjectId((*words)[2]);
    if (!told)
      return NotFromGit(line, "<local ref> <local id> <remote ref> <remote id>", "check --pushed",
                        "pre-push");
    const std::string &local = (*words)[0], &remote_ref = (*words)[1], &remote = (*words)[2];
    constexpr std::string_view kHeads = "refs/heads/";
    const std::string branch =
        remote_ref.starts_with(kHeads) ? remote_ref.substr(kHeads.size()) : "";
    const bool release = IsReleaseBranch(releases, branch);
    if ((branch != workspace.config().target && !release) || git::IsNull(local)) continue;
    GateRequest request(workspace.repository(), Prefix(workspace),
                        Side::Commit(workspace.repository(), local));
    auto known = workspace.repository().RevParse(remote);
    if (!known.ok()) return known.error();
    request.target = *known;
    if (!*known && !git::IsNull(remote)) {
      return Error{Exit::Environment,
                   "the remote's " + branch + " (" + remote.substr(0, 10) + ") is not known here",
                   "git fetch"};
    }
    request.base = *known;  // what is pushed is the result; nothing is merged any more
    request.target_label = branch;
    request.ledger = &snapshot;
    request.ledger_copy = LedgerCopyDate(workspace, snapshot);
    request.only_list = session.list;
    if (release) {
      request.scope = GateRequest::Scope::Release;
      request.main_tip = snapshot.target;
      request.main_label = workspace.TargetLabel();
      request.use_in_code = true;
    }
    auto judged = RunGate(request);
    if (!judged.ok()) return judged.error();
    found.insert(found.end(), judged->begin(), judged->end());
  }
  return Report(session, found, "");
}

/// A list that is moved in this commit is merged by its new name on branches that do not know it
/// yet.
findings::Result<bool> NoteNames(const Workspace& workspace) {
  std::set<std::string> lines;
  for (const auto& list : workspace.config().lists)
    lines.insert(ListNames::AttributeLine(workspace.GitPath(list.path)));
  return ListNames(workspace.repository()).Note(lines, false);
}

/// The gate judges the work tree as the commit that concludes the merge (gate.cpp).
findings::Result<findings::Done> SayMerge(Session& session, const GateRequest& request) {
  auto merges = MergesTarget(request);
  if (!merges.ok()) return merges.error();
  if (*merges)
    session.Talk("revctl: a merge with " + request.TargetText() +
                 " is going on: judged is what `git commit` will conclude it with");
  return findings::Done{};
}

Outcome RunCheck(const Arguments& arguments, Session& session) {
  if (const char* off = std::getenv("REVCTL");
      off != nullptr && std::string_view(off) == "0" &&
      (arguments.Has("--staged") || arguments.Has("--pushed"))) {
    return Exit::Fine;
  }
  for (const auto& pair : kContradicting) {
    if (auto both = Contradiction(arguments, {pair.first, pair.second})) return *both;
  }
  auto workspace = Workspace::Open(session);
  if (!workspace.ok()) return workspace.error();
  auto lists = workspace->Lists(session);
  if (!lists.ok()) return lists.error();
  ledger::Ledger ledger = workspace->OpenLedger(session);
  const bool in_ci = std::getenv("CI") != nullptr;
  const bool fetch = (arguments.Has("--fetch") || in_ci) && !arguments.Has("--no-fetch") &&
                     !arguments.Has("--staged") && !arguments.Has("--pushed");
  auto snapshot =
      fetch ? workspace->Fetched(ledger, session, !workspace->config().reservation_required)
            : workspace->LastSeen(ledger, session);
  if (!snapshot.ok()) return snapshot.error();
  if (arguments.Has("--pushed")) return CheckPushed(*workspace, session, *snapshot);

  const git::Repository& repository = workspace->repository();
  GateRequest request(
      repository, Prefix(*workspace),
      arguments.Has("--staged") ? Side::Staged(repository) : Side::WorkTree(repository));
  if (arguments.Has("--head")) {
    auto head = CommitOf(*workspace, arguments.Value("--head"), "--head");
    if (!head.ok()) return head.error();
    request.side = Side::Commit(repository, *head);
  }
  auto set = SetTarget(*workspace, ledger, arguments, fetch, request);
  if (!set.ok()) {
    // A commit is no landing: before the first fetch there is just less to compare with.
    if (!arguments.Has("--staged")) return set.error();
    request.target.reset();
  }
  if (arguments.Has("--staged")) {
    request.scope = GateRequest::Scope::Commit;
    auto noted = NoteNames(*workspace);
    if (!noted.ok()) return noted.error();
  }
  if (arguments.Has("--base")) {
    auto base = CommitOf(*workspace, arguments.Value("--base"), "--base");
    if (!base.ok()) return base.error();
    request.base = std::move(*base);
  }
  if (fetch) {
    auto deepened = Deepen(*workspace, *set, request, session);
    if (!deepened.ok()) return deepened.error();
  }
  if (!arguments.Has("--head")) {
    auto said = arguments.Has("--staged") ? findings::Result<findings::Done>(findings::Done{})
                                          : SayOldCommit(*workspace, session, request.target);
    if (said.ok()) said = SayMerge(session, request);
    if (!said.ok()) return said.error();
  }
  request.ledger = &*snapshot;
  if (!fetch) request.ledger_copy = LedgerCopyDate(*workspace, *snapshot);
  request.only_list = session.list;
  request.use_in_code = request.scope != GateRequest::Scope::Commit;
  auto found = RunGate(request);
  if (!found.ok()) return found.error();
  return Report(session, *found, "revctl: fine against " + request.TargetText());
}

}  // namespace

Command CheckCommand() {
  return {"check",
          "the gate: can this land?",
          "Judges the list as a plain text merge with the target will make it, its reservations "
          "and its\n"
          "goldens. Asks the server with --fetch, and under CI. Exit 1 where there is an error.",
          "$ revctl check --fetch\nsrc/master_version_list.h:14: error[RV006]: ...",
          {},
          {{"--fetch", "", "fetch target and ledger first (default under CI)", Hint::None},
           {"--no-fetch", "", "also not under CI", Hint::None},
           {"--target", "REF",
            "the commit it will land on (default: remote and target of .revctl.yaml)", Hint::Ref},
           {"--base", "REF", "where the change began (default: the merge base)", Hint::Ref},
           {"--head", "REF", "judge this commit, not the work tree", Hint::Ref},
           {"--staged", "", "what is staged, by the rules that hold for any commit (pre-commit)",
            Hint::None},
           {"--pushed", "", "what git's pre-push hook says on stdin", Hint::None}},
          RunCheck};
}

}  // namespace revctl::commands
