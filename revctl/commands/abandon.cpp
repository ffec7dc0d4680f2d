#include <fmt/core.h>

#include <algorithm>
#include <filesystem>

#include "revctl/base/shell_word.h"
#include "revctl/commands/table.h"
#include "revctl/list/writing/edit.h"
#include "revctl/numbering/reserve_at_landing.h"
#include "revctl/pending/pending_file.h"
#include "revctl/session/progress_line.h"
#include "revctl/workspace/list_view.h"

namespace revctl::commands {
namespace {

/// Says how to remove goldens that were recorded for the abandoned revision.
void TellOfGoldens(const Workspace& workspace, const list::ListConfig& config,
                   const std::string& name, Session& session) {
  const std::string stem = config.golden + "/" + name;
  std::error_code error;
  if (config.golden.empty() || !std::filesystem::exists(workspace.FilePath(stem + ".yaml"), error))
    return;
  session.Message(fmt::format("revctl: note: the goldens of {} are still there\nfix: git rm -f {}",
                              name, base::ShellWord(stem + ".*")));
}

/// Abandons a revision of a list with `numbers: at-landing`.
Outcome AbandonFile(const Workspace& workspace, const list::ListConfig& config,
                    const std::string& given, Session& session) {
  TRY(const auto snapshot, workspace.LastSeen(ListenerOf(session)));
  TRY(const auto view, ReadListView(workspace, config, snapshot));
  TRY(const std::string name, NameOfRevision(view, given));
  TRY(const bool abandoned, AbandonAtLanding(workspace, config, name, ListenerOf(session)));
  if (abandoned) {
    session.Out(name + " is abandoned\n");
    TellOfGoldens(workspace, config, name, session);
    return Exit::Fine;
  }
  TRY(const auto head, workspace.repository().Head());
  if (head && config::IsIdentifier(name)) {
    const std::string path = workspace.GitPath(pending::FilePath(config, name));
    TRY(const auto before, workspace.repository().ReadFile(*head, path));
    if (before) {
      session.Message(fmt::format("{} is already abandoned; commit the removal of {}", name, path));
      return Exit::Fine;
    }
  }
  return Error{Exit::Findings,
               fmt::format("{} is not pending; nothing to abandon{}", name, NearName(view, name)),
               "revctl status"};
}

/// True if the ledger has ever released a reservation of `name`, in which case a repeated `abandon`
/// succeeds.
Result<bool> WasAbandoned(const ledger::Ledger& ledger, const std::string& list,
                          const std::string& name) {
  bool found = false;
  TRY(ledger.History([&](const ledger::Record& record) {
    const ledger::Event& event = record.event;
    found = event.kind == ledger::Event::Kind::Release && event.list == list &&
            std::any_of(event.steps.begin(), event.steps.end(),
                        [&](const auto& step) { return step.name == name; });
    return !found;
  }));
  return found;
}

Outcome RunAbandon(const Arguments& arguments, Session& session) {
  TRY(auto workspace, Workspace::Open(session.directory));
  TRY(auto found, workspace.OneList(session.list));
  const list::ListConfig& config = *found;
  const std::string given = arguments.Value("NAME");
  TRY(auto me, workspace.repository().Identity());

  TRY(const auto lock, workspace.LockLists(ListenerOf(session)));
  if (config.numbers == list::Numbers::AtLanding)
    return AbandonFile(workspace, config, given, session);
  TRY(workspace.ProbeList(config));
  std::string name;  ///< name of the revision, even if the user gave its number
  std::string text;
  std::string near;  ///< a similar name that the user may have meant; "" if there is none
  std::optional<std::int64_t> burned;
  const base::Listener listener = ListenerOf(session);
  listener.Wait(workspace.Asked("to release a number"));
  ledger::Ledger ledger = workspace.OpenLedger(listener);
  auto committed =
      ledger.Commit([&](const ledger::Snapshot& snapshot) -> Result<std::optional<ledger::Change>> {
        TRY(auto view, ReadListView(workspace, config, snapshot));
        TRY(name, NameOfRevision(view, given));
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
                       fmt::format("{} landed on {} and was later purged; nothing to abandon", name,
                                   workspace.TargetLabel()),
                       ""};
        if (const list::Entry* entry = view.working.Find(name);
            entry != nullptr && entry->kind == list::EntryKind::Revision) {
          TRY(text, list::Remove(view.working, config, {name}));
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
  TRY(Workspace::ReportSkipped(std::move(committed), listener));
  if (!text.empty()) {
    TRY(workspace.WriteList(config, text));
  }
  if (burned) {
    session.Out(fmt::format("{} is abandoned; {} will never be reused\n", name, *burned));
    TellOfGoldens(workspace, config, name, session);
  } else if (!text.empty()) {
    session.Message(name + " is not reserved; removed its entry from the list");
  } else {
    TRY(const bool done, WasAbandoned(ledger, config.name, name));
    if (!done)
      return Error{Exit::Findings,
                   fmt::format("{} is not reserved; nothing to abandon{}", name, near),
                   CommandFor(workspace, config, "status")};
    session.Message(name + " is already abandoned");
  }
  return Exit::Fine;
}

}  // namespace

Command AbandonCommand() {
  return {
      {"abandon",
       "give up a reservation",
       "Closes the reservation and removes the entry from the list. The number is never "
       "reused,\nbecause files may have been written with it.",
       "$ revctl abandon SR_BOSS_PHASE\nSR_BOSS_PHASE is abandoned; 667 will never be reused",
       {{"NAME", "the pending revision, or its number", Positional::Count::One, Hint::Revision}},
       {{"--take-over", "", "abandon it even if someone else reserved it"}}},
      RunAbandon};
}

}  // namespace revctl::commands
