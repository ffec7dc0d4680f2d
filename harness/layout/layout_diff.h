#pragma once
#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include <revctl/detail/visit/layout.h>

#include "golden/revision_record.h"
#include "harness/layout/renames.h"

namespace revctl::harness {

/// The layout of a record type at one revision, according to today's code.
struct TypeTrace {
  revctl::TypeLayout layout;
  /// Fields of REMs that are closed at the revision, with their defaults. Recorded with the layout.
  std::vector<revctl::LayoutField> removed;
  /// The other fields that the body announces behind a gate that is closed at the revision. Needed
  /// to recognize moved gates.
  std::vector<revctl::LayoutField> closed;
  /// The numbers of `layout.compared` that a statement of the body compared with while reading,
  /// rather than only a gate of its macros.
  std::vector<std::int64_t> asked;
  /// Names of fields with a struct that is copied byte by byte, itself or in containers.
  std::set<std::string> copied{};
  /// True for a PLAIN struct: its fields are FIELDs and DEADs, and unnamed ones are padding.
  bool plain = false;
};

enum class Cause {
  Retyped,            ///< another type and another size
  RetypedSameSize,    ///< another type of the same size; only values of goldens reveal it
  ContainerChanged,   ///< `array` became `vector`, ...
  Resized,            ///< an array with another number of elements
  EnumWidth,          ///< an enum with another underlying type
  Swapped,            ///< two fields changed places
  Moved,              ///< a field is at another place
  CounterMoved,       ///< CHECK_INTEGRITY is at another place, missing or new
  GateMoved,          ///< a field begins or ends at another revision
  Renumbered,         ///< its gates have the same text, but their revisions have other numbers now
  GateConstant,       ///< like Renumbered, for a constant that is not a revision of the list
  RemovedWithoutRem,  ///< a field is not visited at all
  AddedWithoutRevision,  ///< a field is visited at a revision that lacked it
  BecameConditional,     ///< it used to be visited always and now has a condition, or the reverse
  /// the condition has another text; only the goldens show whether its result differs
  ConditionChanged,
  RemOtherName,       ///< a REM's local is not named like the field
  Renamed,            ///< same place, type and gates, but another name
  NameLost,           ///< now visited by a plain `Serialize(r, d.x)`, which has no name
  NameGained,         ///< used to be visited without a name
  PaddingChanged,     ///< of a PLAIN struct with unchanged fields
  RemDefaultChanged,  ///< the value of a removed field for upgrade code and older readers
  RemGone,            ///< a recorded REM is missing
  MembersMoved,       ///< members of a struct that is copied byte by byte changed places
};

/// A difference of a type's layout. Pointers refer to the compared layouts and are null if that
/// side has no such field.
struct LayoutChange {
  Cause cause = Cause::Retyped;
  std::string field{};  ///< as spelled in ADD; for Swapped the first of the two fields
  std::string other{};  ///< Swapped: the second field; Renamed: the new name
  const revctl::LayoutField* recorded = nullptr;
  const revctl::LayoutField* now = nullptr;
  std::string recorded_text{}, now_text{};  ///< for messages
};

/// Returns the differences between `recorded` and `now` at the revision `number` that change bytes
/// or their meaning. An ADD that became a REM is not one: that is the normal life of a field. Text
/// changes of defaults and conditions are reported as such; the goldens' values decide. Names that
/// `renames` equates are equal. Padding of a PLAIN struct is compared only if all its fields are
/// equal, because it follows from them.
///
/// `oldest` is the oldest readable revision. All gates up to it are equal, because after a purge of
/// the list, fields begin there. `newest` is the layout recorded last, or null: a field that it
/// contains was moved, any other was added.
std::vector<LayoutChange> CompareLayouts(const golden::RecordedType& recorded, const TypeTrace& now,
                                         std::int64_t number, std::int64_t oldest,
                                         const golden::RecordedType* newest,
                                         const Renames& renames);

/// True if two texts of LayoutField::members describe one struct and have common members in another
/// order. All other differences are renames, or show in the goldens.
bool MembersMoved(const std::string& recorded, const std::string& now);

/// True if two conditions differ only in blanks and in names that `renames` equates.
bool SameCondition(const std::string& a, const std::string& b, const Renames& renames);

/// True unless a new record would differ. Unlike CompareLayouts, every recorded property matters,
/// except numbers, and the members of structs that are copied byte by byte: older records lack
/// them.
bool SameRecord(const golden::RecordedType& recorded, const TypeTrace& now);

}  // namespace revctl::harness
