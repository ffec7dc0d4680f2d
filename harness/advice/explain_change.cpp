#include "harness/advice/explain_change.h"

#include "harness/advice/plain_lines.h"
#include "harness/advice/visit_line.h"
#include "harness/layout/wire_type.h"

namespace revctl::harness {
namespace {

using revctl::LayoutField;

/// "SR_TWO = 2", "SR_TWO = 2, SR_THREE = 3".
std::string Numbers(const LayoutField& field) {
  return Since(field) + " = " + std::to_string(field.since_number) +
         (field.until.empty() ? ""
                              : ", " + field.until + " = " + std::to_string(field.until_number));
}

}  // namespace

std::string CauseText(Cause cause, bool plain) {
  const std::string rem = plain ? "DEAD" : "REM";
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
    case Cause::GateConstant:
      return "the constant in the gate has another value";
    case Cause::RemovedWithoutRem:
      return "removed without a " + rem;
    case Cause::AddedWithoutRevision:
      return "added without a revision of its own";
    case Cause::BecameConditional:
      return "a condition was added or dropped without a revision";
    case Cause::ConditionChanged:
      return "the condition reads differently";
    case Cause::RemOtherName:
      return plain ? "the DEAD has another name than the field had"
                   : "the REM's local has another name than the field had";
    case Cause::Renamed:
      return "renamed";
    case Cause::NameLost:
      return "visited without a name now";
    case Cause::NameGained:
      return "visited under a name now";
    case Cause::PaddingChanged:
      return "the alignment of a field's type changed";
    case Cause::RemDefaultChanged:
      return "the default of a removed field changed";
    case Cause::RemGone:
      return "a " + rem + " that old files need is gone";
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
  const bool plain = place.plain != nullptr;
  const std::string rem = plain ? "DEAD" : "REM";
  const auto type = [&](const LayoutField& field) {
    return plain ? PlainType(field.type) : CppType(field.type);
  };
  switch (change.cause) {
    case Cause::Retyped:
    case Cause::RetypedSameSize:
    case Cause::ContainerChanged:
    case Cause::Resized:
      return what + " was " + type(*change.recorded) + ", is " + type(*change.now) + ": " +
             CauseText(change.cause, plain);
    case Cause::Swapped:
      return what + " and " + change.other + " changed places";
    case Cause::Moved:
      return what + " stands in another place";
    case Cause::RemOtherName:
      return what + " is read by a " + rem + " that calls it " + change.other + "; a " + rem +
             " keeps the field's name";
    case Cause::Renamed:
      return what + " is called " + change.other + " now";
    case Cause::NameLost:
      return what +
             " is visited by a plain Serialize(r, ...) now, so that nothing tells which value is "
             "which";
    case Cause::NameGained:
      return what +
             " was visited by a plain Serialize(r, ...), so that old goldens have no name for it";
    case Cause::PaddingChanged:
      return what + ": only padding " + (change.field.empty() ? "at its end" : "before it") +
             " is not what was recorded: " + change.recorded_text + " was, " + change.now_text +
             " is";
    case Cause::EnumeratorRenamed:
      return what + " is called " + change.other + " now";
    case Cause::Renumbered:
      return what + " has the gate that was recorded, but the list has other numbers: " +
             Numbers(*change.recorded) + " was, " + Numbers(*change.now) + " is";
    case Cause::GateConstant:
      return what + " has the gate that was recorded, but its constant has another value: " +
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
      return what + ": " + CauseText(change.cause, plain);
  }
}

}  // namespace revctl::harness
