#include <fmt/core.h>
#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <iostream>

#include "revctl/base/counted.h"
#include "revctl/base/file.h"
#include "revctl/base/shell_word.h"
#include "revctl/commands/revision_table.h"
#include "revctl/commands/table.h"
#include "revctl/config/files.h"
#include "revctl/findings/outputs.h"
#include "revctl/findings/printable.h"
#include "revctl/findings/rule_table.h"
#include "revctl/gate/check_target.h"
#include "revctl/gate/gate.h"
#include "revctl/git/remote.h"
#include "revctl/pending/pending_file.h"
#include "revctl/repair/repair_list.h"
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

/// Options that require a repository and therefore cannot be combined with `--before` and
/// `--after`.
constexpr std::string_view kOfRepository[] = {"--fetch",  "--target", "--base",   "--head",
                                              "--staged", "--pushed", "--explain"};

/// Pairs of mutually exclusive options. Hooks pass `--staged` or `--pushed`, and these checks must
/// neither apply to a different commit nor contact the server.
constexpr std::pair<std::string_view, std::string_view> kContradicting[] = {
    {"--staged", "--pushed"},  {"--staged", "--head"},    {"--staged", "--fetch"},
    {"--pushed", "--head"},    {"--pushed", "--fetch"},   {"--pushed", "--base"},
    {"--pushed", "--target"},  {"--explain", "--staged"}, {"--explain", "--pushed"},
    {"--explain", "--output"},
};

/// Returns the line that says how many findings `revctl fix` can repair, or "" if there are none.
std::string FixableLine(const std::vector<Finding>& found) {
  const auto is_mechanical = [](const Finding& f) { return findings::IsMechanical(f.fix.kind); };
  const auto waits_for = [](const Finding& finding, const Finding& decision) {
    return finding.file == decision.file ||
           (decision.rule == RuleId::LandedRenamed && finding.revision == decision.revision);
  };
  const auto fixable = std::count_if(found.begin(), found.end(), [&](const Finding& finding) {
    return is_mechanical(finding) &&
           std::none_of(found.begin(), found.end(), [&](const Finding& other) {
             return Is(other, findings::Rule::kBlocksFix) && !is_mechanical(other) &&
                    waits_for(finding, other);
           });
  });
  if (fixable == 0) return "";
  return fmt::format("revctl fix repairs {} of {}\n", fixable,
                     base::Counted(found.size(), "finding"));
}

/// Prints the findings and returns the exit code. If there are no findings, and `checked` says what
/// was checked, prints a status line that includes it.
Outcome Report(Session& session, const Arguments& arguments, const std::vector<Finding>& found,
               const std::string& checked, const std::string& table = "") {
  TRY(const auto outputs, findings::ParseOutputs(session.format, arguments.All("--output")));
  const findings::Heading heading{"revctl", checked, table};
  const auto rendered = [&](findings::Format format, bool colour) {
    return findings::Render(found, format, colour, heading) +
           (format == findings::Format::Text ? FixableLine(found) : "");
  };
  session.OutExact(rendered(outputs.on_stdout, session.colour));
  for (const auto& [format, path] : outputs.files) {
    TRY(config::ReplaceFile((std::filesystem::path(session.directory) / path).generic_string(),
                            rendered(format, false)));
  }
  // If there are no findings, print the status line as a message, to keep stdout empty.
  if (found.empty() && !checked.empty() && outputs.on_stdout == findings::Format::Text)
    session.Message(fmt::format("OK: no problems ({})", checked));
  return findings::HasErrors(found) ? Exit::Findings : Exit::Fine;
}

/// Deepens a shallow clone step by step until it contains the merge base.
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

/// Runs the gate. If `pushed` is true, also checks the pushed commits below the tip. Shows
/// progress, because checking many sources or commits takes a while.
Result<std::vector<Finding>> FindingsOf(GateRequest& request, Session& session, bool pushed) {
  ProgressLine progress(session, "checking");
  request.watch = [&](std::string_view what, std::size_t done, std::size_t all) {
    progress.Count(what, done, all);
  };
  auto found = RunGate(request);
  if (found.ok() && pushed) found = CheckIntermediateCommits(request, std::move(*found));
  request.watch = nullptr;  // the callback refers to `progress`, which ends here
  return found;
}

