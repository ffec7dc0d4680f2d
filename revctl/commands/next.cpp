#include "revctl/commands/command.h"
#include "revctl/commands/json_text.h"
#include "revctl/commands/views.h"

namespace revctl::commands {
namespace {

Outcome RunNext(const Arguments& arguments, Session& session) {
  auto workspace = Workspace::Open(session);
  if (!workspace.ok()) return workspace.error();
  auto config = workspace->OneList(session);
  if (!config.ok()) return config.error();
  auto ledger = workspace->OpenLedger(session);
  auto snapshot = arguments.Has("--offline") ? workspace->LastSeen(ledger, session)
                                             : workspace->Fetched(ledger, session);
  if (!snapshot.ok()) return snapshot.error();
  auto view = LookAt(*workspace, **config, *snapshot);
  if (!view.ok()) return view.error();
  auto next = view->numbering().Next();
  if (!next.ok()) return next.error();
  session.Out(session.json() ? JsonObject().Number("version", 1).Number("next", *next).str() + "\n"
                             : std::to_string(*next) + "\n");
  return findings::Exit::Fine;
}

}  // namespace

Command NextCommand() {
  return {"next",
          "the number that `reserve` would take now",
          "Asks the server and takes nothing: somebody else may get the number before you do.",
          "$ revctl next\n667",
          {},
          {{"--offline", "", "from what the last fetch saw", Hint::None}},
          RunNext};
}

}  // namespace revctl::commands
