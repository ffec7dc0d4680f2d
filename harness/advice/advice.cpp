#include "harness/advice/advice.h"

#include <fmt/core.h>
#include <iterator>

#include "harness/advice/code_lines.h"
#include "harness/advice/macro_fixes.h"
#include "harness/advice/own_words.h"
#include "harness/advice/plain_fixes.h"
#include "harness/layout/fields.h"

namespace revctl::harness {
namespace {

// ---- phrases that follow `Type.field` in the message of a finding

std::string SpelledTypeOf(const LayoutField& field, const ChangePlace& place) {
  return place.plain != nullptr ? PlainType(field.type) : CppType(field.type);
}

std::string SayCause(const LayoutChange& change, const ChangePlace& place) {
  return ": " + CauseText(change.cause, place.plain != nullptr);
}

std::string SayType(const LayoutChange& change, const ChangePlace& place) {
  return fmt::format(" was {}, is {}{}", SpelledTypeOf(*change.recorded, place),
                     SpelledTypeOf(*change.now, place), SayCause(change, place));
}

std::string SaySwapped(const LayoutChange& change, const ChangePlace&) {
  return fmt::format(" and {} were swapped", change.other);
}

std::string SayMoved(const LayoutChange&, const ChangePlace&) {
  return " moved to another position";
}

std::string SayRemName(const LayoutChange& change, const ChangePlace& place) {
  return fmt::format(" is named {1} in its {0}; a {0} must keep the field's name",
                     place.plain != nullptr ? "DEAD" : "REM", change.other);
}

std::string SayRenamed(const LayoutChange& change, const ChangePlace&) {
  return fmt::format(" was renamed to {}", change.other);
}

std::string SayNameLost(const LayoutChange&, const ChangePlace&) {
  return " is now visited by a plain Serialize(r, ...), so its value has no name";
}

std::string SayNameGained(const LayoutChange&, const ChangePlace&) {
  return " was visited by a plain Serialize(r, ...), so old goldens have no name for it";
}

std::string SayPadding(const LayoutChange& change, const ChangePlace&) {
  return fmt::format(": the padding {} changed: recorded {}, now {}",
                     change.field.empty() ? "at its end" : "before it", change.recorded_text,
                     change.now_text);
}

/// Formats a field's gates with their numbers, for example "SR_TWO = 2, SR_THREE = 3".
std::string Numbers(const LayoutField& field) {
  const std::string since = fmt::format("{} = {}", Since(field), field.since_number);
  if (field.until.empty()) return since;
  return fmt::format("{}, {} = {}", since, field.until, field.until_number);
}

std::string SayRenumbered(const LayoutChange& change, const ChangePlace&) {
  return fmt::format(
      " has the recorded gate, but the gate's number in the list changed: recorded {}, now {}",
      Numbers(*change.recorded), Numbers(*change.now));
}

std::string SayGateConstant(const LayoutChange& change, const ChangePlace&) {
  return fmt::format(
      " has the recorded gate, but the value of its constant changed: recorded {}, now {}",
      Numbers(*change.recorded), Numbers(*change.now));
}

std::string SayGateMoved(const LayoutChange& change, const ChangePlace&) {
  const LayoutField *const then = change.recorded, *const now = change.now;
  const auto gates = [](const LayoutField* field) {
    if (field == nullptr) return std::string("none");
    return field->until.empty() ? field->since
                                : fmt::format("{} to {}", field->since, field->until);
  };
  return fmt::format(
      " has {}: recorded {}, now {}",
      now && then && then->until != now->until ? "different gates" : "a different gate",
      gates(then), gates(now));
}

std::string SayMembersMoved(const LayoutChange&, const ChangePlace&) {
  return " is copied byte by byte, and the members of its struct were reordered";
}

/// The sentence and fixes that findings print for a cause. `fix` is for bodies with ADD and REM,
/// `fix_plain` for PLAIN structs, and `tell` for bodies with the program's own macros. If
/// `fix_plain` or `tell` is null, `fix` is used instead.
struct Row {
  Cause cause;
  const char* text;
  std::string (*say)(const LayoutChange&, const ChangePlace&);
  FixFunction *fix, *fix_plain = nullptr, *tell = nullptr;
  /// used instead of `text` for a PLAIN struct; null if `text` applies
  const char* plain_text = nullptr;
};

constexpr Row kRows[] = {
    {Cause::Retyped, "retyped without a revision", SayType, FixRetype, FixPlainRetype, TellRetype},
    {Cause::RetypedSameSize, "retyped without a revision, to a type of the same size", SayType,
     FixRetype, FixPlainRetype, TellRetype},
    {Cause::ContainerChanged, "container changed without a revision", SayType, FixRetype,
     FixPlainRetype, TellRetype},
    {Cause::Resized, "array resized without a revision", SayType, FixRetype, FixPlainRetype,
     TellRetype},
    {Cause::EnumWidth, "the enum's underlying type changed", SayCause, FixEnumWidth},
    {Cause::Swapped, "two fields were swapped", SaySwapped, FixOrder, FixPlainOrder, TellOrder},
    {Cause::Moved, "reordered", SayMoved, FixOrder, FixPlainOrder, TellOrder},
    {Cause::CounterMoved, "CHECK_INTEGRITY moved, added or removed", SayCause, FixOrder},
    {Cause::GateMoved, "gate moved to another revision", SayGateMoved, FixGate, FixPlainGate},
    {Cause::Renumbered, "the gate's revision has a different number in the list", SayRenumbered,
     FixRenumbered},
    {Cause::GateConstant, "the constant in the gate has a different value", SayGateConstant,
     FixGateConstant},
    {Cause::RemovedWithoutRem, "removed without a REM", SayCause, FixRemoved, FixPlainRemoved,
     TellRemoved, "removed without a DEAD"},
    {Cause::AddedWithoutRevision, "added without a new revision", SayCause, FixAdded, FixPlainAdded,
     TellAdded},
    {Cause::BecameConditional, "a condition was added or removed without a revision", SayCause,
     FixConditional, nullptr, TellConditional},
    {Cause::ConditionChanged, "the text of the condition changed", SayCause, FixCondition},
    {Cause::RemOtherName, "the REM does not have the field's name", SayRemName, FixRemName,
     FixPlainRemName, nullptr, "the DEAD does not have the field's name"},
    {Cause::Renamed, "renamed", SayRenamed, FixRenamed, FixPlainRenamed, TellName},
    {Cause::NameLost, "no longer visited by name", SayNameLost, FixGate, nullptr, TellName},
    {Cause::NameGained, "now visited by name", SayNameGained, FixNameGained, nullptr, TellNoName},
    {Cause::PaddingChanged, "the alignment of a field's type changed", SayPadding, FixPadding},
    {Cause::RemDefaultChanged, "the default of a removed field changed", SayCause, FixGate,
     FixPlainGate},
    {Cause::RemGone, "a REM that old files need was removed", SayCause, FixGate, FixPlainGate,
     nullptr, "a DEAD that old files need was removed"},
    {Cause::MembersMoved, "the members of a struct that is copied byte by byte were reordered",
     SayMembersMoved, FixMembers},
};

constexpr const Row& RowOf(Cause cause) { return kRows[static_cast<std::size_t>(cause)]; }

/// True if kRows is indexed by cause, so that a lookup needs no search.
constexpr bool InOrder() {
  for (std::size_t i = 0; i < std::size(kRows); ++i) {
    if (static_cast<std::size_t>(kRows[i].cause) != i) return false;
  }
  return std::size(kRows) == static_cast<std::size_t>(Cause::MembersMoved) + 1;
}
static_assert(InOrder());

/// True if the field exists and one of the program's own macros visited it.
bool SideHasOtherMacros(const LayoutField* field) {
  return field != nullptr && HasOtherMacros(*field);
}

}  // namespace

std::string CauseText(Cause cause, bool plain) {
  const Row& row = RowOf(cause);
  return plain && row.plain_text != nullptr ? row.plain_text : row.text;
}

std::string Advice::Lines() const {
  if (before.empty() || after.empty()) return before + after;
  return after_first ? fmt::format("{}\nor {}", after, before)
                     : fmt::format("{}\nor make the change in a new revision:\n{}", before, after);
}

Advice AdviceOn(const LayoutChange& change, const ChangePlace& place) {
  const Row& row = RowOf(change.cause);
  Advice advice;
  advice.cause = CauseText(change.cause, place.plain != nullptr);
  advice.sentence =
      place.type + (change.field.empty() ? "" : "." + change.field) + row.say(change, place);
  FixFunction* fix = row.fix;
  if (place.plain != nullptr && row.fix_plain != nullptr) {
    fix = row.fix_plain;
  } else if (row.tell != nullptr &&
             (SideHasOtherMacros(change.recorded) || SideHasOtherMacros(change.now))) {
    fix = row.tell;
  }
  fix(change, place, advice);
  if (place.rem != nullptr && !place.purge_below.empty()) {
    advice.before += fmt::format(
        "\nor, if files older than {0} no longer have to load: revctl purge --below {0}",
        place.purge_below);
  }
  if (place.words != nullptr) SayInOwnWords(change, place, advice);
  return advice;
}

}  // namespace revctl::harness
