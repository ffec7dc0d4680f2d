#include "harness/explain_change.h"

#include <cctype>

#include "harness/ascii.h"
#include "harness/field_matching.h"
#include "harness/wire_type.h"

namespace harness {
namespace {

using revctl::LayoutField;

/// A default that compiles for the type; what it should be is for a person to say.
std::string PlainDefault(const std::string& wire) {
  if (wire == "bool") return "false";
  if (wire == "f32") return "0.0f";
  if (wire == "f64") return "0.0";
  const bool integer = wire.size() >= 2 && wire.size() <= 3 && (wire[0] == 'i' || wire[0] == 'u') &&
                       IsDigit(wire[1]);
  return integer ? "0" : "{}";
}

std::string Letters(const std::string& wire) {
  std::string out;
  for (char c : wire) {
    if (std::isalnum(static_cast<unsigned char>(c)) != 0) {
      out += static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
    } else if (!out.empty() && out.back() != '_') {
      out += '_';
    }
  }
  while (out.ends_with('_')) out.pop_back();
  return out;
}

std::string Since(const LayoutField& field) {
  return field.since.empty() ? "REVISION" : field.since;
}

/// The revision that shall hold the change, with the command that makes it where none stands ready.
struct NewRevision {
  std::string symbol, command;
};
NewRevision Reserve(const ChangePlace& place, const std::string& name) {
  if (!place.pending.empty()) return {place.pending, ""};
  return {place.prefix + name, "revctl reserve " + place.prefix + name + "\n"};
}

/// A number, a bool or an enum: what static_cast makes one of the other. Records have no size of their own.
bool IsValue(const LayoutField& field) { return field.size != 0 && !IsContainer(field.type); }

/// A recorded default as C++; what holds several values is for a person to spell.
std::string Literal(const LayoutField& field) {
  const std::string& value = field.fallback;
  if (IsNumber(field.type) || field.type == "bool" || field.type == "string") return value;
  if (!IsValue(field)) return PlainDefault(field.type);
  const bool number = IsDigit(value[0]) || value[0] == '-';
  return number ? "static_cast<" + CppType(field.type) + ">(" + value + ")" : CppType(field.type) + "::" + value;
}

std::string RemLine(const LayoutField& recorded, const std::string& until,
                    const std::string& fallback = "") {
  const std::string value = !fallback.empty()            ? fallback
                            : !recorded.spelled.empty()  ? recorded.spelled
                            : !recorded.fallback.empty() ? Literal(recorded)
                                                         : PlainDefault(recorded.type);
  std::string type = CppType(recorded.type), alias;
  if (type.find(',') != std::string::npos) {  // a macro takes what is behind it for more arguments
    alias = "using " + recorded.name + "_before = " + type + ";\n";
    type = recorded.name + "_before";
  }
  if (!recorded.condition.empty()) {
    return alias + "REM_CONDITIONAL(" + Since(recorded) + ", " + until + ", " + recorded.condition +
           ", " + type + ", " + recorded.name + ", " + value + ");";
  }
  return alias + "REM(" + Since(recorded) + ", " + until + ", " + type + ", " + recorded.name +
         ", " + value + ");";
}

std::string AddLine(const LayoutField& now, const std::string& since) {
  if (!now.condition.empty())
    return "ADD_CONDITIONAL(" + since + ", " + now.condition + ", " + now.name + ");";
  return "ADD(" + since + ", " + now.name + ");";
}

/// "SR_TWO", "SR_TWO and SR_THREE".
std::string Gates(const LayoutField& field) {
  return Since(field) + (field.until.empty() ? "" : " and " + field.until);
}
/// "SR_TWO = 2", "SR_TWO = 2, SR_THREE = 3".
std::string Numbers(const LayoutField& field) {
  return Since(field) + " = " + std::to_string(field.since_number) +
         (field.until.empty() ? "" : ", " + field.until + " = " + std::to_string(field.until_number));
}

std::string Place(const LayoutField* field) {
  return field == nullptr || field->file.empty()
             ? std::string()
             : "   // " + field->file + ":" + std::to_string(field->line);
}

/// Visited by macros of the program's own, through SerializeNamed: a line with ADD or REM would mean nothing there.
bool HasOtherMacros(const LayoutField* field) { return field != nullptr && field->form == "plain" && !field->name.empty(); }

/// The same mends in words, for such fields; empty where the ordinary text serves. A name that is a place says nothing in
/// the name of a revision.
std::string MendInWords(const LayoutChange& change, const ChangePlace& place) {
  const bool by_place = !change.field.empty() && IsDigit(change.field.front());
  const auto revision = [&](const std::string& what) { return Reserve(place, by_place ? what : what + "_" + UpperSnake(change.field)); };
  switch (change.cause) {
    case Cause::Retyped:
    case Cause::RetypedSameSize:
    case Cause::ContainerChanged:
    case Cause::Resized: {
      const std::string then = CppType(change.recorded->type), now = CppType(change.now->type);
      const NewRevision next = revision("CHANGED");
      return "put the type back: " + then + Place(change.now) + "\nor, with a revision of its own:\n" + next.command + "visit a " + then +
             " before " + next.symbol + ", and make the " + now + " of it; since then the " + now;
    }
    case Cause::RemovedWithoutRem: {
      const NewRevision next = revision("REMOVED");
      return next.command + "in the place where it was visit a local " + CppType(change.recorded->type) + " before " + next.symbol;
    }
    case Cause::AddedWithoutRevision: {
      const NewRevision next = revision("ADDED");
      return next.command + "visit it since " + next.symbol + " only" + Place(change.now);
    }
    default:
      return "";
  }
}

std::string MendRetype(const LayoutChange& change, const ChangePlace& place) {
  const LayoutField& then = *change.recorded;
  const LayoutField& now = *change.now;
  if (then.name.empty()) return "put the type back: " + CppType(then.type);
  if (IsRem(now)) return "put the line back: " + VisitLine(then) + Place(&now);
  // Where the new type already has a revision of its own, only the REM of the old one is missing.
  const bool gated = !now.since.empty() && now.since_number > then.since_number;
  const NewRevision next = gated ? NewRevision{now.since, ""}
                                 : Reserve(place, UpperSnake(then.name) + "_" + Letters(now.type));
  const bool converts = IsValue(then) && IsValue(now);
  // The default follows the object, so that what is saved for older builds still means something to
  // them.
  const std::string back =
      converts ? "static_cast<" + CppType(then.type) + ">(d." + now.name + ")" : "";
  return next.command + RemLine(then, next.symbol, back) + Place(change.now) + "\n" +
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
      return Reserve(place, UpperSnake(change.field)).command + place.program + " record   # writes it down";
    default:
      return "put the underlying type back: " + change.recorded_text;
  }
}

}  // namespace

