#include "revctl/commands/table.h"
#include "revctl/numbering/renumber_list.h"
#include "revctl/session/progress_line.h"

namespace revctl::commands {
namespace {

Outcome RunRenumber(const Arguments& arguments, Session& session) {
  TRY(auto workspace, Workspace::Open(session.directory));
  TRY(auto lists, workspace.Lists(session.list));
  if (arguments.Has("NAME") && lists.size() > 1) {
    TRY(workspace.OneList(session.list));
  }
  TRY(const auto lock, workspace.LockLists(ListenerOf(session)));
  const RenumberRequest request{arguments.All("NAME"), arguments.Has("--dry-run")};
  Json::List items;
  for (const auto* list : lists) {
    TRY(auto renumbered, RenumberList(workspace, *list, request, ListenerOf(session)));
    for (const std::string& line : MoveLines(renumbered))
      if (!session.json()) session.Out(line + "\n");
    for (const NumberMove& move : renumbered.moves)
      items.push_back(Json::Object()
                          .Set("list", list->name)
                          .Set("name", move.name)
                          .Set("from", move.from)
                          .Set("to", move.to));
  }
  if (session.json())
    session.OutJson(Json::Object().Set("version", 1).Set("renumbered", std::move(items)));
  return Exit::Fine;
}

}  // namespace

Command RenumberCommand() {
  return {
      {"renumber",
       "move pending revisions behind the target's last; confirm numbers",
       "Run it once, just before landing. Pending revisions of your own get numbers that can "
       "land.\n"
       "These are the ones that came too late, or whose number was picked by hand, offline or by "
       "the\n"
       "merge driver. They keep the branch's order. The ledger, the list and the number in the "
       "comment\n"
       "agree afterwards. A NAME goes behind the branch's others, also one that another person "
       "holds.\n"
       "Several go there in the order named.",
       "$ git pull --rebase && revctl renumber\nSR_BOSS_PHASE 667 -> 669",
       {{"NAME", "move these behind the branch's others", Positional::Count::Any, Hint::Revision}},
       {{"--dry-run", "", "say what would move, change nothing", Hint::None}}},
      RunRenumber};
}

}  // namespace revctl::commands