/// Rewords findings about conflicts whose two sides contradict each other. `revctl fix` cannot
/// resolve such conflicts, so the new text of the fix names the decision that a person has to make.
Result<base::Done> NameContradictions(const Workspace& workspace, const GateRequest& request,
                                      const std::vector<const list::ListConfig*>& lists,
                                      std::vector<Finding>& found) {
  for (Finding& finding : found) {
    if (finding.rule != RuleId::ConflictMarkers) continue;
    const auto list = std::find_if(lists.begin(), lists.end(), [&](const auto* one) {
      return workspace.GitPath(one->path) == finding.file;
    });
    if (list == lists.end()) continue;
    TRY(const auto text, request.tree.Read(finding.file));
    TRY(const auto repair, ListRepair::Of(workspace, **list));
    const auto repaired = repair.Repair(text.value_or(""));
    if (repaired.ok() && !repaired->merged.conflict) continue;
    finding.message = "unresolved conflict markers: the two sides contradict each other";
    finding.fix = repaired.ok() || repaired.error().fix.empty()
                      ? findings::Fix("keep one of the two sides, then run revctl fix")
                      : findings::Fix(repaired.error().fix);
  }
  return base::Done{};
}

/// A line that git wrote to the pre-push hook: "<local ref> <local oid> <remote ref> <remote oid>".
struct PushedRef {
  std::string local;   ///< the pushed commit, or the null id if the push deletes the ref
  std::string ref;     ///< name of the ref on the remote
  std::string remote;  ///< commit of `ref` on the remote before the push
};

Result<std::vector<PushedRef>> ReadPushed() {
  std::vector<PushedRef> out;
  for (std::string line; std::getline(std::cin, line);) {
    // Use only the last three words of the line, because the local ref may be any revision
    // expression, even one with spaces.
    const auto words = LastWords(line, 3);
    const bool told = words && words->front() != line && IsObjectId((*words)[0]) &&
                      (*words)[1].starts_with("refs/") && IsObjectId((*words)[2]);
    if (!told)
      return NotFromGit(line, "<local ref> <local id> <remote ref> <remote id>", "check --pushed",
                        "pre-push");
    out.push_back({(*words)[0], (*words)[1], (*words)[2]});
  }
  return out;
}

/// Moves the ledger to the remote if this clone started the ledger before it had a remote.
/// Otherwise a teammate who fetches the pushed commits could start a second ledger and reserve the
/// same numbers. If the remote rejects the ledger, returns an error so that git does not push,
/// unless reservations are optional.
Result<base::Done> TakeLedgerAlong(const Workspace& workspace, Session& session,
                                   const std::string& remote,
                                   const std::vector<PushedRef>& pushed) {
  if (workspace.remote().empty()) return base::Done{};
  TRY(const auto url, workspace.repository().ConfigValue("remote." + workspace.remote() + ".url"));
  const bool to_team = remote == workspace.remote() || remote == url;
  const bool sends = std::any_of(pushed.begin(), pushed.end(),
                                 [](const PushedRef& one) { return !git::IsNull(one.local); });
  // Do nothing if the ledger is pushed anyway, as by `git push --mirror`.
  const bool pushes_ledger = std::any_of(pushed.begin(), pushed.end(), [&](const PushedRef& one) {
    return one.ref == workspace.config().ledger;
  });
  if (!to_team || !sends || pushes_ledger) return base::Done{};
  auto moved = workspace.OpenLedger().MoveToRemote();
  if (moved.ok()) {
    if (!moved->empty()) session.Out("revctl: " + *moved + "\n");
    return base::Done{};
  }
  if (!workspace.NeedsLedger()) return base::Done{};
  moved.error().message =
      "the ledger is only in this clone, but teammates will need it after this push: " +
      moved.error().message;
  return moved.error();
}

