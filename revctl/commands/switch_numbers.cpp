#include <fmt/core.h>

#include <algorithm>

#include "revctl/base/shell_word.h"
#include "revctl/commands/table.h"
#include "revctl/folding/convert.h"
#include "revctl/pending/pending_file.h"
#include "revctl/session/progress_line.h"
#include "revctl/setup/installation.h"
#include "revctl/workspace/list_view.h"
#include "revctl/workspace/pending_files.h"

namespace revctl::commands {
namespace {

Result<Done> NothingPending(const Workspace& workspace, const list::ListConfig& list,
                            const ListView& view) {
  const auto pending = view.numbering().Pending();
  if (pending.empty()) return Done{};
  const std::string more =
      pending.size() > 1 ? fmt::format(", and {} more", pending.size() - 1) : "";
  return Error{
      Exit::Findings,
      fmt::format("{} is pending here{}; change the `numbers` setting on the target branch at a "
                  "time when nothing is pending",
                  pending.front()->name, more),
      AtLanding(list) ? "revctl fold"
                      : "git switch -c numbers " + base::ShellWord(workspace.TargetLabel())};
}

/// Describes what a switch will change, for the user to confirm.
std::string PlanText(const list::ListConfig& list, const std::string& how) {
  return how == "at-landing" ? fmt::format(
                                   "switches {0} to `numbers: at-landing`:\n"
                                   "  .revctl.yaml: numbers: at-landing\n"
                                   "  {0}: includes its pending revisions\n"
                                   "  {1}/: a file for each pending revision\n"
                                   "  {2}: ignored by git\n",
                                   list.path, pending::Folder(list), pending::IncludePath(list))
                             : fmt::format(
                                   "switches {0} to `numbers: at-reserve`:\n"
                                   "  .revctl.yaml: numbers: at-reserve\n"
                                   "  {0}: no longer includes pending revisions\n"
                                   "  {1}/: removed\n",
                                   list.path, pending::Folder(list));
}

}  // namespace

Outcome SwitchNumbers(const Arguments& arguments, Session& session) {
  const std::string how = arguments.Value("--numbers");
  TRY(auto workspace, Workspace::Open(session.directory));
  TRY(auto found, workspace.OneList(session.list));
  const list::ListConfig& list = *found;
  TRY(const auto lock, workspace.LockLists(ListenerOf(session)));
  TRY(auto snapshot, arguments.Has("--offline") || AtLanding(list)
                         ? workspace.LastSeen(ListenerOf(session))
                         : workspace.Fetched(ListenerOf(session), true));
  TRY(const auto release, FindReleaseHere(workspace.Releases(snapshot.target)));
  if (release)
    return Error{Exit::Findings,
                 fmt::format("this branch is for {}, but `numbers` can only be changed on {}",
                             release->branch, workspace.TargetLabel()),
                 fmt::format("git switch -c numbers {} && revctl init --numbers {}",
                             base::ShellWord(workspace.TargetLabel()), how)};
  TRY(auto view, ReadListView(workspace, list, snapshot));
  // Pending revisions are an error only if the numbering really changes. They may stay if this run
  // only fixes the include lines, or if the target does not have the list yet.
  if (view.landed && (how == "at-reserve" || !AtLanding(list)))
    TRY(NothingPending(workspace, list, view));
  if (how == "at-reserve" && !AtLanding(list)) {
    session.Message(list.path + ": already has `numbers: at-reserve`");
    return Exit::Fine;
  }
  // If the list already uses the requested mode, this run completes an interrupted switch that the
  // user has already confirmed.
  if ((how == "at-landing") != AtLanding(list)) {
    const bool agreed = arguments.Has("--yes");
    if (!agreed || arguments.Has("--dry-run")) session.Out(PlanText(list, how));
    if (!agreed && !arguments.Has("--dry-run")) {
      TRY(AgreeToPlan(session, ", because the plan was not confirmed",
                      CommandFor(workspace, list, fmt::format("init --numbers {} --yes", how))));
    }
  }
  if (arguments.Has("--dry-run")) return Exit::Fine;
  std::optional<std::int64_t> floor = list.floor;
  if (const auto known = snapshot.state.lists.find(list.name);
      known != snapshot.state.lists.end() && known->second.high_water)
    floor = std::max(floor.value_or(*known->second.high_water), *known->second.high_water);
  auto done =
      how == "at-landing" ? ToAtLanding(workspace, list, floor) : ToAtReserve(workspace, list);
  if (!done.ok()) return done.error();
  // Update the hooks, because lists with numbers at landing need additional hooks.
  TRY(auto again, Workspace::Open(session.directory));
  TRY(auto installed, Installation(again, session.program).UpdateHooks());
  done->insert(done->end(), installed.begin(), installed.end());
  for (const std::string& line : *done) {
    if (!session.quiet) session.Out(line + "\n");
  }
  if (done->empty())
    session.Message(list.path + ": already uses this numbering; nothing to change");
  else
    session.Message("commit and land this change on its own, then run revctl fix on open branches");
  return Exit::Fine;
}

}  // namespace revctl::commands
