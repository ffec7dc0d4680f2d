// A reservation takes one push, plus a fetch if the ledger or the target has moved. The push
// decides who gets the number, and the list is written afterwards. If a run is killed in between,
// running the command again completes the reservation.
#include "revctl/numbering/reserve_name.h"

#include <fmt/core.h>

#include "revctl/base/ascii.h"
#include "revctl/base/shell_word.h"
#include "revctl/findings/printable.h"
#include "revctl/list/reading/list_config.h"
#include "revctl/list/writing/edit.h"
#include "revctl/tree/tree.h"
#include "revctl/workspace/list_view.h"

namespace revctl::commands {
namespace {

/// A decision based on one snapshot of the target, the ledger and the list.
struct ReserveDecision {
  std::int64_t number = 0;
  std::string text;                      ///< new text of the list; empty if it does not change
  std::optional<ledger::Change> change;  ///< nullopt if the ledger already has the reservation
};

/// Returns a person's initials, which mark the author in comments, such as "ae" for Alex Evans.
std::string Initials(const std::string& name) {
  std::string out;
  bool begins = true;
  for (char c : name) {
    if (begins && base::IsLetter(c)) out += base::Lower(c);
    begins = c == ' ' || c == '-';
  }
  return out;
}

/// True for comments that begin with initials, such as "ae: the boss".
bool BeginsWithInitials(std::string_view comment) {
  const std::size_t colon = comment.find(": ");
  return colon != comment.npos && colon > 0 && colon <= 4 && comment.find(' ') > colon;
}

bool WantsInitials(const list::RevisionList& list) {
  int comments = 0, initials = 0;
  for (const list::Entry& entry : list.entries) {
    if (entry.kind != list::EntryKind::Revision || entry.comment.empty()) continue;
    ++comments;
    initials += BeginsWithInitials(entry.comment) ? 1 : 0;
  }
  return initials > 0 && initials * 2 >= comments;
}

Result<Done> RefuseTaken(const Workspace& workspace, const list::ListConfig& config,
                         const ListView& view, const std::string& name) {
  const Numbering numbering = view.numbering();
  if (numbering.HasLanded(name)) {
    const list::Entry* landed = view.landed->Find(name);
    return Error{Exit::Findings,
                 fmt::format("{} has landed on {} as {} ({}:{})", name, workspace.TargetLabel(),
                             landed->number, config.path, landed->line),
                 "choose another name"};
  }
  if (numbering.WasPurged(name))
    return Error{
        Exit::Findings,
        fmt::format("{} landed on {} and was later purged; old code may still use the name", name,
                    workspace.TargetLabel()),
        "choose another name"};
  const list::Entry* present = view.working.Find(name);
  if (present != nullptr && present->kind != list::EntryKind::Revision)
    return Error{
        Exit::Findings,
        fmt::format("{}:{}: {} is an alias, not a revision", config.path, present->line, name),
        "choose another name"};
  return Done{};
}

/// Returns the number that the name already has or will get. Adds any necessary ledger steps to
/// `event`.
Result<std::int64_t> NumberFor(const ReserveRequest& request, const ListView& view,
                               const git::Person& me, ledger::Event& event) {
  const Numbering numbering = view.numbering();
  const list::Entry* present = view.working.Find(request.name);
  std::int64_t number = 0;
  if (const ledger::Reservation* held = view.ledger.Find(request.name)) {
    if (ledger::SamePerson(held->who, me)) return held->number;
    if (!request.take_over)
      return Error{
          Exit::Findings,
          fmt::format("{} is reserved by {} as {}", request.name, held->who.Text(), held->number),
          "choose another name, or add --take-over if they agree"};
    event.kind = ledger::Event::Kind::TakeOver;
    number = held->number;
  } else if (present != nullptr && present->number >= list::kSmallestNumber &&
             present->number <= list::kLargestNumber &&
             numbering.Holder(present->number, request.name) == nullptr &&
             (!view.ledger.high_water || present->number > *view.ledger.high_water) &&
             (!numbering.LastLanded() || present->number > *numbering.LastLanded())) {
    // Confirm a number that was chosen by hand or by an offline run, if it is still available.
    event.kind = ledger::Event::Kind::Confirm;
    number = present->number;
  } else {
    TRY(auto next, numbering.Next());
    number = next;
  }
  event.steps = {{request.name, number, std::nullopt}};
  return number;
}

/// Returns the list with an entry for `number`, or "" if the list already has the entry. Called
/// before the push, so that no number is used up for a list that cannot contain the entry.
Result<std::string> TextWith(const Workspace& workspace, const list::ListConfig& config,
                             const ReserveRequest& request, const ListView& view,
                             const git::Person& me, std::int64_t number) {
  const list::Entry* present = view.working.Find(request.name);
  if (present == nullptr)
    return list::Append(view.working, config, request.name, number,
                        EntryComment(request.message, me, view.working));
  if (present->number == number) return std::string();
  for (const list::Entry* other : view.numbering().Pending()) {
    if (other == present || (other->number < present->number) == (other->number < number)) continue;
    const std::string again =
        request.take_over
            ? fmt::format("&& {}", CommandFor(workspace, config,
                                              fmt::format("reserve {} --take-over", request.name)))
            : "renumbers all of them";
    return Error{Exit::Findings,
                 fmt::format("{} would become {} and swap places with {} ({}), but a branch's "
                             "revisions must keep their order",
                             request.name, number, other->name, other->number),
                 "revctl fix " + again};
  }
  return list::MoveToEnd(view.working, config, {{request.name, number}});
}

/// Decides on a number and on the new text of the list, based on one snapshot. Writes nothing.
Result<ReserveDecision> Decide(const Workspace& workspace, const list::ListConfig& config,
                               const ledger::Snapshot& snapshot, const ReserveRequest& request,
                               const git::Person& me) {
  if (snapshot.target) {
    TRY(auto there, workspace.At(*snapshot.target).List(config));
    if (there.config.numbers == list::Numbers::AtLanding)
      return Error{
          Exit::Findings,
          fmt::format("{}: {} has switched to `numbers: at-landing`, but this branch has not",
                      config.path, workspace.TargetLabel()),
          fmt::format("git merge {} && revctl reserve {}", base::ShellWord(workspace.TargetLabel()),
                      request.name)};
  }
  TRY(auto view, ReadListView(workspace, config, snapshot));
  TRY(RefuseTaken(workspace, config, view, request.name));
  ReserveDecision out;
  ledger::Event event{ledger::Event::Kind::Reserve, config.name, {}, request.message};
  TRY(auto number, NumberFor(request, view, me, event));
  out.number = number;
  TRY(auto text, TextWith(workspace, config, request, view, me, number));
  out.text = std::move(text);
  if (!event.steps.empty()) {
    ledger::State state = StateForWriting(snapshot, view);
    state.lists[config.name].Give(request.name, out.number, me);
    out.change = ledger::Change{std::move(state), std::move(event)};
  }
  return out;
}

}  // namespace

Result<Done> CheckRevisionName(const Workspace& workspace, const list::ListConfig& config,
                               const std::string& name) {
  const auto refused = [&](std::string why, const std::string& rest = "COOL_THING") {
    return Error{Exit::Usage, std::move(why),
                 CommandFor(workspace, config, fmt::format("reserve {}{}", config.prefix, rest))};
  };
  if (!config::IsIdentifier(name))
    return refused(findings::Quoted(name) + " cannot be the name of an enumerator");
  if (name == config.prefix) return refused(name + " consists of only the prefix");
  if (!name.starts_with(config.prefix))
    return refused(fmt::format("{} does not begin with {}, the prefix for revision names in {}",
                               name, config.prefix, config.path),
                   name);
  if (name == config.sentinel) return refused(name + " is the list's sentinel");
  if (name == config.current) return refused(name + " is the list's alias for the latest revision");
  return Done{};
}

std::string EntryComment(const std::string& message, const git::Person& who,
                         const list::RevisionList& list) {
  if (message.empty()) return "";
  if (BeginsWithInitials(message) || !WantsInitials(list)) return message;
  const std::string initials = Initials(who.name);
  return initials.empty() ? message : initials + ": " + message;
}

Result<ReservedName> ReserveName(const Workspace& workspace, const list::ListConfig& config,
                                 const ReserveRequest& request, const base::Listener& listener) {
  TRY(auto me, workspace.repository().Identity());
  listener.Wait(workspace.Asked("for a number"));
  ledger::Ledger ledger = workspace.OpenLedger(listener);
  if (request.dry_run || request.offline) {
    auto snapshot = request.offline ? workspace.LastSeen(listener) : ledger.Refresh();
    listener.Wait("");
    if (!request.offline) snapshot = Workspace::ReportSkipped(std::move(snapshot), listener);
    if (!snapshot.ok()) return snapshot.error();
    TRY(auto decision, Decide(workspace, config, *snapshot, request, me));
    const bool provisional = request.offline && decision.change.has_value();
    if (!request.dry_run && !decision.text.empty()) {
      TRY(workspace.WriteList(config, decision.text));
    }
    if (provisional) {
      listener.Note("the number is provisional until revctl fix confirms it in the team's ledger");
    }
    return ReservedName{decision.number, provisional};
  }

  TRY(workspace.ReadList(config));
  auto writable = workspace.ProbeList(config);
  if (!writable.ok()) {
    writable.error().message =
        "nothing was reserved, because the list cannot be written: " + writable.error().message;
    return writable.error();
  }
  // Make a new decision in each attempt, because after a lost push race it must start from the
  // winner's state.
  ReserveDecision decision;
  auto committed =
      ledger.Commit([&](const ledger::Snapshot& snapshot) -> Result<std::optional<ledger::Change>> {
        TRY(auto decided, Decide(workspace, config, snapshot, request, me));
        decision = std::move(decided);
        return decision.change;
      });
  listener.Wait("");
  committed = Workspace::ReportSkipped(std::move(committed), listener);
  if (!committed.ok()) return committed.error();
  if (!decision.text.empty()) {
    auto written = workspace.WriteList(config, decision.text);
    if (!written.ok()) {
      written.error().message =
          fmt::format("{} = {} is reserved, but the list could not be written: {}", request.name,
                      decision.number, written.error().message);
      written.error().fix = CommandFor(workspace, config, "reserve " + request.name) +
                            "   # after you have fixed the cause";
      return written.error();
    }
  }
  return ReservedName{decision.number, false};
}

}  // namespace revctl::commands
