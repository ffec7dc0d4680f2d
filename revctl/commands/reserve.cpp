// reserve NAME: one fetch, one push, one line in the list. The push decides; the line follows, and
// a run that was killed between the two is finished by running it again.
#include "revctl/base/ascii.h"
#include "revctl/base/shell_word.h"
#include "revctl/commands/command.h"
#include "revctl/commands/installation.h"
#include "revctl/commands/json_text.h"
#include "revctl/commands/list_at.h"
#include "revctl/commands/patience.h"
#include "revctl/commands/reserve_at_landing.h"
#include "revctl/commands/views.h"
#include "revctl/findings/printable.h"
#include "revctl/list/edit.h"
#include "revctl/list/number_range.h"

namespace revctl::commands {
namespace {

using base::Done;
using base::Error;
using base::Exit;
using base::Result;

struct Wish {
  std::string name, message;
  bool take_over = false;
};

/// What one look at target, ledger and list leads to.
struct Answer {
  std::int64_t number = 0;
  std::string text;                      ///< of the list file; empty: it stays as it is
  std::optional<ledger::Change> change;  ///< nullopt: the ledger has it already
};

Result<Done> CheckName(const Workspace& workspace, const list::ListConfig& config,
                       const std::string& name) {
  if (!config::IsIdentifier(name)) {
    return Error{Exit::Usage, findings::Quoted(name) + " cannot be the name of an enumerator",
                 CommandFor(workspace, config, "reserve " + config.prefix + "COOL_THING")};
  }
  if (name == config.prefix) {
    return Error{Exit::Usage, name + " is the prefix alone, and no name yet",
                 CommandFor(workspace, config, "reserve " + config.prefix + "COOL_THING")};
  }
  if (!name.starts_with(config.prefix)) {
    return Error{Exit::Usage,
                 name + " does not begin with " + config.prefix + ", as the revisions of " +
                     config.path + " do",
                 CommandFor(workspace, config, "reserve " + config.prefix + name)};
  }
  if (name == config.sentinel || name == config.current) {
    return Error{Exit::Usage,
                 name + " is the list's " +
                     (name == config.sentinel ? "sentinel" : "alias for the latest revision"),
                 CommandFor(workspace, config, "reserve " + config.prefix + "COOL_THING")};
  }
  return Done{};
}

/// "ae" for Alex Evans: whose line it is, as such lists have it.
std::string Initials(const std::string& name) {
  std::string out;
  bool begins = true;
  for (char c : name) {
    if (begins && base::IsLetter(c)) out += base::Lower(c);
    begins = c == ' ' || c == '-';
  }
  return out;
}

/// "ae: the boss".
bool BeginsWithInitials(std::string_view comment) {
  const std::size_t colon = comment.find(": ");
  return colon != comment.npos && colon > 0 && colon <= 4 && comment.find(' ') > colon;
}

/// Most comments of the list begin with initials.
bool WantsInitials(const list::RevisionList& list) {
  int comments = 0, initials = 0;
  for (const list::Entry& entry : list.entries) {
    if (entry.kind != list::EntryKind::Revision || entry.comment.empty()) continue;
    ++comments;
    initials += BeginsWithInitials(entry.comment) ? 1 : 0;
  }
  return initials > 0 && initials * 2 >= comments;
}

std::string CommentFor(const Wish& wish, const git::Person& who, const list::RevisionList& list) {
  if (wish.message.empty()) return "";
  if (BeginsWithInitials(wish.message) || !WantsInitials(list)) return wish.message;
  const std::string initials = Initials(who.name);
  return initials.empty() ? wish.message : initials + ": " + wish.message;
}

Result<Answer> Decide(const Workspace& workspace, const list::ListConfig& config,
                      const ledger::Snapshot& snapshot, const Wish& wish, const git::Person& me) {
  if (snapshot.target) {
    TRY(auto there,
        ListAt(workspace.repository(), *snapshot.target, workspace.GitPath(""), config));
    if (there.config.numbers == list::Numbers::AtLanding)
      return Error{Exit::Findings,
                   config.path + ": " + workspace.TargetLabel() +
                       " gives numbers at landing by now, and this branch has not joined it",
                   "git merge " + base::ShellWord(workspace.TargetLabel()) + " && revctl reserve " +
                       wish.name};
  }
  TRY(auto view, LookAt(workspace, config, snapshot));
  const Numbering numbering = view.numbering();
  if (numbering.HasLanded(wish.name)) {
    const list::Entry* landed = view.landed->Find(wish.name);
    return Error{Exit::Findings,
                 wish.name + " has landed on " + workspace.TargetLabel() + " as " +
                     std::to_string(landed->number) + " (" + config.path + ":" +
                     std::to_string(landed->line) + ")",
                 "choose another name"};
  }
  if (numbering.WasPurged(wish.name)) {
    return Error{Exit::Findings,
                 wish.name + " had landed on " + workspace.TargetLabel() +
                     " and was purged: old code may still mean that one by it",
                 "choose another name"};
  }
  const list::Entry* present = view.working.Find(wish.name);
  if (present != nullptr && present->kind != list::EntryKind::Revision) {
    return Error{Exit::Findings,
                 config.path + ":" + std::to_string(present->line) + ": " + wish.name +
                     " is an alias there, not a revision",
                 "choose another name"};
  }
  Answer out;
  ledger::Event event{ledger::Event::Kind::Reserve, config.name, {}, wish.message};
  if (const ledger::Reservation* held = view.ledger.Find(wish.name)) {
    out.number = held->number;
    if (!ledger::SamePerson(held->who, me)) {
      if (!wish.take_over) {
        return Error{Exit::Findings,
                     wish.name + " is reserved by " + held->who.Text() + " as " +
                         std::to_string(held->number),
                     "choose another name, or agree with them and add --take-over"};
      }
      event.kind = ledger::Event::Kind::TakeOver;
      event.steps = {{wish.name, out.number, std::nullopt}};
    }
  } else {
    // A number that was picked by hand, or offline, is confirmed where it still can be.
    const bool free = present != nullptr && present->number >= list::kSmallestNumber &&
                      present->number <= list::kLargestNumber &&
                      numbering.Holder(present->number, wish.name) == nullptr &&
                      (!view.ledger.high_water || present->number > *view.ledger.high_water) &&
                      (!numbering.LastLanded() || present->number > *numbering.LastLanded());
    if (free) {
      out.number = present->number;
      event.kind = ledger::Event::Kind::Confirm;
    } else {
      TRY(auto next, numbering.Next());
      out.number = next;
    }
    event.steps = {{wish.name, out.number, std::nullopt}};
  }

  // The list's new text is made before anything is pushed: a number is not taken for a list that
  // cannot hold it.
  if (present == nullptr) {
    TRY(auto text, list::Append(view.working, config, wish.name, out.number,
                                CommentFor(wish, me, view.working)));
    out.text = std::move(text);
  } else if (present->number != out.number) {
    for (const list::Entry* other : numbering.Pending()) {
      if (other == present || (other->number < present->number) == (other->number < out.number))
        continue;
      return Error{
          Exit::Findings,
          wish.name + " would be " + std::to_string(out.number) + " and change places with " +
              other->name + " (" + std::to_string(other->number) +
              "): a branch keeps its own order",
          CommandFor(workspace, config, "renumber") +
              (wish.take_over
                   ? " && " + CommandFor(workspace, config, "reserve " + wish.name + " --take-over")
                   : " gives all of them numbers")};
    }
    TRY(auto text, list::Renumber(view.working, config, {{wish.name, out.number}}));
    out.text = std::move(text);
  }
  if (!event.steps.empty()) {
    ledger::State state = StateForWriting(snapshot, view);
    state.lists[config.name].Give(wish.name, out.number, me);
    out.change = ledger::Change{std::move(state), std::move(event)};
  }
  return out;
}

Outcome Report(Session& session, const list::ListConfig& config, const Wish& wish,
               const Answer& decision, bool provisional, bool dry) {
  if (session.json()) {
    session.Out(JsonObject()
                    .Number("version", 1)
                    .Text("list", config.name)
                    .Text("name", wish.name)
                    .Number("number", decision.number)
                    .Flag("provisional", provisional)
                    .Flag("dry_run", dry)
                    .str() +
                "\n");
  } else {
    session.Out(wish.name + " = " + std::to_string(decision.number) + "\n");
  }
  return provisional ? Exit::Provisional : Exit::Fine;
}

Outcome RunReserve(const Arguments& arguments, Session& session) {
  TRY(auto workspace, Workspace::Open(session));
  SayWhereNotInstalled(workspace, session);
  TRY(auto found, workspace.OneList(session));
  const list::ListConfig& config = *found;
  const Wish wish{arguments.Value("NAME"), arguments.Value("--message"),
                  arguments.Has("--take-over")};
  TRY(CheckName(workspace, config, wish.name));
  TRY(auto me, workspace.repository().Identity());
  TRY(const auto releases, workspace.Releases());
  TRY(workspace.RefuseOnRelease(releases, "reserve " + wish.name));

  TRY(const auto lock, workspace.LockLists(session));
  const bool not_after = arguments.Has("--not-after");
  if (config.numbers == list::Numbers::AtLanding) {
    if (not_after)
      return TakeFromAfter(workspace, config, wish.name, arguments.Value("--not-after"),
                           arguments.Has("--dry-run"), session);
    TRY(auto alone, workspace.ParseListAlone(config));
    return ReserveAtLanding(workspace, config, wish.name, CommentFor(wish, me, alone),
                            arguments.Value("--after"), arguments.Has("--dry-run"), session);
  }
  if (not_after)
    return Error{Exit::Usage, "--not-after is for lists with `numbers: at-landing`",
                 "revctl renumber gives pending revisions another order"};
  std::optional<Patience> patience(std::in_place, session, workspace.Asked("for a number"));
  ledger::Ledger ledger =
      workspace.OpenLedger([&](const std::string& what) { patience->Say(what); });
  const bool dry = arguments.Has("--dry-run");
  const bool offline = arguments.Has("--offline");
  if (dry || offline) {
    auto snapshot = offline ? workspace.LastSeen(ledger, session) : ledger.Refresh();
    patience.reset();
    if (!offline) snapshot = Workspace::SayUnsound(std::move(snapshot), session);
    if (!snapshot.ok()) return snapshot.error();
    TRY(auto decision, Decide(workspace, config, *snapshot, wish, me));
    const bool provisional = offline && decision.change.has_value();
    if (!dry && !decision.text.empty()) {
      TRY(workspace.WriteList(config, decision.text));
    }
    if (provisional) {
      session.Talk("the number is provisional until the team's ledger has it: " +
                   CommandFor(workspace, config, "renumber"));
    }
    return Report(session, config, wish, decision, provisional, dry);
  }

  TRY(workspace.ReadList(config));
  auto writable = workspace.ProbeList(config);
  if (!writable.ok()) {
    writable.error().message =
        "nothing is reserved, since the list cannot be written: " + writable.error().message;
    return writable.error();
  }
  Answer decision;
  auto committed =
      ledger.Commit([&](const ledger::Snapshot& snapshot) -> Result<std::optional<ledger::Change>> {
        TRY(auto decided, Decide(workspace, config, snapshot, wish, me));
        decision = std::move(decided);
        return decision.change;
      });
  patience.reset();
  committed = Workspace::SayUnsound(std::move(committed), session);
  if (!committed.ok()) return committed.error();
  if (!decision.text.empty()) {
    auto written = workspace.WriteList(config, decision.text);
    if (!written.ok()) {
      written.error().message =
          wish.name + " = " + std::to_string(decision.number) +
          " is reserved, but the list could not be written: " + written.error().message;
      written.error().fix =
          CommandFor(workspace, config, "reserve " + wish.name) + ", once that is mended";
      return written.error();
    }
  }
  return Report(session, config, wish, decision, false, false);
}

}  // namespace

Command ReserveCommand() {
  return {
      "reserve",
      "take the next number for the whole team",
      "Takes the next number in the team's ledger, adds the entry to the list, and prints it. "
      "Each\nnumber is given once, for ever. Run again for the same name it gives the same number.",
      "$ revctl reserve SR_BOSS_PHASE -m \"the boss has phases\"\nSR_BOSS_PHASE = 667",
      {{"NAME", "the revision, e.g. SR_BOSS_PHASE", Positional::Count::One, Hint::None}},
      {{"-m,--message", "TEXT", "what it is for; becomes the entry's comment", Hint::None},
       {"--offline", "", "a provisional number without the server (exit 5)", Hint::None},
       {"--after", "NAME", "numbers at landing: it comes behind that one", Hint::Revision},
       {"--not-after", "NAME", "numbers at landing: it comes behind that one no more",
        Hint::Revision},
       {"--dry-run", "", "say the number, change nothing", Hint::None},
       {"--take-over", "", "take over a reservation that another person holds", Hint::None}},
      RunReserve};
}

}  // namespace revctl::commands
