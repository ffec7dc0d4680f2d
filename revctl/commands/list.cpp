#include <fmt/core.h>

#include "revctl/commands/table.h"
#include "revctl/lookup/list_json.h"
#include "revctl/session/progress_line.h"
#include "revctl/setup/installation.h"
#include "revctl/workspace/list_view.h"

namespace revctl::commands {
namespace {

std::string Text(const ListView& view, bool headed) {
  std::string out = headed ? view.config->path + "\n" : "";
  std::size_t width = 0;
  for (const list::Entry* entry : view.working.Revisions())
    width = std::max(width, fmt::formatted_size("{}", entry->number));
  for (const list::Entry* entry : view.working.Revisions()) {
    const std::string_view state = view.StateOf(*entry);
    out += fmt::format("{:>{}}  {}", entry->number, width, entry->name);
    if (state != "landed") out += fmt::format("  ({})", state);
    out += '\n';
  }
  return out;
}

Outcome RunList(const Arguments&, Session& session) {
  TRY(auto workspace, Workspace::Open(session.directory));
  if (!session.quiet) session.afterword = NotInstalledNotice(workspace);
  TRY(auto lists, workspace.Lists(session.list));
  TRY(auto snapshot, workspace.LastSeen(ListenerOf(session)));
  Json::List items;
  std::string text;
  for (const list::ListConfig* config : lists) {
    TRY(const auto view, ReadListView(workspace, *config, snapshot));
    items.push_back(ListJson(view.working, *config, LineageRoot(*config),
                             [&view](const list::Entry& entry) { return view.StateOf(entry); }));
    text += Text(view, lists.size() > 1);
  }
  if (session.json()) session.OutJson(ListsJson(std::move(items)));
  else session.Out(text);
  return base::Exit::Fine;
}

}  // namespace

Command ListCommand() {
  return {{"list",
           "print all revisions",
           "Prints every revision with its number, and whether it has landed, is pending or has a "
           "provisional\nnumber. Uses the last fetch and does not contact the server.",
           "$ revctl list\n665  SR_STAMINA\n666  SR_BOSS_PHASE  (pending)",
           {},
           {}},
          RunList};
}

}  // namespace revctl::commands
