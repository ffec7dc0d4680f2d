#include "revctl/numbering/renumber_list.h"

#include <fmt/core.h>

#include <algorithm>
#include <set>
#include <string_view>

#include "revctl/base/first_few.h"
#include "revctl/base/shell_word.h"
#include "revctl/findings/printable.h"
#include "revctl/list/reading/list_config.h"
#include "revctl/list/writing/edit.h"
#include "revctl/repair/repair_list.h"
#include "revctl/workspace/list_view.h"

namespace revctl::commands {
namespace {

/// A decision based on one snapshot of the target, the ledger and the list.
struct Renumbering {
  std::vector<NumberMove> moves;
  std::string text;
  std::optional<ledger::Change> change;  ///< nullopt if the ledger is up to date
};

/// Sorts the pending revisions by line if their numbers are unreliable, that is, if a pending
/// revision has an explicit number at or below a landed number. A text merge without the driver has
/// this effect, because git keeps the lines of both sides, and implicit numbers continue from the
/// explicit ones. Only the lines then show the intended order.
void InOrderOfLines(const Numbering& numbering, std::vector<const list::Entry*>& pending) {
  if (numbering.working == nullptr) return;
  const list::Entry *first = nullptr, *last = nullptr;
  for (const list::Entry* entry : numbering.working->Revisions()) {
    if (!numbering.HasLanded(entry->name)) continue;
    if (first == nullptr) first = entry;
    last = entry;
  }
  const bool shifted = std::any_of(pending.begin(), pending.end(), [&](const list::Entry* entry) {
    return entry->explicit_number && last != nullptr && entry->number <= last->number;
  });
  if (!shifted) return;
  const bool newest_first = first->line > last->line;
  std::stable_sort(pending.begin(), pending.end(),
                   [&](const list::Entry* one, const list::Entry* other) {
                     return newest_first ? one->line > other->line : one->line < other->line;
                   });
}

/// If entries were inserted above a reserved revision, moves them after it, so that the revision
/// keeps its number. An entry counts as inserted if it has no reservation, HEAD does not contain
/// both the entry and the reserved revision, and one of these conditions holds: the entry takes or
/// shifts the number of a reserved revision, or the reserved revision is committed and has its
/// reserved number in the list. Moves nothing if the revision cannot keep its number.
Result<base::Done> PutInsertedLast(const Workspace& workspace, const ListView& view,
                                   std::vector<const list::Entry*>& line) {
  std::int64_t last = view.numbering().LastLanded().value_or(INT64_MIN);
  std::size_t behind = 0;  // index of the last revision that can land with its reserved number
  bool shifted = false;    // true if such a revision has a higher, implicit number in the list
  for (std::size_t i = 0; i < line.size(); ++i) {
    const ledger::Reservation* held = view.ledger.Find(line[i]->name);
    if (held == nullptr) continue;
    if (held->number <= last) break;
    last = held->number;
    behind = i;
    shifted = shifted || (line[i]->number > held->number && !line[i]->explicit_number);
  }
  TRY(const auto head, workspace.repository().Head());
  const auto committed =
      head ? workspace.At(*head).Parsed(*view.config)
           : Result<std::optional<list::RevisionList>>(std::optional<list::RevisionList>());
  const auto is_committed = [&](const list::Entry* entry) {
    return committed.ok() && *committed && (*committed)->Find(entry->name) != nullptr;
  };
  // If a reserved revision has a different number in the list, it was shifted together with its
  // neighbors.
  const ledger::Reservation* const kept = view.ledger.Find(line[behind]->name);
  const bool in_place = kept != nullptr && kept->number == line[behind]->number;
  const auto is_in_line = [&](const std::string& name) {
    return std::any_of(line.begin(), line.end(),
                       [&](const list::Entry* entry) { return entry->name == name; });
  };
  const auto is_inserted = [&](const list::Entry* entry) {
    if (view.ledger.Find(entry->name) != nullptr) return false;
    if (is_committed(entry) && is_committed(line[behind])) return false;
    const auto& open = view.ledger.open;
    const bool takes = std::any_of(open.begin(), open.end(), [&](const auto& reservation) {
      return reservation.number == entry->number && (in_place || is_in_line(reservation.name));
    });
    return takes || shifted || (in_place && is_committed(line[behind]));
  };
  // If any other entry without a reservation comes before the reserved revision, move nothing: that
  // entry would get a number above the reserved one, so the revision would lose its number anyway.
  const auto end = line.begin() + static_cast<std::ptrdiff_t>(behind);
  const bool is_kept = std::all_of(line.begin(), end, [&](const list::Entry* entry) {
    return view.ledger.Find(entry->name) != nullptr || is_inserted(entry);
  });
  if (is_kept)
    std::stable_partition(line.begin(), end + 1,
                          [&](const list::Entry* entry) { return !is_inserted(entry); });
  return base::Done{};
}

/// Returns the pending revisions in the branch's order, except that `names` come last, in the given
/// order.
Result<std::vector<const list::Entry*>> InLine(const Workspace& workspace, const ListView& view,
                                               const std::vector<std::string>& names) {
  const Numbering numbering = view.numbering();
  const std::string target = workspace.TargetLabel();
  std::vector<const list::Entry*> out = numbering.Pending();
  InOrderOfLines(numbering, out);
  if (!out.empty()) TRY(PutInsertedLast(workspace, view, out));
  for (const std::string& name : names) {
    const auto found =
        std::find_if(out.begin(), out.end(), [&](const list::Entry* e) { return e->name == name; });
    if (found != out.end()) {
      std::rotate(found, found + 1, out.end());
      continue;
    }
    if (numbering.HasLanded(name))
      return Error{Exit::Findings,
                   fmt::format("{} has landed on {} and keeps its number forever", name, target),
                   "revctl fix   # without --last, it repairs pending revisions"};
    if (numbering.WasPurged(name))
      return Error{Exit::Findings,
                   fmt::format("{} landed on {} and was later purged, so its number cannot change",
                               name, target),
                   fmt::format("if this branch is older than the purge, run git merge {}; "
                               "otherwise remove its line from the list",
                               base::ShellWord(target))};
    return Error{Exit::Usage,
                 fmt::format("{} has no revision {}{}", view.config->path, findings::Quoted(name),
                             NearName(view, name)),
                 CommandFor(workspace, *view.config, "list")};
  }
  return out;
}

/// Returns the next number to assign. Ignores the numbers that reserved revisions have in the list:
/// such a number exceeds the highest assigned number only if an inserted entry shifted it, and that
/// entry will be moved.
Result<std::int64_t> NextFree(const ListView& view, const std::vector<const list::Entry*>& line) {
  TRY(const auto next, view.numbering().Next());
  const auto given = std::max(view.numbering().LastLanded(), view.ledger.high_water);
  if (!given) return next;
  std::int64_t highest = *given;
  for (const list::Entry* entry : line) {
    if (view.ledger.Find(entry->name) == nullptr && entry->number < next)
      highest = std::max(highest, entry->number);
  }
  return std::max(highest + 1, list::kSmallestNumber);
}

/// Chooses a number for each revision in `line`. Returns a move for each revision whose number or
/// reservation changes. A number must be above all landed numbers and above the numbers of all
/// revisions earlier in `line`, because the code depends on their order. Of the numbers that
/// qualify, a revision gets its reserved number if possible, else its number in the list, else the
/// next free number. On a stacked branch, other people's revisions move too. Otherwise, their
/// owners would renumber them later, and the revisions would end up above those that build on them.
Result<std::vector<NumberMove>> ChooseNumbers(const ListView& view,
                                              const std::vector<const list::Entry*>& line,
                                              const git::Person& me) {
  std::vector<NumberMove> out;
  const Numbering numbering = view.numbering();
  TRY(auto next, NextFree(view, line));
  std::optional<std::int64_t> last = numbering.LastLanded();
  const auto goes_behind = [&](std::int64_t number) {
    last = std::max(last.value_or(number), number);
  };
  for (const list::Entry* entry : line) {
    const ledger::Reservation* held = view.ledger.Find(entry->name);
    const bool stands =
        held != nullptr && held->number == entry->number && (!last || entry->number > *last);
    if (stands) {
      goes_behind(entry->number);
      continue;
    }
    auto fits = [&](std::int64_t number) {
      if (last && number <= *last) return false;
      if (number < list::kSmallestNumber || number > list::kLargestNumber ||
          !list::FitsEnum(view.working, number))
        return false;
      if (held != nullptr && held->number == number) return true;
      // The revision has no reservation for this number, so the ledger can confirm the number only
      // if it has never assigned that number.
      if (numbering.Holder(number, entry->name) != nullptr) return false;
      return !view.ledger.high_water || number > *view.ledger.high_water;
    };
    NumberMove move{entry->name, entry->number, 0, false,
                    held == nullptr || ledger::SamePerson(held->who, me) ? "" : held->who.Text()};
    if (held != nullptr && fits(held->number)) {
      move.to = held->number;
    } else if (fits(entry->number)) {
      move.to = entry->number;
    } else if (next <= list::kLargestNumber) {
      move.to = next;
    } else {
      return Error{Exit::Usage, "there is no number left for " + entry->name, "revctl list"};
    }
    next = std::max(next, move.to + 1);
    move.changes_ledger = held == nullptr || held->number != move.to;
    goes_behind(move.to);
    if (move.changes_ledger || move.from != move.to) out.push_back(std::move(move));
  }
  return out;
}

/// Returns an Error if a revision would get a new number but the remote has no target branch. In
/// that case, revctl cannot tell which revisions have landed. It is no error if there is no remote.
Result<base::Done> RequireTarget(const Workspace& workspace, const ledger::Snapshot& snapshot,
                                 const std::vector<NumberMove>& moves) {
  if (snapshot.target || workspace.remote().empty()) return base::Done{};
  const auto changed = std::find_if(moves.begin(), moves.end(),
                                    [](const NumberMove& move) { return move.from != move.to; });
  if (changed == moves.end()) return base::Done{};
  return Error{
      Exit::Environment,
      fmt::format("{} does not exist, so revctl cannot tell which revisions have landed, and {} "
                  "= {} keeps its number",
                  workspace.TargetLabel(), changed->name, changed->from),
      fmt::format("if nothing has been pushed yet: git push {} HEAD:{}; otherwise correct "
                  "`target` in .revctl.yaml",
                  base::ShellWord(workspace.remote()), base::ShellWord(workspace.config().target))};
}

/// Returns the revisions to move to the end of the list, with their final numbers, in the order of
/// `line`. If one moves, all later ones move, too, to keep the order.
std::vector<list::NewNumber> EntriesToMove(const ListView& view,
                                           const std::vector<const list::Entry*>& line,
                                           const std::vector<NumberMove>& moves) {
  std::vector<list::NewNumber> out;
  std::set<std::string_view> out_of_line;  // names of the entries that violate RV007
  for (const auto& [entry, lowest] : list::OutOfLine(view.working)) out_of_line.insert(entry->name);
  for (const list::Entry* entry : line) {
    const auto move = std::find_if(moves.begin(), moves.end(),
                                   [&](const NumberMove& one) { return one.name == entry->name; });
    const std::int64_t to = move == moves.end() ? entry->number : move->to;
    if (to != entry->number || !out.empty() || out_of_line.contains(entry->name))
      out.push_back({entry->name, to});
  }
  return out;
}

/// Returns the ledger change that records `moves`, or nullopt if none is needed.
std::optional<ledger::Change> ChangeOfLedger(const ledger::Snapshot& snapshot, const ListView& view,
                                             const std::vector<NumberMove>& moves,
                                             const git::Person& me) {
  const std::string& list = view.config->name;
  ledger::Event event{ledger::Event::Kind::Confirm, list, {}, ""};
  ledger::State state = StateForWriting(snapshot, view);
  for (const NumberMove& move : moves) {
    if (!move.changes_ledger) continue;
    const ledger::Reservation* held = view.ledger.Find(move.name);
    if (held != nullptr) event.kind = ledger::Event::Kind::Renumber;
    event.steps.push_back(
        {move.name, move.to,
         held != nullptr ? std::optional<std::int64_t>(held->number) : std::nullopt});
    // Keep the current holder. Otherwise a bot that renumbers at the head of a merge queue would
    // become the holder of all reservations.
    state.lists[list].Give(move.name, move.to, held != nullptr ? held->who : me);
  }
  if (event.steps.empty()) return std::nullopt;
  return ledger::Change{std::move(state), std::move(event)};
}

Result<Renumbering> Decide(const Workspace& workspace, const list::ListConfig& config,
                           const ledger::Snapshot& snapshot, const std::vector<std::string>& names,
                           const git::Person& me) {
  TRY(auto view, ReadListView(workspace, config, snapshot));
  const auto pending = view.numbering().Pending();
  if (!names.empty() || !pending.empty())
    TRY(workspace.RefuseOnRelease(workspace.Releases(snapshot.target),
                                  "reserve " + (names.empty() ? pending[0]->name : names[0])));
  TRY(const auto line, InLine(workspace, view, names));
  Renumbering out;
  TRY(out.moves, ChooseNumbers(view, line, me));
  TRY(RequireTarget(workspace, snapshot, out.moves));
  if (const auto edits = EntriesToMove(view, line, out.moves); !edits.empty()) {
    TRY(out.text, list::MoveToEnd(view.working, config, edits));
  }
  out.change = ChangeOfLedger(snapshot, view, out.moves, me);
  return out;
}

/// Repairs the landed entries before anything is renumbered, because pending numbers must be above
/// the landed ones.
Result<base::Done> RepairLanded(const Workspace& workspace, const list::ListConfig& config,
                                bool dry_run, const base::Listener& listener) {
  TRY(auto text, workspace.ReadList(config));
  TRY(const auto repair, ListRepair::Of(workspace, config));
  if (!repair.LandedIsBroken(text)) return base::Done{};
  const Error broken{
      Exit::Findings,
      fmt::format("{}: landed revisions differ from {}", config.path, workspace.TargetLabel()),
      "revctl fix"};
  if (dry_run) return broken;
  TRY(auto repaired, repair.Repair(text));
  for (const std::string& message : repaired.merged.messages) listener.Note(message);
  if (repaired.merged.conflict || !repaired.left.empty()) return broken;
  listener.Note(config.path + ": repaired landed revisions");
  return workspace.WriteList(config, repaired.merged.text);
}

}  // namespace

Result<RenumberedList> RenumberList(const Workspace& workspace, const list::ListConfig& config,
                                    const RenumberRequest& request,
                                    const base::Listener& listener) {
  if (config.numbers == list::Numbers::AtLanding) return RenumberedList{};
  TRY(auto me, workspace.repository().Identity());
  TRY(RepairLanded(workspace, config, request.dry_run, listener));
  listener.Wait(workspace.Asked("for numbers"));
  ledger::Ledger ledger = workspace.OpenLedger(listener);
  Renumbering decision;
  bool unconfirmed = false;
  // Check that the list can be written before changing the ledger, so that a failed write does not
  // use up a number.
  auto writable = [&]() -> Result<base::Done> {
    if (decision.text.empty()) return base::Done{};
    auto probed = workspace.ProbeList(config);
    if (!probed.ok())
      probed.error().message =
          "nothing was renumbered, because the list cannot be written: " + probed.error().message;
    return probed;
  };
  auto decide_alone = [&](base::Result<ledger::Snapshot> snapshot) -> base::Result<base::Done> {
    if (!snapshot.ok()) return snapshot.error();
    TRY(auto decided, Decide(workspace, config, *snapshot, request.names, me));
    decision = std::move(decided);
    return base::Done{};
  };
  if (request.dry_run) {
    auto decided = decide_alone(request.offline ? ledger.Cached() : ledger.Refresh());
    listener.Wait("");
    if (!decided.ok()) return decided.error();
  } else {
    auto committed = ledger.Commit(
        [&](const ledger::Snapshot& snapshot) -> Result<std::optional<ledger::Change>> {
          TRY(auto decided, Decide(workspace, config, snapshot, request.names, me));
          decision = std::move(decided);
          TRY(writable());
          return decision.change;
        });
    listener.Wait("");
    committed = Workspace::ReportSkipped(std::move(committed), listener);
    if (!committed.ok()) {
      // Contributors who work in a fork cannot write to the ledger. If the config makes
      // reservations optional, contributors can use any number above the target's last number.
      const bool may_do_without = !workspace.config().reservation_required &&
                                  committed.error().exit == Exit::Environment && writable().ok();
      if (!may_do_without) return committed.error();
      TRY(decide_alone(ledger.Cached()));
      unconfirmed = true;
      listener.Note("could not reserve the numbers in the ledger, which is optional here: " +
                    committed.error().message.substr(0, committed.error().message.find('\n')));
    }
    if (!decision.text.empty()) {
      auto written = workspace.WriteList(config, decision.text);
      if (!written.ok()) {
        written.error().message = fmt::format(
            "{}the list could not be written: {}",
            unconfirmed ? "" : "the ledger has the new numbers, but ", written.error().message);
        written.error().fix = "fix the cause, then run revctl fix";
        return written.error();
      }
    }
  }
  for (const NumberMove& move : decision.moves) {
    if (!move.holder.empty())
      listener.Note(move.name + " stays reserved by " + findings::Printable(move.holder));
  }
  return RenumberedList{std::move(decision.moves), std::move(decision.text), !unconfirmed};
}

std::vector<std::string> MoveLines(const RenumberedList& renumbered) {
  const std::vector<NumberMove>& moves = renumbered.moves;
  const auto distance = [&](std::size_t i) { return moves[i].to - moves[i].from; };
  const auto line = [&](const NumberMove& move) {
    if (move.from != move.to) return fmt::format("{} {} -> {}", move.name, move.from, move.to);
    return fmt::format("{} = {}{}", move.name, move.to, renumbered.confirmed ? " confirmed" : "");
  };
  std::vector<std::string> out;
  for (std::size_t begin = 0, end = 0; begin < moves.size(); begin = end) {
    while (end < moves.size() && distance(end) == distance(begin)) ++end;
    const std::size_t shown = end - begin > base::kFirstFew + 1 ? base::kFirstFew : end - begin;
    for (std::size_t i = begin; i < begin + shown; ++i) out.push_back(line(moves[i]));
    if (shown < end - begin)
      out.push_back(fmt::format("and {} more{}, up to {} = {}", end - begin - shown,
                                distance(begin) != 0
                                    ? fmt::format(" shifted by {:+}", distance(begin))
                                : renumbered.confirmed ? " confirmed"
                                                       : "",
                                moves[end - 1].name, moves[end - 1].to));
  }
  return out;
}

}  // namespace revctl::commands
