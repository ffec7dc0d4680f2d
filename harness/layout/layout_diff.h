#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include <revctl/detail/visit/layout.h>

#include "golden/revision_record.h"
#include "harness/layout/renames.h"

namespace revctl::harness {

/// What one record type does today at one revision.
struct TypeTrace {
  revctl::TypeLayout layout;
  /// Fields of REMs that are closed at the revision, with their defaults; recorded with the layout.
  std::vector<revctl::LayoutField> removed;
  /// Every other field that the body announces but whose gate is closed at the revision: where a
  /// moved gate is found.
  std::vector<revctl::LayoutField> closed;
  /// Those of layout.compared that a statement of the body asked for while it read, not only a gate
  /// of its macros.
  std::vector<std::int64_t> asked;
  /// A PLAIN struct: its fields are FIELDs and DEADs, what has no name is padding between them.
  bool plain = false;
};

/// Why a layout is not what was recorded.
enum class Cause {
  Retyped,           ///< another type, another size
  RetypedSameSize,   ///< another type of the same size: nothing but a golden's values would show it
  ContainerChanged,  ///< `array` became `vector`, ...
  Resized,           ///< an array with another number of elements
  EnumWidth,         ///< an enum with another underlying type
  Swapped,           ///< two fields changed places
  Moved,             ///< a field stands elsewhere
  CounterMoved,      ///< CHECK_INTEGRITY stands elsewhere, is gone, or is new
  GateMoved,         ///< a field lives from or until another revision
  Renumbered,    ///< its gates read as they did, but the list gave their revisions other numbers
  GateConstant,  ///< the same of a constant, which is no revision of the list
  RemovedWithoutRem,     ///< a field is no longer visited at all
  AddedWithoutRevision,  ///< a field is visited at a revision that did not have it
  BecameConditional,     ///< always visited before, now under a condition; or the other way round
  ConditionChanged,  ///< the condition reads differently; whether it decides differently is for the
                     ///< goldens to say
  RemOtherName,      ///< a REM's local is not called as the field was
  Renamed,           ///< same place, type and gates, another name
  NameLost,          ///< visited by a plain `Serialize(r, d.x)` now, which has no name
  NameGained,        ///< the other way round
  PaddingChanged,    ///< of a PLAIN struct whose fields are what they were
  RemDefaultChanged,  ///< what upgrade code and older readers get for a removed field
  RemGone,            ///< a REM that was recorded is no longer there
  EnumeratorMoved,    ///< a name has another value
  EnumeratorGone,     ///< a value has no name any more
  EnumeratorRenamed,  ///< a value has another name
  EnumeratorAdded,    ///< a new name, without a revision
};

/// One difference of a type's layout. Pointers are into the compared layouts; null where that side
/// has nothing.
struct LayoutChange {
  Cause cause = Cause::Retyped;
  std::string field{};  ///< as ADD spells it; the first of two that changed places
  std::string
      other{};  ///< the other one of two that changed places; the new name of a renamed field
  const revctl::LayoutField* recorded = nullptr;
  const revctl::LayoutField* now = nullptr;
  std::string recorded_text{}, now_text{};  ///< side by side, for a person
  std::int64_t value = 0;                   ///< of an enumerator that was added
};

/// What distinguishes `now` from `recorded`, at the revision with `number`. Gates up to `oldest`,
/// the oldest revision that is read, are one: a purged list lets fields begin there. `newest` is
/// the layout recorded last, null where there is none: a field it knows was moved, one it does not
/// know was added. Only what decides about bytes and their meaning is compared. An ADD that became
/// a REM is the normal life of a field. A default or condition that only reads differently is left
/// to the goldens' values. Fields that `renames` calls the same are. The padding of a PLAIN struct
/// follows from its fields: it is compared where they are all as recorded.
std::vector<LayoutChange> CompareLayouts(const golden::RecordedType& recorded, const TypeTrace& now,
                                         std::int64_t number, std::int64_t oldest,
                                         const golden::RecordedType* newest,
                                         const Renames& renames);

/// Whether two texts of a condition differ only in blanks and in names that `renames` calls the
/// same.
bool SameCondition(const std::string& a, const std::string& b, const Renames& renames);

/// The same for an enum. `may_grow`: a revision that is not recorded yet stands ready to take new
/// enumerators.
std::vector<LayoutChange> CompareEnums(const revctl::EnumLayout& recorded,
                                       const revctl::EnumLayout& now, bool may_grow);

/// Whether recording is due: like CompareLayouts, but every difference counts that a record would
/// show, except numbers.
bool SameRecord(const golden::RecordedType& recorded, const TypeTrace& now);

}  // namespace revctl::harness
