// Repairs lists with conflict markers or damaged by a clean text merge, and goldens left in
// conflict by a merge without the driver.
#include <fmt/core.h>
#include <filesystem>

#include "revctl/base/file.h"
#include "revctl/base/shell_word.h"
#include "revctl/commands/table.h"
#include "revctl/config/files.h"
#include "revctl/repair/repair_goldens.h"
#include "revctl/repair/repair_list.h"
#include "revctl/session/progress_line.h"
#include "revctl/tree/work_tree.h"

namespace revctl::commands {
namespace {

/// Resolves a list's goldens, prints what was resolved, and reports what remains.
Outcome ResolveGoldens(const Workspace& workspace, const list::ListConfig& list,
                       const std::string& text, Session& session) {
  const auto here = list::Parse(text, list, list.path);
  TRY(auto goldens, RepairGoldens(workspace, list, here.ok() ? &*here : nullptr));
  const std::string folder = workspace.GitPath(list.golden);
  if (here.ok()) {
    TRY(auto back, RestoreLandedGoldens(workspace, list, *here));
    goldens.mended.insert(goldens.mended.end(), back.begin(), back.end());
  }
  if (!goldens.mended.empty())
    session.Out(fmt::format("{}: mended {}; git add {}\n", folder, SomeOf(goldens.mended),
                            base::ShellPath(folder)));
  if (goldens.left.empty()) return Exit::Fine;
  session.Message(
      fmt::format("{}: which version of {} stays cannot be said. Take a record and its payloads "
                  "from one side: git checkout --ours (or --theirs) -- FILES",
                  folder, SomeOf(goldens.left)));
  return Exit::Findings;
}

Outcome ResolveOne(const Workspace& workspace, const list::ListConfig& list, Session& session) {
  TRY(auto text, workspace.ReadList(list));
  TRY(auto mended, RepairList(workspace, list, text, Provisional::Reported));
  const list::MergeOutput& merged = mended.merged;
  for (const std::string& message : merged.messages) session.Message(message);
  if (merged.text != text) {
    TRY(workspace.WriteList(list, merged.text));
  }
  auto goldens = ResolveGoldens(workspace, list, merged.text, session);
  if (!goldens.ok()) return goldens;
  if (merged.conflict) {
    session.Message(fmt::format("{}: what contradicts itself is left between markers, line {}",
                                list.path, list::ConflictMarkerLine(merged.text)));
    return Exit::Findings;
  }
  if (!mended.left.empty()) {
    session.OutExact(findings::Render(mended.left, session.format, session.colour));
    return Exit::Findings;
  }
  const std::string add = mended.unmerged ? "; git add " + base::ShellPath(list.path) : "";
  session.Out(fmt::format("{}: {}{}\n", list.path,
                          merged.text == text ? "nothing to mend" : "mended", add));
  return goldens;
}

Outcome RunResolve(const Arguments& arguments, Session& session) {
  TRY(auto workspace, Workspace::Open(session.directory));
  TRY(const auto lock, workspace.LockLists(ListenerOf(session)));
  if (arguments.Has("PATH")) {
    const std::string absolute = base::ResolvedPath(
        (std::filesystem::path(session.directory) / arguments.Value("PATH")).string());
    for (const auto& list : workspace.config().lists) {
      if (base::ResolvedPath(workspace.FilePath(list.path)) == absolute)
        return ResolveOne(workspace, list, session);
    }
    return Error{Exit::Usage, arguments.Value("PATH") + " is no list of .revctl.yaml",
                 "revctl resolve"};
  }
  TRY(auto lists, workspace.Lists(session.list));
  Exit worst = Exit::Fine;
  for (const auto* list : lists) {
    auto outcome = ResolveOne(workspace, *list, session);
    if (!outcome.ok()) return outcome;
    if (*outcome != Exit::Fine) worst = *outcome;
  }
  return worst;
}

}  // namespace

Command ResolveCommand() {
  return {
      {"resolve",
       "mend a list, and its goldens, that a merge left wrong",
       "Does after the fact what the merge driver would have done. Landed entries get their "
       "numbers "
       "and\n"
       "places back, also those that are missing; pending ones follow. Exit 1 where something is "
       "left.\n"
       "Goldens in conflict are taken from one side, the landed one; missing ones of landed "
       "revisions come\n"
       "back.\n"
       "`revctl renumber` mends lists, too, and then confirms the pending numbers.",
       "$ revctl resolve && git add src/master_version_list.h",
       {{"PATH", "the list (default: all)", Positional::Count::Optional, Hint::File}},
       {}},
      RunResolve};
}

}  // namespace revctl::commands
