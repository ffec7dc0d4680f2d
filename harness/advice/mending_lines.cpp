#include "harness/advice/mending_lines.h"

#include "harness/advice/plain_lines.h"
#include "harness/advice/revision_names.h"
#include "harness/advice/visit_line.h"
#include "harness/layout/ascii.h"
#include "harness/layout/field_matching.h"
#include "harness/layout/wire_type.h"

namespace revctl::harness {
namespace {

using revctl::LayoutField;

/// "SR_TWO", "SR_TWO and SR_THREE".
std::string Gates(const LayoutField& field) {
  return Since(field) + (field.until.empty() ? "" : " and " + field.until);
}
/// Visited by macros of the program's own, through SerializeNamed: a line with ADD or REM would
/// mean nothing there.
bool HasOtherMacros(const LayoutField* field) {
  return field != nullptr && field->form == "plain" && !field->name.empty();
}

/// The same mends in words, for such fields; empty where the ordinary text serves. A name that is a
/// place says nothing in the name of a revision.
std::string MendInWords(const LayoutChange& change, const ChangePlace& place) {
  const bool by_place = !change.field.empty() && IsDigit(change.field.front());
  const auto revision = [&](const std::string& what) {
    return Reserve(place.prefix, place.pending,
                   by_place ? what : what + "_" + UpperSnake(change.field));
  };
  switch (change.cause) {
    case Cause::Retyped:
    case Cause::RetypedSameSize:
    case Cause::ContainerChanged:
    case Cause::Resized: {
      const std::string then = CppType(change.recorded->type), now = CppType(change.now->type);
      const NewRevision next = revision("CHANGED");
      return "put the type back: " + then + PlaceNote(change.now) +
             "\nor, with a revision of its own:\n" + next.command + "visit a " + then + " before " +
             next.symbol + ", and make the " + now + " of it; since then the " + now;
    }
    case Cause::RemovedWithoutRem: {
      const NewRevision next = revision("REMOVED");
      return next.command + "in the place where it was visit a local " +
             CppType(change.recorded->type) + " before " + next.symbol;
    }
    case Cause::AddedWithoutRevision: {
      const NewRevision next = revision("ADDED");
      return next.command + "visit it since " + next.symbol + " only" + PlaceNote(change.now);
    }
    default:
      return "";
  }
}

std::string MendRetype(const LayoutChange& change, const ChangePlace& place) {
  const LayoutField& then = *change.recorded;
  const LayoutField& now = *change.now;
  if (then.name.empty()) return "put the type back: " + CppType(then.type);
  if (IsRem(now)) return "put the line back: " + VisitLine(then) + PlaceNote(&now);
  // Where the new type already has a revision of its own, only the REM of the old one is missing.
  const bool gated = !now.since.empty() && now.since_number > then.since_number;
  const NewRevision next =
      gated ? NewRevision{now.since, ""}
            : Reserve(place.prefix, place.pending, UpperSnake(then.name) + "_" + Letters(now.type));
  const bool converts = IsValue(then) && IsValue(now);
  // The default follows the object, so that what is saved for older builds still means something to
  // them.
  const std::string back =
      converts ? "static_cast<" + CppType(then.type) + ">(d." + now.name + ")" : "";
  return next.command + RemLine(then, next.symbol, back) + PlaceNote(change.now) + "\n" +
         AddLine(now, next.symbol) + "\n" + "if (r.IsReading() && r.revision < " + next.symbol +
         ") d." + now.name + " = " +
         (converts ? "static_cast<" + CppType(now.type) + ">(" + then.name + ")" : then.name) +
         ";" + (converts ? "" : "   // convert as it should be") +
         "\nor put the type back: " + CppType(then.type) + " " + then.name;
}

std::string MendOrder(const ChangePlace& place) {
  std::string lines = "put the lines of " + place.type + " back in the recorded order:";
  if (place.recorded) {
    for (const LayoutField& field : place.recorded->layout.fields) lines += "\n" + VisitLine(field);
  }
  return lines;
}

std::string MendEnum(const LayoutChange& change, const ChangePlace& place) {
  switch (change.cause) {
    case Cause::EnumeratorMoved:
      return "give every enumerator of " + place.type + " its recorded value (" +
             change.recorded_text + "); new ones go behind the last";
    case Cause::EnumeratorGone:
      return "keep " + change.recorded_text + " in " + place.type + "; old files hold it";
    case Cause::EnumeratorRenamed:
      return "put the name " + change.field + " back; old records call it so";
    case Cause::EnumeratorAdded:
      return Reserve(place.prefix, place.pending, UpperSnake(change.field)).command +
             place.program + " record   # writes it down";
    default:
      return "put the underlying type back: " + change.recorded_text;
  }
}

}  // namespace

std::string MendingLines(const LayoutChange& change, const ChangePlace& place) {
  if (place.plain != nullptr) {
    if (std::string lines = PlainMendingLines(change, place); !lines.empty()) return lines;
  }
  if (HasOtherMacros(change.recorded) || HasOtherMacros(change.now)) {
    if (const std::string words = MendInWords(change, place); !words.empty()) return words;
  }
  switch (change.cause) {
    case Cause::Retyped:
    case Cause::RetypedSameSize:
    case Cause::ContainerChanged:
    case Cause::Resized:
      return MendRetype(change, place);
    case Cause::Swapped:
    case Cause::Moved:
    case Cause::CounterMoved:
      return MendOrder(place);
    case Cause::EnumWidth:
    case Cause::EnumeratorMoved:
    case Cause::EnumeratorGone:
    case Cause::EnumeratorRenamed:
    case Cause::EnumeratorAdded:
      return MendEnum(change, place);
    case Cause::Renumbered:
      return "give " + Gates(*change.recorded) +
             " back the number in the list, if it has landed\nor, while it is pending: " +
             "revctl renumber";
    case Cause::GateConstant:
      return "give " + Gates(*change.recorded) + " back the value " +
             std::to_string(change.recorded->since_number) +
             (change.recorded->until.empty()
                  ? ""
                  : " and " + std::to_string(change.recorded->until_number)) +
             ", or spell the revision in its place: " + VisitLine(*change.recorded) +
             PlaceNote(change.now);
    case Cause::GateMoved:
    case Cause::RemDefaultChanged:
    case Cause::RemGone:
      return "put the line back: " + VisitLine(*change.recorded) + PlaceNote(change.now);
    case Cause::RemovedWithoutRem: {
      if (change.field.empty()) return "put the line back: " + VisitLine(*change.recorded);
      const NewRevision next =
          Reserve(place.prefix, place.pending, "NO_" + UpperSnake(change.field));
      return next.command + RemLine(*change.recorded, next.symbol) +
             "   // in the place where it was";
    }
    case Cause::AddedWithoutRevision: {
      if (change.field.empty())
        return "put a gate of a new revision before it: if (r.revision >= ...)" +
               PlaceNote(change.now);
      if (IsRem(*change.now))
        return "take the line out; files of that time hold no such field: " +
               VisitLine(*change.now) + PlaceNote(change.now);
      const NewRevision next = Reserve(place.prefix, place.pending, UpperSnake(change.field));
      return next.command + AddLine(*change.now, next.symbol) + PlaceNote(change.now);
    }
    case Cause::BecameConditional: {
      if (IsRem(*change.now))
        return "put the line back: " + VisitLine(*change.recorded) + PlaceNote(change.now);
      const NewRevision next =
          Reserve(place.prefix, place.pending, UpperSnake(change.field) + "_CONDITIONAL");
      return "put the line back: " + VisitLine(*change.recorded) + PlaceNote(change.now) +
             "\nor, with a revision of its own:\n" + next.command +
             RemLine(*change.recorded, next.symbol) + "\n" + AddLine(*change.now, next.symbol);
    }
    case Cause::ConditionChanged:
      return "if it decides differently, put it back: " + VisitLine(*change.recorded) +
             PlaceNote(change.now);
    case Cause::RemOtherName: {
      LayoutField line = *change.now;
      line.name = change.field;
      return VisitLine(line) + PlaceNote(change.now) + "\nits local is then " + change.field +
             ", beside d." + change.field;
    }
    case Cause::NameLost:
      return "put the line back: " + VisitLine(*change.recorded) + PlaceNote(change.now);
    case Cause::NameGained:
      return "put the line back: Serialize(r, d." + change.field + ");" + PlaceNote(change.now) +
             "\na name takes a revision of its own: REM(" + Since(*change.now) + ", SR_NEW, " +
             CppType(change.now->type) + ", ...) and ADD(SR_NEW, " + change.field + ")";
    case Cause::PaddingChanged:
      return "put the alignment of the types of its fields back (alignas, or what they hold)";
    case Cause::Renamed:
      return "put the name back: " + VisitLine(*change.recorded) + PlaceNote(change.now);
  }
  return "";
}

}  // namespace revctl::harness
