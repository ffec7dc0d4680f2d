#include <fmt/core.h>

#include <filesystem>
#include <set>

#include "revctl/base/counted.h"
#include "revctl/commands/table.h"
#include "revctl/list/merging/merge.h"
#include "revctl/session/progress_line.h"
#include "revctl/setup/installation.h"
#include "revctl/workspace/list_view.h"
#include "revctl/workspace/pending_files.h"
#include "revctl/workspace/releases.h"

namespace revctl::commands {
namespace {

/// True if everything that `install` sets up is present. Also true if that cannot be determined,
/// because `doctor` reports such errors.
bool IsInstalled(const Workspace& workspace, const Session& session) {
  const auto parts = Installation(workspace, session.program).Look();
  if (!parts.ok()) return true;
  for (const Part& part : *parts) {
    if (!part.present && part.fix.empty()) return false;
  }
  return true;
}

/// The pending revisions of a list as text, and the next command for the user. Both are empty if no
/// revision is pending.
struct PendingSummary {
  std::string text, next;
};
/// Summarizes the pending revisions of `view`. `there` lists the revisions that are already on the
/// target and await a fold.
PendingSummary PendingIn(const Workspace& workspace, const ListView& view,
                         const std::set<std::string>& there) {
  PendingSummary out;
  bool own = false;
  const Numbering numbering = view.numbering();
  for (const list::Entry* entry : numbering.Pending()) {
    if (there.contains(entry->name)) {
      out.text += fmt::format("  {} = {}: pending on {}; the fold will assign this number\n",
                              entry->name, entry->number, workspace.TargetLabel());
      continue;
    }
    own = true;
    const bool late = numbering.LastLanded() && entry->number <= *numbering.LastLanded() &&
                      entry->pending_file.empty();
    const bool provisional = view.StateOf(*entry) == "provisional";
    const char* state = late          ? "its number is too low to land"
                        : provisional ? "its number is provisional"
                                      : "can land";
    out.text += fmt::format("  {} = {}: {}\n", entry->name, entry->number, state);
    if (late || provisional) out.next = "revctl fix";
  }
  if (own && out.next.empty()) out.next = "revctl check --fetch, then revctl land";
  if (!out.text.empty() && out.next.empty())
    out.next = workspace.remote().empty() ? "revctl fold" : "revctl fold --push";
  return out;
}

}  // namespace

Outcome Overview(Session& session) {
  auto workspace = Workspace::Open(session.directory);
  if (!workspace.ok()) {
    // Outside a repository, print the list of commands, which is more useful than an error.
    std::error_code error;
    const bool nowhere = workspace.error().exit == Exit::Environment &&
                         std::filesystem::is_directory(session.directory, error);
    if (!nowhere) return workspace.error();
    session.Out(cli::HelpText(RevctlProgram()));
    session.Message("revctl: " + ErrorText(workspace.error()));
    return Exit::Fine;
  }
  TRY(auto lists, workspace->Lists(session.list));
  TRY(auto snapshot, workspace->LastSeen(ListenerOf(session)));
  TRY(const auto release, FindReleaseHere(workspace->Releases(snapshot.target)));
  std::string text, next;
  for (const list::ListConfig* config : lists) {
    auto source = workspace->ParseWorking(*config);
    if (!source.ok()) {
      const auto bytes = workspace->ReadList(*config);
      const bool conflict = bytes.ok() && list::ConflictMarkerLine(*bytes) != 0;
      text += ErrorText(source.error()) + "\n";
      next = conflict                     ? "revctl fix"
             : source.error().fix.empty() ? "revctl check"
                                          : source.error().fix;
      continue;
    }
    TRY(auto view, ReadListView(*workspace, *config, snapshot));
    const list::Entry* latest = view.working.Latest();
    const std::size_t count = view.working.Revisions().size();
    text += fmt::format("{}: {}", config->path, base::Counted(count, "revision"));
    if (latest != nullptr) text += fmt::format(", latest {} = {}", latest->name, latest->number);
    text += '\n';
    if (release.has_value()) {
      text += fmt::format("  belongs to release {}, which adds no revisions\n", release->label);
      continue;
    }
    TRY(auto there, PendingThere(*workspace, *config, snapshot.target));
    const PendingSummary pending = PendingIn(*workspace, view, there);
    text += pending.text.empty()
                ? fmt::format("  nothing pending: same as on {}\n", workspace->TargetLabel())
                : pending.text;
    if (next.empty()) next = pending.next;
  }
  if (next.empty())
    next = release.has_value()
               ? "revctl check --fetch"
               : fmt::format("revctl reserve {}NAME -m TEXT, for each change to the saved data",
                             lists.empty() ? "" : lists.front()->prefix);
  if (!IsInstalled(*workspace, session)) {
    text += "the merge driver or a hook is missing in this clone\n";
    next = "revctl install, then " + next;
  }
  session.Out(fmt::format("{}next: {}\nall commands: revctl help\n", text, next));
  return Exit::Fine;
}

}  // namespace revctl::commands
