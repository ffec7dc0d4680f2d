#include <fmt/core.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <iostream>

#include "revctl/commands/table.h"
#include "revctl/findings/outputs.h"
#include "revctl/gate/check_target.h"
#include "revctl/gate/gate.h"
#include "revctl/gate/intermediate_commits.h"
#include "revctl/git/remote.h"
#include "revctl/pending/pending_file.h"
#include "revctl/session/hook_input.h"
#include "revctl/session/progress_line.h"
#include "revctl/setup/installation.h"
#include "revctl/workspace/list_view.h"
#include "revctl/workspace/pending_files.h"
#include "revctl/workspace/releases.h"

namespace revctl::commands {
namespace {

using findings::Finding;
using findings::RuleId;
using findings::Severity;

/// Options that exclude each other. The hooks' checks use neither another commit nor the server.
constexpr std::pair<std::string_view, std::string_view> kContradicting[] = {
    {"--fetch", "--no-fetch"}, {"--staged", "--pushed"},  {"--staged", "--head"},
    {"--staged", "--fetch"},   {"--pushed", "--head"},    {"--pushed", "--fetch"},
    {"--pushed", "--base"},    {"--pushed", "--target"},  {"--explain", "--staged"},
    {"--explain", "--pushed"}, {"--explain", "--output"},
};

/// Returns the line that says how many findings `revctl fix` repairs, or "".
std::string FixableLine(const std::vector<Finding>& found) {
  const auto fixable = std::count_if(found.begin(), found.end(), [](const Finding& finding) {
    return findings::IsMechanical(finding.fix_kind);
  });
  if (fixable == 0) return "";
  return fmt::format("{} of {} finding{} can be repaired by a program: revctl fix\n", fixable,
                     found.size(), found.size() == 1 ? "" : "s");
}

Outcome Report(Session& session, const Arguments& arguments, const std::vector<Finding>& found,
               const std::string& fine) {
  TRY(const auto outputs, findings::ParseOutputs(session.format, arguments.All("--output")));
  const auto rendered = [&](findings::Format format, bool colour) {
    return findings::Render(found, format, colour) +
           (format == findings::Format::Text ? FixableLine(found) : "");
  };
  session.OutExact(rendered(outputs.on_stdout, session.colour));
  for (const auto& [format, path] : outputs.files) {
    TRY(config::ReplaceFile((std::filesystem::path(session.directory) / path).string(),
                            rendered(format, false)));
  }
  const bool broken = std::any_of(found.begin(), found.end(),
                                  [](const Finding& f) { return f.severity == Severity::Error; });
  if (found.empty() && outputs.on_stdout == findings::Format::Text) session.Message(fine);
  return broken ? Exit::Findings : Exit::Fine;
}

/// Deepens a shallow clone in steps until it contains the merge base.
Result<base::Done> Deepen(const Workspace& workspace, const std::string& branch,
                          GateRequest& request, Session& session) {
  const git::Repository& repository = workspace.repository();
  TRY(auto shallow, repository.IsShallow());
  if (!shallow || request.base || !request.target.tip || workspace.remote().empty())
    return base::Done{};
  const git::Refspec target{"refs/heads/" + branch,
                            "refs/remotes/" + workspace.remote() + "/" + branch, true};
  using Depth = git::FetchDepth;
  for (const Depth& depth : {Depth{}, Depth::Deeper(50), Depth::Deeper(1000), Depth::All()}) {
    if (!depth.option.empty()) {
      session.Progress(fmt::format("fetching history ({})", depth.option));
      TRY(auto fetched, git::Fetch(repository, workspace.remote(), {target}, depth));
      if (!fetched.ok) break;
    }
    TRY(auto head, request.tree.Head());
    if (!head) break;
    auto base = repository.MergeBase(*head, *request.target.tip);
    if (base.ok() && *base) break;
  }
  return base::Done{};
}

/// Runs the gate, and for pushes also checks the commits below the tip. Shows progress, because
/// there may be many sources and commits.
Result<std::vector<Finding>> FindingsOf(GateRequest& request, Session& session, bool pushed) {
  ProgressLine progress(session, "judging");
  request.watch = [&](std::string_view what, std::size_t done, std::size_t all) {
    progress.Count(what, done, all);
  };
  auto found = RunGate(request);
  if (found.ok() && pushed) {
    if (auto line = CheckLine(request, *found); !line.ok()) found = line.error();
  }
  request.watch = nullptr;  // `progress` ends here
  return found;
}

/// pre-push: reads lines "<local ref> <local oid> <remote ref> <remote oid>", checks what lands.
Outcome CheckPushed(const Workspace& workspace, Session& session, const Arguments& arguments,
                    const ledger::Snapshot& snapshot) {
  std::vector<Finding> found;
  const ReleaseQuestion releases = workspace.Releases(snapshot.target);
  for (std::string line; std::getline(std::cin, line);) {
    // The local ref may be any revision expression, even with blanks, so use only the last three
    // words.
    const auto words = LastWords(line, 3);
    const bool told = words && words->front() != line && IsObjectId((*words)[0]) &&
                      (*words)[1].starts_with("refs/") && IsObjectId((*words)[2]);
    if (!told)
      return NotFromGit(line, "<local ref> <local id> <remote ref> <remote id>", "check --pushed",
                        "pre-push");
    const std::string &local = (*words)[0], &remote_ref = (*words)[1], &remote = (*words)[2];
    constexpr std::string_view kBranchPrefix = "refs/heads/";
    const std::string branch =
        remote_ref.starts_with(kBranchPrefix) ? remote_ref.substr(kBranchPrefix.size()) : "";
    const bool release = IsReleaseBranch(releases, branch);
    if ((branch != workspace.config().target && !release) || git::IsNull(local)) continue;
    GateRequest request(workspace.repository(), workspace.GitPath(""),
                        FileTree::Commit(workspace.repository(), local));
    TRY(auto known, workspace.repository().RevParse(remote));
    request.target = {known, branch};
    if (!known && !git::IsNull(remote))
      return Error{
          Exit::Environment,
          fmt::format("the remote's {} ({}) is not known here", branch, remote.substr(0, 10)),
          "git fetch"};
    request.base = known;  // the pushed commit is the result, so no merge follows
    request.mode = Mode::Server;
    request.ledger = {&snapshot, false, LedgerCopyDate(workspace, snapshot)};
    request.only_list = session.list;
    if (release) {
      request.mode = Mode::Release;
      request.release_of = {snapshot.target, workspace.TargetLabel()};
    }
    TRY(auto judged, FindingsOf(request, session, true));
    found.insert(found.end(), judged.begin(), judged.end());
  }
  return Report(session, arguments, found, "");
}

/// Tells the user that the gate checks the commit that will conclude the merge (gate.cpp).
base::Result<base::Done> SayMerge(Session& session, const GateRequest& request) {
  TRY(auto merges, MergesTarget(request));
  if (merges)
    session.Message(fmt::format(
        "revctl: a merge with {} is going on: judged is what `git commit` will conclude it with",
        request.target.Text()));
  return base::Done{};
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
  if (auto outputs = findings::ParseOutputs(session.format, arguments.All("--output"));
      !outputs.ok())
    return outputs.error();
  TRY(auto workspace, Workspace::Open(session));
  if (!session.quiet) session.afterword = NotInstalledNotice(workspace);
  TRY(const auto lists, workspace.Lists(session));
  ledger::Ledger ledger = workspace.OpenLedger(session);
  const bool in_ci = std::getenv("CI") != nullptr;
  const bool fetch = (arguments.Has("--fetch") || in_ci) && !arguments.Has("--no-fetch") &&
                     !arguments.Has("--staged") && !arguments.Has("--pushed");
  auto snapshot = fetch ? workspace.Fetched(ledger, session, !workspace.NeedsLedger())
                        : workspace.LastSeen(ledger, session);
  if (!snapshot.ok()) return snapshot.error();
  if (arguments.Has("--pushed")) return CheckPushed(workspace, session, arguments, *snapshot);

  const git::Repository& repository = workspace.repository();
  GateRequest request(
      repository, workspace.GitPath(""),
      arguments.Has("--staged") ? FileTree::Staged(repository) : FileTree::WorkTree(repository));
  if (arguments.Has("--head")) {
    TRY(auto head, NamedCommit(workspace, arguments.Value("--head"), "--head"));
    request.tree = FileTree::Commit(repository, head);
  }
  auto set = SetTarget(workspace, ledger, arguments, fetch, request);
  if (!set.ok()) {
    // A commit (`--staged`) does not land, so before the first fetch it is checked without a
    // target.
    if (!arguments.Has("--staged")) return set.error();
    request.target.tip.reset();
  }
  if (arguments.Has("--staged")) request.mode = Mode::Commit;
  if (arguments.Has("--base")) {
    TRY(auto base, NamedCommit(workspace, arguments.Value("--base"), "--base"));
    request.base = std::move(base);
  }
  if (fetch) {
    TRY(Deepen(workspace, set->branch, request, session));
  }
  if (arguments.Has("--explain")) return ExplainCi(workspace, session, request, *set, fetch);
  if (!arguments.Has("--head")) {
    auto said = arguments.Has("--staged") ? base::Result<base::Done>(base::Done{})
                                          : SayOldCommit(workspace, session, request.target.tip);
    if (said.ok()) said = SayMerge(session, request);
    if (!said.ok()) return said.error();
  }
  request.ledger = {&*snapshot, fetch || workspace.remote().empty(),
                    fetch ? "" : LedgerCopyDate(workspace, *snapshot)};
  request.only_list = session.list;
  TRY(auto found, FindingsOf(request, session, false));
  for (const list::ListConfig* list : lists) {
    if (!request.tree.IsWorkTree()) break;
    // The gate has reported unreadable lists.
    const auto stale = IncludeIsStale(workspace.root(), *list);
    if (stale.ok() && *stale)
      found.push_back({.rule = RuleId::PendingFile,
                       .severity = Severity::Warning,
                       .message = kStaleInclude,
                       .file = workspace.GitPath(pending::IncludePath(*list)),
                       .fix = FixText(findings::Fix::Mechanical()),
                       .fix_kind = findings::FixKind::Repair,
                       .target = request.target.label,
                       .target_commit = request.target.tip.value_or("")});
  }
  if (const std::string wrong = GoldensWithoutFolder(workspace.config());
      !wrong.empty() && !arguments.Has("--staged"))
    session.Message(fmt::format("revctl: {}\nfix: {}", wrong, kNameGoldenFolder));
  return Report(session, arguments, found, "revctl: fine against " + request.target.Text());
}

}  // namespace

Command CheckCommand() {
  return {
      {"check",
       "the gate: can this land?",
       "Checks the list as a plain text merge with the target will make it, its reservations "
       "and its\ngoldens. Asks the server with --fetch, and in CI. Exit 1 if there is an error. "
       "revctl fix repairs\nwhat a program can repair.",
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
        {"--pushed", "", "what git's pre-push hook says on stdin", Hint::None},
        {"--output", "FILE", "findings as --format into FILE (or FORMAT=FILE), text here",
         Hint::File, true},
        {"--explain", "", "what would be judged against what, and why; no judging", Hint::None}}},
      RunCheck};
}

}  // namespace revctl::commands