/// Implements `--pushed` for the pre-push hook: checks each push to the target or to a release
/// branch.
Outcome CheckPushed(const Workspace& workspace, Session& session, const Arguments& arguments,
                    const ledger::Snapshot& snapshot) {
  TRY(const auto pushed, ReadPushed());
  std::vector<Finding> found;
  const ReleaseQuestion releases = workspace.Releases(snapshot.target);
  for (const auto& [local, remote_ref, remote] : pushed) {
    constexpr std::string_view kBranchPrefix = "refs/heads/";
    const std::string branch =
        remote_ref.starts_with(kBranchPrefix) ? remote_ref.substr(kBranchPrefix.size()) : "";
    const bool release = IsReleaseBranch(releases, branch);
    if ((branch != workspace.config().target && !release) || git::IsNull(local)) continue;
    GateRequest request(workspace.At(local));
    TRY(auto known, workspace.repository().RevParse(remote));
    request.target = {known, branch};
    if (!known && !git::IsNull(remote))
      return Error{Exit::Environment,
                   fmt::format("this clone does not have commit {1} of the remote's {0}", branch,
                               remote.substr(0, 10)),
                   "git fetch"};
    // The pushed commit replaces the remote's tip without a merge, so the remote's tip also serves
    // as the merge base.
    request.base = known;
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
  TRY(const auto reported, Report(session, arguments, found, ""));
  if (reported == Exit::Fine)
    TRY(TakeLedgerAlong(workspace, session, arguments.Value("--pushed"), pushed));
  return reported;
}

/// If a merge with the target is in progress, tells the user that the gate checks the commit that
/// will conclude it.
base::Result<base::Done> SayMerge(Session& session, const GateRequest& request) {
  TRY(auto merges, MergesTarget(request));
  if (merges)
    session.Message(
        fmt::format("revctl: merge with {} in progress; checking the commit that will conclude it",
                    request.target.Text()));
  return base::Done{};
}

/// Reads the version of the list that the user passed with `option`. Returns nullopt for an empty
/// file or /dev/null, which stand for a missing list.
Result<std::optional<std::string>> ReadVersion(const Session& session, const Arguments& arguments,
                                               const std::string& option) {
  const std::filesystem::path name = arguments.Value(option);
  if (base::IsNullDevice(name.generic_string())) return std::optional<std::string>();
  TRY(auto text,
      config::ReadFile((session.directory / name).generic_string(), config::kMaxListBytes));
  if (!text)
    return Error{Exit::Usage,
                 fmt::format("{} {}: there is no such file", option,
                             findings::Quoted(name.generic_string())),
                 "if that version has no list, pass an empty file"};
  if (text->find_first_not_of(" \t\r\n") == std::string::npos) text.reset();
  return text;
}

/// Returns the nearest `.revctl.yaml`, reduced to one list: the list named with `--list`, the list
/// whose path is `file`, or the only list. If there is no `.revctl.yaml`, returns the default
/// config for a list at `file`.
Result<config::Config> ConfigOfVersions(const Session& session, const std::string& file) {
  TRY(const auto directory, AbsoluteFolder(session.directory));
  const auto folder = FindConfigFolder(directory, "");
  config::Config out;
  if (folder) {
    TRY(auto read, ReadConfig(*folder));
    if (read) out = std::move(*read);
  }
  if (out.lists.empty()) {
    if (!session.list.empty())
      return Error{Exit::Usage, "--list needs a .revctl.yaml, but there is none here", ""};
    out.lists.emplace_back().path = file;
    return out;
  }
  TRY(const auto named, ListsNamed(out, session.list));
  const list::ListConfig* list = named.size() == 1 ? named.front() : nullptr;
  for (const list::ListConfig* one : named) {
    if (base::ResolvedPath(*folder + "/" + one->path) == base::ResolvedPath(directory + "/" + file))
      list = one;
  }
  if (list == nullptr)
    return Error{Exit::Usage, "cannot tell which list in .revctl.yaml these files belong to",
                 "--list " + base::ShellWord(named.front()->name)};
  out.lists = {list::ListConfig(*list)};
  return out;
}

/// Implements `--before` and `--after`, which check two versions of a list given as files, for
/// triggers in other version control systems.
Outcome CheckVersions(const Arguments& arguments, Session& session) {
  for (const std::string_view option : kOfRepository) {
    for (const char* const file : {"--before", "--after"}) {
      if (auto both = Contradiction(arguments, {file, option})) return *both;
    }
  }
  if (!arguments.Has("--before") || !arguments.Has("--after"))
    return Error{Exit::Usage, "--before and --after must be used together",
                 "revctl check --before LANDED.h --after CHANGED.h"};
  ListVersions versions;
  const std::string before = arguments.Value("--before"), after = arguments.Value("--after");
  TRY(versions.config, ConfigOfVersions(session, after));
  TRY(versions.before, ReadVersion(session, arguments, "--before"));
  TRY(versions.after, ReadVersion(session, arguments, "--after"));
  if (!versions.before && !versions.after)
    return Error{Exit::Usage, "both versions are empty, so there is no list to check", ""};
  TRY(const auto found, RunGate(GateRequest(std::move(versions), before)));
  return Report(session, arguments, found, "compared with " + before);
}

/// Returns the merge base that the gate will use for `request`.
Result<std::optional<git::Oid>> BaseOf(const GateRequest& request,
                                       const std::optional<git::Oid>& head) {
  if (request.base || !request.target.tip || !head) return request.base;
  return request.repository().MergeBase(*head, *request.target.tip);
}

/// Implements `--explain`, which prints the versions that `check` would compare, and why, without
/// checking anything.
Outcome ExplainTarget(const Workspace& workspace, Session& session, const GateRequest& request,
                      const CheckTarget& target, bool fetched) {
  TRY(const auto head, request.tree.Head());
  TRY(const auto base, BaseOf(request, head));
  const CiChange& ci = target.ci;
  const bool work_tree = request.tree.IsWorkTree();
  const std::string base_why =
      request.base       ? "--base names it"
      : base.has_value() ? "the last commit that the change shares with the target"
                         : "unknown: change and target have no common ancestor in this clone";
  const std::string rules = request.Is(Mode::Release) ? "release" : "landing";
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
                               .Set("name", request.target.label)
                               .Set("commit", request.target.tip.value_or(""))
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
  line("ci", ci.system.empty() ? "not recognized"
                               : ci.system + (ci.event.empty() ? "" : ", event " + ci.event));
  line("checked", (work_tree ? "the work tree at " : "the commit ") +
                      head.value_or("no commit").substr(0, 10));
  line("target", fmt::format("{} ({}): {}", request.target.Text(), target.branch, target.why));
  line("base", (base.has_value() ? base.value().substr(0, 10) + ": " : "") + base_why);
  line("rules", rules == "release"
                    ? "a release: every revision must be on " + request.release_of->label
                    : "a landing on " + target.branch);
  line("policy",
       request.target.tip ? ".revctl.yaml in the target" : ".revctl.yaml in the work tree");
  line("ledger", workspace.config().ledger + " " + ledger_state);
  return base::Exit::Fine;
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
  TRY(const auto outputs, findings::ParseOutputs(session.format, arguments.All("--output")));
  if (arguments.Has("--before") || arguments.Has("--after"))
    return CheckVersions(arguments, session);
  TRY(auto workspace, Workspace::Open(session.directory));
  if (!session.quiet) session.afterword = NotInstalledNotice(workspace);
  TRY(const auto lists, workspace.Lists(session.list));
  const bool in_ci = std::getenv("CI") != nullptr;
  const bool fetch = (arguments.Has("--fetch") || in_ci) && !arguments.Has("--staged") &&
                     !arguments.Has("--pushed");
  TRY(const auto snapshot, fetch ? workspace.Fetched(ListenerOf(session), !workspace.NeedsLedger())
                                 : workspace.LastSeen(ListenerOf(session)));
  if (arguments.Has("--pushed")) return CheckPushed(workspace, session, arguments, snapshot);

  GateRequest request(arguments.Has("--staged")
                          ? Tree::Index(workspace.repository(), workspace.GitPath(""))
                          : workspace.Here());
  if (arguments.Has("--head")) {
    TRY(auto head, NamedCommit(workspace, arguments.Value("--head"), "--head"));
    request.tree = workspace.At(head);
  }
  const auto found_target = FindTarget(workspace, request.tree, arguments, fetch);
  // Continue without a target if `--staged` is given, because it checks a commit before it lands.
  // There may be no target yet, for example before the first fetch.
  if (!found_target.ok() && !arguments.Has("--staged")) return found_target.error();
  request.target = found_target.ok() ? found_target->target
                                     : ComparedBranch{std::nullopt, workspace.TargetLabel()};
  if (found_target.ok()) request.release_of = found_target->release_of;
  if (request.release_of) request.mode = Mode::Release;
  if (arguments.Has("--staged")) request.mode = Mode::Commit;
  if (arguments.Has("--base")) {
    TRY(request.base, NamedCommit(workspace, arguments.Value("--base"), "--base"));
  }
  if (fetch) {
    TRY(Deepen(workspace, found_target->branch, request, session));
  }
  if (arguments.Has("--explain"))
    return ExplainTarget(workspace, session, request, *found_target, fetch);
  if (!arguments.Has("--head")) {
    if (!arguments.Has("--staged")) {
      TRY(const auto old_commit, OldCommitWarning(workspace, request.target.tip));
      if (!old_commit.empty()) session.Message(old_commit);
    }
    TRY(SayMerge(session, request));
  }
  request.ledger = {&snapshot, fetch || workspace.remote().empty(),
                    fetch ? "" : LedgerCopyDate(workspace, snapshot)};
  request.only_list = session.list;
  TRY(auto found, FindingsOf(request, session, false));
  TRY(NameContradictions(workspace, request, lists, found));
  for (const list::ListConfig* list : lists) {
    if (!request.tree.IsWorkTree()) break;
    // Skip lists that cannot be read, because the gate has already reported them.
    const auto stale = IncludeIsStale(workspace.root(), *list);
    if (stale.ok() && *stale)
      found.push_back({.rule = RuleId::PendingFile,
                       .severity = Severity::Warning,
                       .message = kStaleInclude,
                       .file = workspace.GitPath(pending::IncludePath(*list)),
                       .fix = findings::Fix::Mechanical(),
                       .target = request.target.label,
                       .target_commit = request.target.tip.value_or("")});
  }
  std::string table;
  if (outputs.Has(findings::Format::Markdown) && request.tree.IsWorkTree()) {
    TRY(table, RevisionTable(workspace, lists, snapshot));
  }
  auto reported =
      Report(session, arguments, found, "compared with " + request.target.Text(), table);
  if (const auto missing = FindMissingGoldens(workspace.config());
      missing && !arguments.Has("--staged"))
    session.Message(fmt::format("revctl: {}{}\nfix: {}", missing->is_mistake ? "" : "note: ",
                                missing->text, kNameGoldenFolder));
  return reported;
}

}  // namespace

