#include <fmt/core.h>

#include <filesystem>

#include "revctl/base/file.h"
#include "revctl/base/shell_word.h"
#include "revctl/base/terminal.h"
#include "revctl/commands/table.h"
#include "revctl/config/files.h"
#include "revctl/findings/rule_table.h"
#include "revctl/fixing/fix.h"
#include "revctl/session/progress_line.h"

namespace revctl::commands {
namespace {

/// Returns the lists to repair: the list at PATH if the user gave one, otherwise the lists selected
/// by `--list`.
Result<std::vector<const list::ListConfig*>> ChosenLists(const Workspace& workspace,
                                                         const Arguments& arguments,
                                                         const Session& session) {
  if (!arguments.Has("PATH")) {
    TRY(auto lists, workspace.Lists(session.list));
    if (arguments.Has("--last") && lists.size() > 1) TRY(workspace.OneList(session.list));
    return lists;
  }
  const std::string absolute = base::ResolvedPath(
      (std::filesystem::path(session.directory) / arguments.Value("PATH")).generic_string());
  for (const list::ListConfig& list : workspace.config().lists) {
    if (base::ResolvedPath(workspace.FilePath(list.path)) == absolute) return std::vector{&list};
  }
  return Error{Exit::Usage,
               findings::Quoted(arguments.Value("PATH")) + " is not a list in .revctl.yaml",
               "revctl fix"};
}

Json JsonOf(const FixReport& report, const ChangeSet& changes, const std::string& diff) {
  Json::List moves, left;
  for (const ListMoves& of : report.renumbered) {
    for (const NumberMove& move : of.moves)
      moves.push_back(Json::Object()
                          .Set("list", of.list)
                          .Set("name", move.name)
                          .Set("from", move.from)
                          .Set("to", move.to));
  }
  for (const findings::Finding& finding : report.left)
    left.push_back(Json::Object()
                       .Set("rule", findings::NameOf(finding.rule))
                       .Set("message", finding.message)
                       .Set("file", finding.file)
                       .Set("line", finding.line)
                       .Set("revision", finding.revision)
                       .Set("fix", FixText(finding.fix)));
  const std::vector<std::string> files = changes.Paths();
  return Json::Object()
      .Set("version", 1)
      .Set("dry_run", changes.dry_run())
      .Set("fixed", Json::List(report.done.begin(), report.done.end()))
      .Set("files", Json::List(files.begin(), files.end()))
      .Set("renumbered", std::move(moves))
      .Set("diff", diff)
      .Set("left", std::move(left));
}

/// Prints the repairs, the remaining errors, and the result.
void Print(const FixReport& report, const ChangeSet& changes, const std::string& diff,
           Session& session) {
  for (const std::string& line : report.done)
    changes.dry_run() ? session.Message(line) : session.Out(line + "\n");
  // Print the exact bytes for `git apply`, but escape control characters on a terminal.
  session.OutExact(base::IsTerminal(base::Stream::Out) ? findings::Printable(diff) : diff);
  if (!report.to_add.empty() && !changes.dry_run()) {
    std::string paths;
    for (const std::string& path : report.to_add) paths += " " + base::ShellPath(path);
    session.Message("next: git add" + paths);
  }
  if (!report.left.empty())
    session.OutExact(findings::Render(report.left, session.format, session.colour));
  if (!report.left.empty() || report.stopped) return;
  const std::string with =
      report.compared_with.empty() ? "" : fmt::format(" (compared with {})", report.compared_with);
  if (report.done.empty() && changes.empty()) session.Message("OK: nothing to fix" + with);
  else if (changes.dry_run()) session.Message("nothing changed (--dry-run)");
  else session.Message("OK: fixed" + with);
}

Outcome RunFix(const Arguments& arguments, Session& session) {
  TRY(auto workspace, Workspace::Open(session.directory));
  FixRequest request{.last = arguments.All("--last"), .only_list = session.list};
  TRY(request.lists, ChosenLists(workspace, arguments, session));
  TRY(const auto lock, workspace.LockLists(ListenerOf(session)));
  ChangeSet changes(workspace, arguments.Has("--dry-run"));
  const FixReport report = FixLists(changes, request, ListenerOf(session));
  TRY(const std::string diff, changes.dry_run() ? changes.Diff() : Result<std::string>(""));
  if (session.json()) session.OutJson(JsonOf(report, changes, diff));
  else Print(report, changes, diff, session);
  if (report.stopped) return *report.stopped;
  return report.left.empty() ? Exit::Fine : Exit::Findings;
}

}  // namespace

Command FixCommand() {
  return {{"fix",
           "fix all findings that can be fixed automatically",
           "Fixes conflict markers, missing or changed landed entries, late and duplicate "
           "numbers of pending\nrevisions, the current revision, numbers in comments, pending "
           "files, and missing goldens of landed\nrevisions. Safe to run at any time. It prints "
           "each fix, and exits with 1 if errors\nremain that need a decision.",
           "$ git pull --rebase && revctl fix\nSR_BOSS_PHASE 667 -> 669",
           {{"PATH", "the list (default: all)", Positional::Count::Optional, Hint::File}},
           {{"--last", "NAME...", "move these after the branch's other pending revisions",
             Hint::Revision, true, false, true},
            {"--dry-run", "", "print the changes as a diff; change nothing"}}},
          RunFix};
}

}  // namespace revctl::commands
