#include <fmt/core.h>

#include "revctl/commands/table.h"
#include "revctl/numbering/reserve_at_landing.h"
#include "revctl/numbering/reserve_name.h"
#include "revctl/session/progress_line.h"
#include "revctl/setup/installation.h"
#include "revctl/workspace/list_view.h"

namespace revctl::commands {
namespace {

Outcome Report(Session& session, const list::ListConfig& config, const ReserveRequest& request,
               const ReservedName& reserved) {
  if (session.json()) {
    session.OutJson(Json::Object()
                        .Set("version", 1)
                        .Set("list", config.name)
                        .Set("name", request.name)
                        .Set("number", reserved.number)
                        .Set("provisional", reserved.provisional)
                        .Set("dry_run", request.dry_run));
  } else {
    session.Out(fmt::format("{} = {}\n", request.name, reserved.number));
  }
  return reserved.provisional ? Exit::Provisional : Exit::Fine;
}

/// Implements `reserve` for a list with `numbers: at-landing`.
Outcome RunAtLanding(const Workspace& workspace, const list::ListConfig& config,
                     const Arguments& arguments, Session& session) {
  TRY(auto me, workspace.repository().Identity());
  TRY(auto alone, workspace.ParseListAlone(config));
  const std::string name = arguments.Value("NAME");
  const bool dry_run = arguments.Has("--dry-run");
  TRY(const ReservedFile reserved,
      ReserveAtLanding(workspace, config,
                       {.name = name,
                        .comment = EntryComment(arguments.Value("--message"), me, alone),
                        .after = arguments.Value("--after"),
                        .dry_run = dry_run},
                       ListenerOf(session)));
  if (session.json()) {
    session.OutJson(Json::Object()
                        .Set("version", 1)
                        .Set("list", config.name)
                        .Set("name", name)
                        .Set("number", reserved.number)
                        .Set("provisional", false)
                        .Set("unfolded", true)
                        .Set("file", reserved.path)
                        .Set("dry_run", dry_run));
    return Exit::Fine;
  }
  session.Out(fmt::format("{} = {}\n", name, reserved.number));
  session.Message(fmt::format("commit {}; the fold on {} assigns the final number", reserved.path,
                              workspace.config().target));
  return Exit::Fine;
}

/// Prints the next number without reserving it, so another person may reserve it first.
Outcome ShowNext(const Workspace& workspace, const list::ListConfig& config, bool offline,
                 Session& session) {
  TRY(auto snapshot, offline ? workspace.LastSeen(ListenerOf(session))
                             : workspace.Fetched(ListenerOf(session), !workspace.NeedsLedger()));
  TRY(auto view, ReadListView(workspace, config, snapshot));
  TRY(auto next, view.numbering().Next());
  if (session.json())
    session.OutJson(Json::Object()
                        .Set("version", 1)
                        .Set("list", config.name)
                        .Set("number", next)
                        .Set("dry_run", true));
  else session.Out(fmt::format("{}\n", next));
  return Exit::Fine;
}

Outcome RunReserve(const Arguments& arguments, Session& session) {
  TRY(auto workspace, Workspace::Open(session.directory));
  if (!session.quiet) session.afterword = NotInstalledNotice(workspace);
  TRY(auto found, workspace.OneList(session.list));
  const list::ListConfig& config = *found;
  if (!arguments.Has("NAME")) {
    if (arguments.Has("--dry-run"))
      return ShowNext(workspace, config, arguments.Has("--offline"), session);
    return Error{
        Exit::Usage, "missing NAME of the new revision",
        fmt::format("revctl reserve {}NAME; to print the next number: revctl reserve --dry-run",
                    config.prefix)};
  }
  const ReserveRequest request{.name = arguments.Value("NAME"),
                               .message = arguments.Value("--message"),
                               .take_over = arguments.Has("--take-over"),
                               .offline = arguments.Has("--offline"),
                               .dry_run = arguments.Has("--dry-run")};
  TRY(CheckRevisionName(workspace, config, request.name));
  TRY(const auto releases, workspace.Releases());
  TRY(workspace.RefuseOnRelease(releases, "reserve " + request.name));

  TRY(const auto lock, workspace.LockLists(ListenerOf(session)));
  if (config.numbers == list::Numbers::AtLanding)
    return RunAtLanding(workspace, config, arguments, session);
  TRY(auto reserved, ReserveName(workspace, config, request, ListenerOf(session)));
  return Report(session, config, request, reserved);
}

}  // namespace

Command ReserveCommand() {
  return {
      {"reserve",
       "take the next number for the whole team",
       "Takes the next number from the team's ledger, adds the revision to the list, and prints "
       "its\nnumber. No number is ever assigned twice. To see the number again, run the same "
       "command again.",
       "$ revctl reserve SR_BOSS_PHASE -m \"the boss has phases\"\nSR_BOSS_PHASE = 667",
       {{"NAME", "the revision, e.g. SR_BOSS_PHASE", Positional::Count::Optional}},
       {{"-m,--message", "TEXT", "what the revision is for; becomes its comment in the list"},
        {"--offline", "", "take a provisional number without the server (exit 5)"},
        {"--after", "NAME", "order the new revision after this one (only with numbers at landing)",
         Hint::Revision},
        {"--dry-run", "", "print the next number without reserving it"},
        {"--take-over", "", "take over someone else's reservation"}}},
      RunReserve};
}

}  // namespace revctl::commands
