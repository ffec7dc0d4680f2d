// The mends of a change in a body of ADD and REM, and of an enum; in words for other macros.
#include <utility>

#include "harness/advice/mends.h"
#include "harness/advice/revision_names.h"
#include "harness/advice/visit_line.h"
#include "harness/layout/field_matching.h"
#include "harness/layout/wire_type.h"
#include "harness/trace/source_place.h"
#include "revctl/base/ascii.h"

namespace revctl::harness {
namespace {

/// "SR_TWO", "SR_TWO and SR_THREE".
std::string Gates(const LayoutField& field) {
  return Since(field) + (field.until.empty() ? "" : " and " + field.until);
}

std::string PutLineBack(const LayoutChange& change) {
  return "put the line back: " + VisitLine(*change.recorded) + PlaceNote(change.now);
}

/// Records do not say of a field of ids whether they were references: where there are objects, it
/// may be.
std::string OrReference(const LayoutChange& change, const ChangePlace& place,
                        const std::string& until) {
  const LayoutField& recorded = *change.recorded;
  std::string type = CppType(recorded.type);
  if (!place.objects || !Mentions(recorded.type, "u32") || recorded.reference ||
      !recorded.condition.empty() || type.find(',') != std::string::npos)
    return "";
  const std::string ids = CppType("u32");
  type.replace(type.rfind(ids), ids.size(), "T*");
  return "\nor, where ADD_REF visited it, of T the class that it pointed at: REM_REF(" +
         Since(recorded) + ", " + until + ", " + type + ", " + change.field + ");";
}

/// The revision of a change that is told in words. A name that is a place says nothing in it.
NewRevision ToldRevision(const LayoutChange& change, const ChangePlace& place,
                         const std::string& what) {
  const bool by_place = !change.field.empty() && base::IsDigit(change.field.front());
  return Reserve(place.prefix, place.pending,
                 by_place ? what : what + "_" + UpperSnake(change.field));
}

}  // namespace

void MendRetype(const LayoutChange& change, const ChangePlace& place, Advice& advice) {
  const LayoutField& then = *change.recorded;
  const LayoutField& now = *change.now;
  if (then.name.empty()) {
    advice.before = "put the type back: " + CppType(then.type);
    return;
  }
  if (IsRem(now)) {
    advice.before = PutLineBack(change);
    return;
  }
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
  advice.before = "put the type back: " + CppType(then.type) + " " + then.name;
  advice.after =
      next.command + RemLine(then, next.symbol, back) + PlaceNote(change.now) + "\n" +
      AddLine(now, next.symbol) + "\n" + "if (r.IsReading() && r.revision < " + next.symbol +
      ") d." + now.name + " = " +
      (converts ? "static_cast<" + CppType(now.type) + ">(" + then.name + ")" : then.name) + ";" +
      (converts ? "" : "   // convert as it should be");
  advice.after_first = true;
}

void MendOrder(const LayoutChange&, const ChangePlace& place, Advice& advice) {
  advice.before = "put the lines of " + place.type + " back in the recorded order:";
  if (place.recorded == nullptr) return;
  for (const LayoutField& field : place.recorded->layout.fields)
    advice.before += "\n" + VisitLine(field);
}

void MendGate(const LayoutChange& change, const ChangePlace&, Advice& advice) {
  advice.before = PutLineBack(change);
}

void MendRenumbered(const LayoutChange& change, const ChangePlace&, Advice& advice) {
  advice.before = "give " + Gates(*change.recorded) +
                  " back the number in the list, if it has landed\nor, while it is pending: " +
                  "revctl renumber";
}

void MendGateConstant(const LayoutChange& change, const ChangePlace&, Advice& advice) {
  const LayoutField& then = *change.recorded;
  advice.before = "give " + Gates(then) + " back the value " + std::to_string(then.since_number) +
                  (then.until.empty() ? "" : " and " + std::to_string(then.until_number)) +
                  ", or spell the revision in its place: " + VisitLine(then) +
                  PlaceNote(change.now);
}

void MendRemoved(const LayoutChange& change, const ChangePlace& place, Advice& advice) {
  const LayoutField& then = *change.recorded;
  if (change.field.empty()) {
    advice.before = "put the line back: " + VisitLine(then);
    return;
  }
  const NewRevision next = Reserve(place.prefix, place.pending, "NO_" + UpperSnake(change.field));
  advice.after = next.command + RemLine(then, next.symbol) + "   // in the place where it was" +
                 OrReference(change, place, next.symbol);
}

void MendAdded(const LayoutChange& change, const ChangePlace& place, Advice& advice) {
  const std::string note = PlaceNote(change.now);
  if (change.field.empty()) {
    advice.after = "put a gate of a new revision before it: if (r.revision >= ...)" + note;
  } else if (IsRem(*change.now)) {
    advice.before =
        "take the line out; files of that time hold no such field: " + VisitLine(*change.now) +
        note;
  } else {
    const NewRevision next = Reserve(place.prefix, place.pending, UpperSnake(change.field));
    advice.after = next.command + AddLine(*change.now, next.symbol) + note;
  }
}

void MendConditional(const LayoutChange& change, const ChangePlace& place, Advice& advice) {
  advice.before = PutLineBack(change);
  if (IsRem(*change.now)) return;
  const NewRevision next =
      Reserve(place.prefix, place.pending, UpperSnake(change.field) + "_CONDITIONAL");
  advice.after = next.command + RemLine(*change.recorded, next.symbol) + "\n" +
                 AddLine(*change.now, next.symbol);
}

void MendCondition(const LayoutChange& change, const ChangePlace&, Advice& advice) {
  advice.before = "if it decides differently, put it back: " + VisitLine(*change.recorded) +
                  PlaceNote(change.now);
}

void MendRemName(const LayoutChange& change, const ChangePlace&, Advice& advice) {
  LayoutField line = *change.now;
  line.name = change.field;
  advice.before = VisitLine(line) + PlaceNote(change.now) + "\nits local is then " + change.field +
                  ", beside d." + change.field;
}

void MendRenamed(const LayoutChange& change, const ChangePlace&, Advice& advice) {
  advice.before = "put the name back: " + VisitLine(*change.recorded) + PlaceNote(change.now);
}

void MendNameGained(const LayoutChange& change, const ChangePlace&, Advice& advice) {
  advice.before = "put the line back: Serialize(r, d." + change.field + ");" +
                  PlaceNote(change.now) + "\na name takes a revision of its own: REM(" +
                  Since(*change.now) + ", SR_NEW, " + CppType(change.now->type) +
                  ", ...) and ADD(SR_NEW, " + change.field + ")";
}

void MendPadding(const LayoutChange&, const ChangePlace&, Advice& advice) {
  advice.before = "put the alignment of the types of its fields back (alignas, or what they hold)";
}

void MendEnumWidth(const LayoutChange& change, const ChangePlace&, Advice& advice) {
  advice.before = "put the underlying type back: " + change.recorded_text;
}

void MendEnumerators(const LayoutChange& change, const ChangePlace& place, Advice& advice) {
  advice.before = "give every enumerator of " + place.type + " its recorded value (" +
                  change.recorded_text + "); new ones go behind the last";
}

void MendEnumeratorGone(const LayoutChange& change, const ChangePlace& place, Advice& advice) {
  advice.before = "keep " + change.recorded_text + " in " + place.type + "; old files hold it";
}

void MendEnumeratorName(const LayoutChange& change, const ChangePlace&, Advice& advice) {
  advice.before = "put the name " + change.field + " back; old records call it so";
}

void MendEnumeratorAdded(const LayoutChange& change, const ChangePlace& place, Advice& advice) {
  advice.after = Reserve(place.prefix, place.pending, UpperSnake(change.field)).command +
                 place.program + " record   # writes it down";
}

void TellRetype(const LayoutChange& change, const ChangePlace& place, Advice& advice) {
  const std::string then = CppType(change.recorded->type), now = CppType(change.now->type);
  const NewRevision next = ToldRevision(change, place, "CHANGED");
  advice.before = "put the type back: " + then + PlaceNote(change.now);
  advice.after = next.command + "visit a " + then + " before " + next.symbol + ", and make the " +
                 now + " of it; since then the " + now;
}

void TellRemoved(const LayoutChange& change, const ChangePlace& place, Advice& advice) {
  const NewRevision next = ToldRevision(change, place, "REMOVED");
  advice.after = next.command + "in the place where it was visit a local " +
                 CppType(change.recorded->type) + " before " + next.symbol;
}

void TellAdded(const LayoutChange& change, const ChangePlace& place, Advice& advice) {
  const NewRevision next = ToldRevision(change, place, "ADDED");
  advice.after = next.command + "visit it since " + next.symbol + " only" + PlaceNote(change.now);
}

void TellOrder(const LayoutChange&, const ChangePlace& place, Advice& advice) {
  advice.before = "visit the fields of " + place.type + " in the recorded order";
  if (place.recorded == nullptr) return;
  std::string names;
  for (const LayoutField& field : place.recorded->layout.fields)
    names += (names.empty() ? ": " : ", ") + field.name;
  advice.before += names;
}

void TellConditional(const LayoutChange& change, const ChangePlace& place, Advice& advice) {
  const NewRevision next = ToldRevision(change, place, "CONDITIONAL");
  advice.before = "visit it always, as recorded" + PlaceNote(change.now);
  advice.after = next.command + "visit it always before " + next.symbol +
                 ", and under the condition only since then";
}

void TellName(const LayoutChange& change, const ChangePlace&, Advice& advice) {
  advice.before = "put the name back: " + change.field + PlaceNote(change.now);
}

void TellNoName(const LayoutChange& change, const ChangePlace& place, Advice& advice) {
  const NewRevision next = ToldRevision(change, place, "NAMED");
  advice.before = "visit it without a name, as recorded" + PlaceNote(change.now);
  advice.after = next.command + "give it the name since " + next.symbol + " only";
}

}  // namespace revctl::harness
