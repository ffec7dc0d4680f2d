#pragma once
#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include <revctl/detail/visit/layout.h>

#include "golden/revision_record.h"
#include "harness/layout/renames.h"

namespace revctl::harness {

/// The layout of a record type at one revision, according to the current code.
struct TypeTrace {
  revctl::TypeLayout layout;
  /// Fields of REMs that are closed at the revision, with their defaults. They are recorded with
  /// the layout.
  std::vector<revctl::LayoutField> removed;
  /// All other fields of the body whose gate is closed at the revision. CompareLayouts needs them
  /// to recognize moved gates.
  std::vector<revctl::LayoutField> closed;
  /// The numbers in `layout.compared` that statements of the body compared with the revision while
  /// reading. Excludes numbers that only gates of macros compared with it.
  std::vector<std::int64_t> asked;
  /// Names of the fields that are, or contain, a struct that is copied byte by byte.
  std::set<std::string> copied{};
  /// True for a PLAIN struct, whose fields are FIELDs and DEADs, and whose unnamed fields are
  /// padding.
  bool plain = false;

  /// Returns the fields in `layout`, then those in `removed`, then those in `closed`.
  std::vector<const revctl::LayoutField*> AllFields() const;
};

enum class Cause {
  Retyped,  ///< the field has a different type and size
  /// the field has a different type of the same size; only the goldens' values reveal this
  RetypedSameSize,
  ContainerChanged,  ///< the container differs: `array` became `vector`, for example
  Resized,           ///< the array has a different number of elements
  EnumWidth,         ///< the enum has a different underlying type
  Swapped,           ///< two fields changed places
  Moved,             ///< the field is in a different place
  CounterMoved,      ///< CHECK_INTEGRITY is new, missing or in a different place
  GateMoved,         ///< the field begins or ends at a different revision
  Renumbered,    ///< the gates are spelled the same, but their revisions have different numbers now
  GateConstant,  ///< like Renumbered, but the gate is a constant that is not in the list
  RemovedWithoutRem,     ///< the field is no longer visited
  AddedWithoutRevision,  ///< the field is visited at a revision that lacked it
  BecameConditional,     ///< the field was always visited and now has a condition, or vice versa
  /// the condition is spelled differently; the goldens show whether its result differs
  ConditionChanged,
  RemOtherName,    ///< the REM's local does not have the field's name
  Renamed,         ///< the field has a new name, but the same place, type and gates
  NameLost,        ///< a plain `Serialize(r, d.x)`, which has no name, now visits the field
  NameGained,      ///< the field was visited without a name and now has one
  PaddingChanged,  ///< the padding of a PLAIN struct differs although its fields are unchanged
  /// the default of a removed field differs, which affects upgrade code and older readers
  RemDefaultChanged,
  RemGone,       ///< a recorded REM is missing
  MembersMoved,  ///< the members of a struct that is copied byte by byte were reordered
};

/// A difference between two layouts of a type. A pointer refers to one of the compared layouts, and
/// is null if that layout has no such field.
struct LayoutChange {
  Cause cause = Cause::Retyped;
  std::string field{};  ///< as spelled in ADD; for Swapped the first of the two fields
  std::string other{};  ///< Swapped: the second field; Renamed: the new name
  const revctl::LayoutField* recorded = nullptr;
  const revctl::LayoutField* now = nullptr;
  std::string recorded_text{}, now_text{};  ///< both versions as text, for messages
};

/// Returns the differences between `recorded` and `now` at the revision `number` that change bytes
/// or their meaning. An ADD that became a REM is not a difference, because that is how fields are
/// removed. If a default or condition is spelled differently, reports a change of spelling, because
/// only the goldens show whether the value has changed, too. Approved renames in `renames` are not
/// differences. Padding of a PLAIN struct is compared only if all its fields are equal, because the
/// fields determine it.
///
/// `oldest` is the oldest readable revision. All gates up to it count as equal, because after a
/// purge of the list, fields begin there. `newest` is the layout recorded last, or null. If it
/// contains a field that `recorded` lacks, the field's gate was moved; otherwise, the field was
/// added.
std::vector<LayoutChange> CompareLayouts(const golden::RecordedType& recorded, const TypeTrace& now,
                                         std::int64_t number, std::int64_t oldest,
                                         const golden::RecordedType* newest,
                                         const Renames& renames);

/// True if two values of LayoutField::members describe the same struct, but the common members are
/// in a different order. All other differences are renames, or are revealed by the goldens.
bool MembersMoved(const std::string& recorded, const std::string& now);

/// True if two conditions differ only in whitespace and approved renames.
bool SameCondition(const std::string& a, const std::string& b, const Renames& renames);

/// True if recording `now` would not change the record. Unlike in CompareLayouts, every recorded
/// property matters, except numbers and the members of structs that are copied byte by byte, which
/// older records lack.
bool SameRecord(const golden::RecordedType& recorded, const TypeTrace& now);

}  // namespace revctl::harness
