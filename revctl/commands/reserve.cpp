#include <fmt/core.h>

#include "revctl/commands/table.h"
#include "revctl/numbering/reserve_at_landing.h"
#include "revctl/numbering/reserve_name.h"
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

/// Prints the next number without taking it. Another person may get it first.
Outcome ShowNext(const Workspace& workspace, const list::ListConfig& config, bool offline,
                 Session& session) {
  auto ledger = workspace.OpenLedger(session);
  TRY(auto snapshot, offline ? workspace.LastSeen(ledger, session)
                             : workspace.Fetched(ledger, session, !workspace.NeedsLedger()));
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
  TRY(auto workspace, Workspace::Open(session));
  if (!session.quiet) session.afterword = NotInstalledNotice(workspace);
  TRY(auto found, workspace.OneList(session));
  const list::ListConfig& config = *found;
  if (!arguments.Has("NAME")) {
    if (arguments.Has("--dry-run"))
      return ShowNext(workspace, config, arguments.Has("--offline"), session);
    return Error{Exit::Usage, "NAME is missing: the revision to reserve",
                 fmt::format("revctl reserve {}NAME, or revctl reserve --dry-run for the next "
                             "number",
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

  TRY(const auto lock, workspace.LockLists(session));
  const bool not_after = arguments.Has("--not-after");
  if (config.numbers == list::Numbers::AtLanding) {
    if (not_after)
      return TakeFromAfter(workspace, config, request.name, arguments.Value("--not-after"),
                           request.dry_run, session);
    TRY(auto me, workspace.repository().Identity());
    TRY(auto alone, workspace.ParseListAlone(config));
    return ReserveAtLanding(workspace, config, request.name,
                            EntryComment(request.message, me, alone), arguments.Value("--after"),
                            request.dry_run, session);
  }
  if (not_after)
    return Error{Exit::Usage, "--not-after is for lists with `numbers: at-landing`",
                 "revctl fix --last NAME gives pending revisions another order"};
  TRY(auto reserved, ReserveName(workspace, config, request, session));
  return Report(session, config, request, reserved);
}

}  // namespace

Command ReserveCommand() {
  return {{"reserve",
           "take the next number for the whole team",
           "Takes the next number in the team's ledger, adds the entry to the list, and prints it. "
           "Each\nnumber is given once, for ever. Run again for the same name it gives the same "
           "number.",
           "$ revctl reserve SR_BOSS_PHASE -m \"the boss has phases\"\nSR_BOSS_PHASE = 667",
           {{"NAME", "the revision, e.g. SR_BOSS_PHASE", Positional::Count::Optional, Hint::None}},
           {{"-m,--message", "TEXT", "what it is for; becomes the entry's comment", Hint::None},
            {"--offline", "", "a provisional number without the server (exit 5)", Hint::None},
            {"--after", "NAME", "numbers at landing: it comes behind that one", Hint::Revision},
            {"--not-after", "NAME", "numbers at landing: it comes behind that one no more",
             Hint::Revision},
            {"--dry-run", "", "print the next number, take nothing", Hint::None},
            {"--take-over", "", "take over a reservation that another person holds", Hint::None}}},
          RunReserve};
}

}  // namespace revctl::commands
