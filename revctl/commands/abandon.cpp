#include <fmt/core.h>

#include "revctl/commands/table.h"
#include "revctl/list/writing/edit.h"
#include "revctl/numbering/reserve_at_landing.h"
#include "revctl/session/progress_line.h"
#include "revctl/workspace/list_view.h"

namespace revctl::commands {
namespace {

/// Abandons a revision of a list with `numbers: at-landing`.
Outcome AbandonFile(const Workspace& workspace, const list::ListConfig& config,
                    const std::string& name, Session& session) {
  TRY(const bool abandoned, AbandonAtLanding(workspace, config, name, ListenerOf(session)));
  if (abandoned) session.Out(name + " is abandoned\n");
  else session.Message(name + " is not pending; nothing to abandon");
  return Exit::Fine;
}

Outcome RunAbandon(const Arguments& arguments, Session& session) {
  TRY(auto workspace, Workspace::Open(session.directory));
  TRY(auto found, workspace.OneList(session.list));
  const list::ListConfig& config = *found;
  const std::string name = arguments.Value("NAME");
  TRY(auto me, workspace.repository().Identity());

  TRY(const auto lock, workspace.LockLists(ListenerOf(session)));
  if (config.numbers == list::Numbers::AtLanding)
    return AbandonFile(workspace, config, name, session);
  TRY(workspace.ProbeList(config));
  std::string text;
  std::string near;  ///< the name that a mistyped NAME probably means; "" if there is none
  std::optional<std::int64_t> burned;
  const base::Listener listener = ListenerOf(session);
  listener.Wait(workspace.Asked("to release a number"));
  auto committed = workspace.OpenLedger(listener).Commit(
      [&](const ledger::Snapshot& snapshot) -> Result<std::optional<ledger::Change>> {
        TRY(auto view, ReadListView(workspace, config, snapshot));
        text.clear();
        burned.reset();
        near.clear();
        if (view.numbering().HasLanded(name))
          return Error{
              Exit::Findings,
              fmt::format("{} has landed on {} and keeps its number forever", name,
                          workspace.TargetLabel()),
              fmt::format("reserve a new revision that removes the fields: REM({}, {}..., ...)",
                          name, config.prefix)};
        if (view.numbering().WasPurged(name))
          return Error{Exit::Findings,
                       fmt::format("{} had landed on {} and was purged; nothing to abandon", name,
                                   workspace.TargetLabel()),
                       ""};
        if (const list::Entry* entry = view.working.Find(name);
            entry != nullptr && entry->kind == list::EntryKind::Revision) {
          TRY(auto removed, list::Remove(view.working, config, {name}));
          text = std::move(removed);
        }
        const ledger::Reservation* held = view.ledger.Find(name);
        if (held == nullptr && text.empty()) near = NearName(view, name);
        if (held == nullptr) return std::optional<ledger::Change>();
        if (!ledger::SamePerson(held->who, me) && !arguments.Has("--take-over"))
          return Error{
              Exit::Findings,
              fmt::format("{} is reserved by {} as {}", name, held->who.Text(), held->number),
              "if they agree: " +
                  CommandFor(workspace, config, fmt::format("abandon {} --take-over", name))};
        burned = held->number;
        ledger::State state = StateForWriting(snapshot, view);
        state.lists[config.name].Close(name);
        return std::optional<ledger::Change>(
            {std::move(state),
             {ledger::Event::Kind::Release, config.name, {{name, *burned, std::nullopt}}, ""}});
      });
  listener.Wait("");
  committed = Workspace::ReportSkipped(std::move(committed), listener);
  if (!committed.ok()) return committed.error();
  if (!text.empty()) {
    TRY(workspace.WriteList(config, text));
  }
  if (burned) {
    session.Out(fmt::format("{} is abandoned; {} is never given again\n", name, *burned));
  } else {
    session.Message(fmt::format("{} is not reserved; nothing to abandon{}", name,
                                text.empty() ? near : ", and its entry is removed from the list"));
  }
  return Exit::Fine;
}

}  // namespace

Command AbandonCommand() {
  return {{"abandon",
           "give up a reservation",
           "Closes the reservation and removes the entry from the list. The number is never given "
           "again,\nbecause files may have been written with it.",
           "$ revctl abandon SR_BOSS_PHASE\nSR_BOSS_PHASE is abandoned; 667 is never given again",
           {{"NAME", "the pending revision", Positional::Count::One, Hint::Revision}},
           {{"--take-over", "", "even if another person holds it", Hint::None}}},
          RunAbandon};
}

}  // namespace revctl::commands
