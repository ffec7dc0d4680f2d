#include "revctl/commands/table.h"
#include "revctl/session/progress_line.h"
#include "revctl/workspace/list_view.h"

namespace revctl::commands {
namespace {

Outcome RunNext(const Arguments& arguments, Session& session) {
  TRY(auto workspace, Workspace::Open(session.directory));
  TRY(auto config, workspace.OneList(session.list));
  TRY(auto snapshot, arguments.Has("--offline")
                         ? workspace.LastSeen(ListenerOf(session))
                         : workspace.Fetched(ListenerOf(session), !workspace.NeedsLedger()));
  TRY(auto view, ReadListView(workspace, *config, snapshot));
  TRY(auto next, view.numbering().Next());
  if (session.json()) session.OutJson(Json::Object().Set("version", 1).Set("next", next));
  else session.Out(std::to_string(next) + "\n");
  return base::Exit::Fine;
}

}  // namespace

Command NextCommand() {
  return {{"next",
           "the number that `reserve` would take now",
           "Asks the server and takes nothing: another person may get the number before you do.",
           "$ revctl next\n667",
           {},
           {{"--offline", "", "from what the last fetch saw", Hint::None}}},
          RunNext};
}

}  // namespace revctl::commands