Command CheckCommand() {
  return {{"check",
           "CI check: fails on duplicate, late or changed revisions",
           "Checks the list that a text merge with the target will produce, its reservations and "
           "its goldens.\nContacts the server with --fetch and in CI. Exits with 1 if there is an "
           "error. With --before and --after it\ncompares two files without git, for example in a "
           "Perforce trigger.",
           "$ revctl check --fetch\nsrc/master_version_list.h:14: error[RV006]: ...",
           {},
           {{"--fetch", "", "fetch target and ledger first (default in CI)"},
            {"--target", "REF", "commit to land on (default: as set in .revctl.yaml)", Hint::Ref},
            {"--base", "REF", "commit where the change began (default: the merge base)", Hint::Ref},
            {"--head", "REF", "check this commit, not the work tree", Hint::Ref},
            {"--staged", "", "check staged files by the rules for ordinary commits"},
            {"--pushed", "REMOTE", "check the commits being pushed (in git's pre-push hook)"},
            {"--before", "FILE", "without git: file with the landed version of a list", Hint::File},
            {"--after", "FILE", "without git: file with the version to check", Hint::File},
            {"--output", "FILE",
             "write findings to FILE in the chosen --format, and print text to stdout", Hint::File,
             true},
            {"--explain", "", "print what would be compared, and why"}}},
          RunCheck};
}

}  // namespace revctl::commands
