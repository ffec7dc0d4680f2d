// Fixes for changes to enums, and to bodies with ADD and REM. Fixes for bodies with other macros
// are written in prose.
#include "harness/advice/macro_fixes.h"

#include <fmt/core.h>
#include <algorithm>

#include "harness/advice/code_lines.h"
#include "harness/layout/fields.h"
#include "harness/trace/source_place.h"
#include "revctl/base/ascii.h"

namespace revctl::harness {
namespace {

std::string Gates(const LayoutField& field) {
  return field.until.empty() ? Since(field) : fmt::format("{} and {}", Since(field), field.until);
}

std::string RecordedLine(const LayoutChange& change) {
  return VisitLine(*change.recorded) + PlaceNote(change.now);
}

/// Records do not distinguish object ids from numbers, so a field may have been a reference.
/// Returns an alternative fix for this case, or "" if the field cannot have been one, for example
/// because the program has no object stream.
std::string OrReference(const LayoutChange& change, const ChangePlace& place,
                        const std::string& until) {
  const LayoutField& recorded = *change.recorded;
  std::string type = CppType(recorded.type);
  if (!place.objects || !Mentions(recorded.type, "u32") || recorded.reference ||
      !recorded.condition.empty() || type.find(',') != std::string::npos)
    return "";
  const std::string ids = CppType("u32");
  type.replace(type.rfind(ids), ids.size(), "T*");
  return fmt::format(
      "\nor, if ADD_REF visited the field (T is the class it pointed to): REM_REF({}, {}, {}, {});",
      Since(recorded), until, type, change.field);
}

/// Returns a comment naming the recorded field after which the user should insert the line of
/// `place.rem`.
std::string Behind(const ChangePlace& place) {
  const LayoutField* before = nullptr;
  if (place.recorded != nullptr) {
    for (const LayoutField& field : place.recorded->layout.fields) {
      if (field.name == place.rem->name)
        return before == nullptr ? "   // before all other fields"
                                 : "   // right after " + before->name;
      if (!field.name.empty()) before = &field;
    }
  }
  return "   // at its old position";
}

/// Suggests restoring the recorded REM.
void FixRem(const ChangePlace& place, Advice& advice) {
  advice.before = fmt::format("restore the line: {}{}", VisitLine(*place.rem), Behind(place));
}

/// Returns the revision to mention in a prose fix. Its name includes the field's name, unless the
/// field is known only by its position.
NewRevision ToldRevision(const LayoutChange& change, const ChangePlace& place,
                         const std::string& what) {
  const bool by_place = !change.field.empty() && base::IsDigit(change.field.front());
  return Reserve(place.prefix, place.pending,
                 by_place ? what : fmt::format("{}_{}", what, UpperSnake(change.field)));
}

}  // namespace

void FixRetype(const LayoutChange& change, const ChangePlace& place, Advice& advice) {
  const LayoutField& then = *change.recorded;
  const LayoutField& now = *change.now;
  if (then.name.empty()) {
    advice.before = "restore the type: " + CppType(then.type);
    return;
  }
  if (IsRem(now)) {
    advice.before = "restore the line: " + RecordedLine(change);
    return;
  }
  if (place.rem != nullptr) return FixRem(place, advice);
  // If a revision already introduces the new type, only the REM for the old type is missing.
  const bool gated = !now.since.empty() && now.since_number > then.since_number;
  const NewRevision next =
      gated ? NewRevision{now.since, ""}
            : Reserve(place.prefix, place.pending, UpperSnake(then.name), Letters(now.type));
  std::string value = then.name, note = "   // replace this with the right conversion", back;
  if (IsValue(then) && IsValue(now)) {
    value = fmt::format("static_cast<{}>({})", CppType(now.type), then.name);
    note.clear();
    // Derive the default from the object, so that files saved for older builds contain a useful
    // value.
    back = fmt::format("static_cast<{}>(d.{})", CppType(then.type), now.name);
  }
  advice.before = fmt::format("restore the type: {} {}", CppType(then.type), then.name);
  advice.after = fmt::format("{}{}{}\n{}\nif (r.IsReading() && r.revision < {}) d.{} = {};{}",
                             next.command, RemLine(then, next.symbol, back), PlaceNote(change.now),
                             AddLine(now, next.symbol), next.symbol, now.name, value, note);
  advice.after_first = true;
}

void FixOrder(const LayoutChange&, const ChangePlace& place, Advice& advice) {
  advice.before = fmt::format("reorder the lines of {} as recorded:", place.type);
  if (place.recorded == nullptr) return;
  for (const LayoutField& field : place.recorded->layout.fields)
    advice.before += "\n" + VisitLine(field);
}

void FixGate(const LayoutChange& change, const ChangePlace& place, Advice& advice) {
  if (place.rem != nullptr) return FixRem(place, advice);
  advice.before = "restore the line: " + RecordedLine(change);
}

void FixRenumbered(const LayoutChange& change, const ChangePlace&, Advice& advice) {
  advice.before = fmt::format(
      "if {} has landed, restore its number in the list\nor, if it is still pending: revctl fix",
      Gates(*change.recorded));
}

void FixGateConstant(const LayoutChange& change, const ChangePlace&, Advice& advice) {
  const LayoutField& then = *change.recorded;
  advice.before = fmt::format(
      "restore the value of {}: {}{}, or write the revision instead of the constant: {}",
      Gates(then), then.since_number,
      then.until.empty() ? "" : fmt::format(" and {}", then.until_number), RecordedLine(change));
}

void FixRemoved(const LayoutChange& change, const ChangePlace& place, Advice& advice) {
  const LayoutField& then = *change.recorded;
  if (change.field.empty()) {
    advice.before = "restore the line: " + VisitLine(then);
    return;
  }
  if (place.rem != nullptr) return FixRem(place, advice);
  const NewRevision next = Reserve(place.prefix, place.pending, "NO_" + UpperSnake(change.field));
  advice.after = fmt::format("{}{}   // at its old position{}", next.command,
                             RemLine(then, next.symbol), OrReference(change, place, next.symbol));
}

void FixAdded(const LayoutChange& change, const ChangePlace& place, Advice& advice) {
  const std::string note = PlaceNote(change.now);
  if (change.field.empty()) {
    advice.after = "reserve a revision and put a gate before it: if (r.revision >= ...)" + note;
  } else if (IsRem(*change.now)) {
    advice.before =
        fmt::format("remove the line, because older files do not contain the field: {}{}",
                    VisitLine(*change.now), note);
  } else {
    const NewRevision next = Reserve(place.prefix, place.pending, UpperSnake(change.field));
    advice.after = next.command + AddLine(*change.now, next.symbol) + note;
  }
}

void FixConditional(const LayoutChange& change, const ChangePlace& place, Advice& advice) {
  advice.before = "restore the line: " + RecordedLine(change);
  if (IsRem(*change.now)) return;
  const NewRevision next =
      Reserve(place.prefix, place.pending, UpperSnake(change.field), "CONDITIONAL");
  advice.after = fmt::format("{}{}\n{}", next.command, RemLine(*change.recorded, next.symbol),
                             AddLine(*change.now, next.symbol));
}

void FixCondition(const LayoutChange& change, const ChangePlace&, Advice& advice) {
  advice.before = "if the new condition can have a different result, restore the old one: " +
                  RecordedLine(change);
}

void FixRemName(const LayoutChange& change, const ChangePlace&, Advice& advice) {
  LayoutField line = *change.now;
  line.name = change.field;
  advice.before = fmt::format("{}{}\nthe REM then declares a local variable {} in addition to d.{}",
                              VisitLine(line), PlaceNote(change.now), change.field, change.field);
}

void FixRenamed(const LayoutChange& change, const ChangePlace&, Advice& advice) {
  advice.before = "restore the name: " + RecordedLine(change);
}

void FixNameGained(const LayoutChange& change, const ChangePlace& place, Advice& advice) {
  advice.before = fmt::format(
      "restore the line: Serialize(r, d.{0});{1}\nor give it a name in a new revision: REM({2}, "
      "{4}NEW, {3}, ...) and ADD({4}NEW, {0})",
      change.field, PlaceNote(change.now), Since(*change.now), CppType(change.now->type),
      place.prefix);
}

void FixPadding(const LayoutChange&, const ChangePlace&, Advice& advice) {
  advice.before = "restore the alignment of its field types (their alignas or members)";
}

void FixMembers(const LayoutChange& change, const ChangePlace&, Advice& advice) {
  const std::string& text = change.recorded->members;
  const std::size_t brace = std::min(text.find('{'), text.size());
  advice.before = fmt::format(
      "reorder the members of {0} as recorded: {1}\nor, if members were only renamed "
      "and old files keep their meaning, rename the struct {0}",
      text.substr(0, brace), text.substr(brace));
}

void FixEnumWidth(const LayoutChange& change, const ChangePlace&, Advice& advice) {
  advice.before = "restore the underlying type: " + change.recorded_text;
}

void TellRetype(const LayoutChange& change, const ChangePlace& place, Advice& advice) {
  const std::string then = CppType(change.recorded->type), now = CppType(change.now->type);
  const NewRevision next = ToldRevision(change, place, "CHANGED");
  advice.before = fmt::format("restore the type: {}{}", then, PlaceNote(change.now));
  advice.after = fmt::format(
      "{0}in files older than {2}, visit a {1} and convert it to {3}; in newer files, visit the "
      "{3}",
      next.command, then, next.symbol, now);
}

void TellRemoved(const LayoutChange& change, const ChangePlace& place, Advice& advice) {
  if (place.rem != nullptr) {
    advice.before =
        fmt::format("visit a local {} at its old position again, but only in files older than {}",
                    CppType(change.recorded->type), place.rem->until);
    return;
  }
  const NewRevision next = ToldRevision(change, place, "REMOVED");
  advice.after =
      fmt::format("{}visit a local {} at its old position, but only in files older than {}",
                  next.command, CppType(change.recorded->type), next.symbol);
}

void TellAdded(const LayoutChange& change, const ChangePlace& place, Advice& advice) {
  const NewRevision next = ToldRevision(change, place, "ADDED");
  advice.after = fmt::format("{}visit it only in {} and later{}", next.command, next.symbol,
                             PlaceNote(change.now));
}

void TellOrder(const LayoutChange&, const ChangePlace& place, Advice& advice) {
  advice.before = fmt::format("visit the fields of {} in the recorded order", place.type);
  if (place.recorded == nullptr) return;
  std::string names;
  for (const LayoutField& field : place.recorded->layout.fields)
    names += (names.empty() ? ": " : ", ") + field.name;
  advice.before += names;
}

void TellConditional(const LayoutChange& change, const ChangePlace& place, Advice& advice) {
  const NewRevision next = ToldRevision(change, place, "CONDITIONAL");
  advice.before = "always visit it, as recorded" + PlaceNote(change.now);
  advice.after = fmt::format(
      "{}always visit it in files older than {}; in newer files, only if the condition holds",
      next.command, next.symbol);
}

void TellName(const LayoutChange& change, const ChangePlace&, Advice& advice) {
  advice.before = fmt::format("restore the name: {}{}", change.field, PlaceNote(change.now));
}

void TellNoName(const LayoutChange& change, const ChangePlace& place, Advice& advice) {
  const NewRevision next = ToldRevision(change, place, "NAMED");
  advice.before = "visit it without a name, as recorded" + PlaceNote(change.now);
  advice.after = fmt::format(
      "{}visit it without a name in files older than {}; in newer files, visit it by name",
      next.command, next.symbol);
}

}  // namespace revctl::harness
