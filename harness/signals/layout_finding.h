#pragma once
#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "harness/advice/advice.h"
#include "harness/advice/plain_fixes.h"
#include "harness/history/history.h"
#include "harness/layout/enum_diff.h"
#include "harness/layout/layout_diff.h"
#include "harness/layout/renames.h"
#include "harness/samples/type_run.h"
#include "harness/signals/signals.h"
#include "harness/signals/verdicts.h"
#include "harness/trace/source_place.h"

namespace revctl::harness {

struct TypeRename {
  std::string from, to;
};

/// The renames of records and enums that turn a recorded wire type into the current wire type.
struct TypeRenames {
  std::vector<TypeRename> names;  ///< empty if the wire types differ in more than names
  bool same_layout = true;        ///< true if the renamed types still have their recorded layouts
};

/// Compares `then`, the wire type recorded at revision `index`, with the current type `now`. A type
/// counts as renamed if the current code lacks the old name and no record contains the new name.
TypeRenames RenamedTypes(const History& history, const Renames& renames, std::size_t index,
                         const RevisionRun& today, const std::string& then, const std::string& now);

/// Returns the names of recorded records and enums in `wire` that the current code no longer
/// contains.
std::vector<std::string> GoneTypes(const History& history, std::size_t index,
                                   const RevisionRun& today, const std::string& wire);

/// Adds to a finding about `field` that a type was renamed. The user must declare the rename first,
/// because all other findings are meaningless until then.
void TellOfTypeRename(const TypeRenames& renames, const std::string& field, Finding& finding);

/// Returns code that makes goldens keep the type's old name.
std::string NameOfLines(const TypeRename& rename);

/// Translates a recorded layout into current names, so that suggested lines compile. Fields and
/// words in conditions get their new names, removed fields become REMs, and gates of purged
/// revisions become the list's oldest revision.
class CurrentSpelling {
 public:
  /// All arguments must outlive the CurrentSpelling.
  CurrentSpelling(const golden::RecordedType& recorded, const TypeTrace& now,
                  const Renames& renames, const Revision& oldest);

  const golden::RecordedType& recorded() const { return recorded_; }
  const golden::RecordedType& type() const { return said_; }
  /// Translates a field of `recorded` or of a different record of the type.
  revctl::LayoutField Of(const revctl::LayoutField& field) const;

 private:
  revctl::LayoutField Say(revctl::LayoutField field) const;

  const golden::RecordedType& recorded_;
  const TypeTrace& now_;
  const Renames& renames_;
  const Revision& oldest_;
  golden::RecordedType said_;
};

/// Returns the fields of a PLAIN struct, found in its source and in its records. Use this only for
/// messages, because it reads the source files.
PlainList PlainListOf(const CheckContext& context, const std::string& type, const TypeTrace& trace);

/// True if the layout of a type nested in a PLAIN struct has changed, because such a change also
/// affects the struct's padding.
bool HoldsChanged(const CheckContext& context, const TypeTrace& holder, const RevisionRun& today,
                  std::size_t index);

// Findings about changes to layouts and enums, and ways to approve such changes.

/// Returns a finding of severity Error about the change, with `advice`.
Finding FindingOf(const CheckContext& context, const LayoutChange& change, const Advice& advice,
                  const std::string& type, const std::string& revision, const SourcePlace& at);

/// Returns a key that is equal for equal changes at different revisions.
std::string CauseKey(const LayoutChange& change);

/// An approval that a user may give for an intended change, because the change breaks no file.
struct Acceptance {
  golden::Approval approval;  ///< the approval to store
  /// when the approval is right, for example `or, if only the name changed:`
  std::string condition;
  std::string option;  ///< option that is passed to `approve`

  bool IsGiven(const CheckContext& context) const;
};
/// Returns the approval for a change, or nullopt if the change can only be fixed in the code.
std::optional<Acceptance> AcceptanceOf(const LayoutChange& change, const std::string& type);
/// Returns the approval for renaming a field or enumerator of `type`.
Acceptance AcceptanceOfRename(const std::string& type, const std::string& from,
                              const std::string& to);
/// Returns the approval for a new enumerator of the enum `type`.
Acceptance AcceptanceOfEnumerator(const EnumDiff::Added& added, const std::string& type);

/// Adds the commands that accept the change to the finding's fix: `approve` for each of the first
/// three acceptances, and `record --refresh` if the revision at `index` is pending. `review` offers
/// all acceptances.
void AddWaysToAccept(CheckContext& context, const std::vector<Acceptance>& acceptances,
                     std::size_t index, Finding& finding);

}  // namespace revctl::harness