std::string UpperSnake(const std::string& name) {
  std::string out;
  for (std::size_t i = 0; i < name.size(); ++i) {
    const char c = name[i];
    if (std::isalnum(static_cast<unsigned char>(c)) == 0) {
      if (!out.empty() && out.back() != '_') out += '_';
      continue;
    }
    const bool starts = IsUpper(c) && i > 0 &&
                        (IsLower(name[i - 1]) || IsDigit(name[i - 1]) ||
                         (i + 1 < name.size() && IsLower(name[i + 1])));
    if (starts && !out.empty() && out.back() != '_') out += '_';
    out += static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  }
  while (out.ends_with('_')) out.pop_back();
  return out.empty() ? "CHANGE" : out;
}

std::string CommonPrefix(const std::vector<std::string>& names) {
  if (names.empty()) return "";
  std::string prefix = names.front();
  for (const std::string& name : names) {
    std::size_t same = 0;
    while (same < prefix.size() && same < name.size() && prefix[same] == name[same]) ++same;
    prefix.resize(same);
  }
  if (names.size() == 1)
    return prefix.substr(0, prefix.find('_') == std::string::npos ? 0 : prefix.find('_') + 1);
  const auto last = prefix.rfind('_');
  return last == std::string::npos ? "" : prefix.substr(0, last + 1);
}

std::string VisitLine(const LayoutField& field) {
  if (field.form == "integrity") return "CHECK_INTEGRITY(" + Since(field) + ");";
  if (field.form == "rem" || field.form == "rem_conditional") return RemLine(field, field.until);
  if (field.form == "rem_member")
    return "REM(" + Since(field) + ", " + field.until + ", " + field.name + ");";
  if (field.form == "base") return "ADD_BASE(" + Since(field) + ", " + field.name + ");";
  if (field.form == "bits")
    return "ADD_BITS(" + Since(field) + ", " + CppType(field.type) + ", " + field.name + ");";
  if (field.form == "plain" || field.name.empty())
    return "Serialize(r, ...);   // " + CppType(field.type);
  return AddLine(field, Since(field));
}

std::string CauseText(Cause cause) {
  switch (cause) {
    case Cause::Retyped:
      return "retyped without a revision";
    case Cause::RetypedSameSize:
      return "retyped without a revision, to a type of the same size";
    case Cause::ContainerChanged:
      return "container changed without a revision";
    case Cause::Resized:
      return "array resized without a revision";
    case Cause::EnumWidth:
      return "the enum's underlying type changed";
    case Cause::Swapped:
      return "two fields changed places";
    case Cause::Moved:
      return "reordered";
    case Cause::CounterMoved:
      return "CHECK_INTEGRITY moved, added or removed";
    case Cause::GateMoved:
      return "gate moved to another revision";
    case Cause::Renumbered:
      return "the list gave the gate's revision another number";
    case Cause::RemovedWithoutRem:
      return "removed without a REM";
    case Cause::AddedWithoutRevision:
      return "added without a revision of its own";
    case Cause::BecameConditional:
      return "a condition was added or dropped without a revision";
    case Cause::ConditionChanged:
      return "the condition reads differently";
    case Cause::RemOtherName:
      return "the REM's local has another name than the field had";
    case Cause::Renamed:
      return "renamed";
    case Cause::NameLost:
      return "visited without a name now";
    case Cause::NameGained:
      return "visited under a name now";
    case Cause::RemDefaultChanged:
      return "the default of a removed field changed";
    case Cause::RemGone:
      return "a REM that old files need is gone";
    case Cause::EnumeratorMoved:
      return "an enumerator was inserted, moved or renumbered";
    case Cause::EnumeratorGone:
      return "an enumerator was removed";
    case Cause::EnumeratorRenamed:
      return "an enumerator was renamed";
    case Cause::EnumeratorAdded:
      return "an enumerator was added without a revision";
  }
  return "";
}

std::string ChangeSentence(const LayoutChange& change, const ChangePlace& place) {
  const std::string what = place.type + (change.field.empty() ? "" : "." + change.field);
  switch (change.cause) {
    case Cause::Retyped:
    case Cause::RetypedSameSize:
    case Cause::ContainerChanged:
    case Cause::Resized:
      return what + " was " + CppType(change.recorded->type) + ", is " + CppType(change.now->type) +
             ": " + CauseText(change.cause);
    case Cause::Swapped:
      return what + " and " + change.other + " changed places";
    case Cause::Moved:
      return what + " stands in another place";
    case Cause::RemOtherName:
      return what + " is read by a REM that calls it " + change.other +
             "; a REM keeps the field's name";
    case Cause::Renamed:
      return what + " is called " + change.other + " now";
    case Cause::NameLost:
      return what +
             " is visited by a plain Serialize(r, ...) now, so that nothing tells which value is "
             "which";
    case Cause::NameGained:
      return what +
             " was visited by a plain Serialize(r, ...), so that old goldens have no name for it";
    case Cause::EnumeratorRenamed:
      return what + " is called " + change.other + " now";
    case Cause::Renumbered:
      return what + " has the gate that was recorded, but the list has other numbers: " +
             Numbers(*change.recorded) + " was, " + Numbers(*change.now) + " is";
    case Cause::GateMoved:
      return what +
             (change.now && change.recorded && change.recorded->until != change.now->until
                  ? " has other gates than were recorded: "
                  : " has another gate than was recorded: ") +
             (change.recorded
                  ? change.recorded->since +
                        (change.recorded->until.empty() ? "" : " to " + change.recorded->until)
                  : "none") +
             " was, " +
             (change.now ? change.now->since +
                               (change.now->until.empty() ? "" : " to " + change.now->until)
                         : "none") +
             " is";
    default:
      return what + ": " + CauseText(change.cause);
  }
}

std::string MendingLines(const LayoutChange& change, const ChangePlace& place) {
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
      return "give " + Gates(*change.recorded) + " back the number in the list, if it has landed\nor, while it is pending: " +
             "revctl renumber";
    case Cause::GateMoved:
    case Cause::RemDefaultChanged:
    case Cause::RemGone:
      return "put the line back: " + VisitLine(*change.recorded) + Place(change.now);
    case Cause::RemovedWithoutRem: {
      if (change.field.empty()) return "put the line back: " + VisitLine(*change.recorded);
      const NewRevision next = Reserve(place, "NO_" + UpperSnake(change.field));
      return next.command + RemLine(*change.recorded, next.symbol) +
             "   // in the place where it was";
    }
    case Cause::AddedWithoutRevision: {
      if (change.field.empty())
        return "put a gate of a new revision before it: if (r.revision >= ...)" + Place(change.now);
      if (IsRem(*change.now))
        return "take the line out; files of that time hold no such field: " + VisitLine(*change.now) + Place(change.now);
      const NewRevision next = Reserve(place, UpperSnake(change.field));
      return next.command + AddLine(*change.now, next.symbol) + Place(change.now);
    }
    case Cause::BecameConditional: {
      if (IsRem(*change.now)) return "put the line back: " + VisitLine(*change.recorded) + Place(change.now);
      const NewRevision next = Reserve(place, UpperSnake(change.field) + "_CONDITIONAL");
      return "put the line back: " + VisitLine(*change.recorded) + Place(change.now) +
             "\nor, with a revision of its own:\n" + next.command +
             RemLine(*change.recorded, next.symbol) + "\n" + AddLine(*change.now, next.symbol);
    }
    case Cause::ConditionChanged:
      return "if it decides differently, put it back: " + VisitLine(*change.recorded) +
             Place(change.now);
    case Cause::RemOtherName: {
      LayoutField line = *change.now;
      line.name = change.field;
      return VisitLine(line) + Place(change.now) + "\nits local is then " + change.field +
             ", beside d." + change.field;
    }
    case Cause::NameLost:
      return "put the line back: " + VisitLine(*change.recorded) + Place(change.now);
    case Cause::NameGained:
      return "put the line back: Serialize(r, d." + change.field + ");" + Place(change.now) +
             "\na name takes a revision of its own: REM(" + Since(*change.now) + ", SR_NEW, " +
             CppType(change.now->type) + ", ...) and ADD(SR_NEW, " + change.field + ")";
    case Cause::Renamed:
      return "put the name back: " + VisitLine(*change.recorded) + Place(change.now);
  }
  return "";
}

}  // namespace harness
