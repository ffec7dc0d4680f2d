#pragma once
#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "harness/advice/advice.h"
#include "harness/advice/plain_mends.h"
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

/// The renames of records and enums that turn a recorded wire type into today's.
struct TypeRenames {
  std::vector<TypeRename> names;  ///< empty if more than names differ
  bool same_layout = true;        ///< the renamed types have their recorded layouts
};

/// Compares `then`, recorded at revision `index`, with today's `now`. A type was renamed if today's
/// code lacks the old name and no record has the new one.
TypeRenames RenamedTypes(const History& history, const Renames& renames, std::size_t index,
                         const RevisionRun& today, const std::string& then, const std::string& now);

/// Returns the names of recorded records and enums in `wire` that today's code lacks.
std::vector<std::string> GoneTypes(const History& history, std::size_t index,
                                   const RevisionRun& today, const std::string& wire);

/// Extends a finding about `field` with a type's rename, which must be declared before other
/// findings make sense.
void TellOfTypeRename(const TypeRenames& renames, const std::string& field, Finding& finding);

/// Returns the lines that keep the type's name in the store.
std::string NameOfLines(const TypeRename& rename);

/// Translates a recorded layout into today's names: renamed fields, renamed words in conditions,
/// REMs for fields that have been removed, and the oldest revision of the list in
/// gates of purged ones. Suggested lines thus compile.
class CurrentSpelling {
 public:
  /// All arguments must outlive this.
  CurrentSpelling(const golden::RecordedType& recorded, const TypeTrace& now,
                  const Renames& renames, const Revision& oldest);

  const golden::RecordedType& recorded() const { return recorded_; }
  const golden::RecordedType& type() const { return said_; }
  /// Translates a field of `recorded` or of another record of the type.
  revctl::LayoutField Of(const revctl::LayoutField& field) const;

 private:
  revctl::LayoutField Say(revctl::LayoutField field) const;

  const golden::RecordedType& recorded_;
  const TypeTrace& now_;
  const Renames& renames_;
  const Revision& oldest_;
  golden::RecordedType said_;
};

/// Returns the fields of a PLAIN struct, from its source and its records. Reads the source, so use
/// it only for messages.
PlainList PlainListOf(const CheckContext& context, const std::string& type, const TypeTrace& trace);

/// True if a type contained in a PLAIN struct has changed, which explains changed padding.
bool HoldsChanged(const CheckContext& context, const TypeTrace& holder, const RevisionRun& today,
                  std::size_t index);

// Findings about changes of layouts and enums, and ways to approve them.

/// Returns a finding about the change, using `advice`. Its severity is Error.
Finding FindingOf(const CheckContext& context, const LayoutChange& change, const Advice& advice,
                  const std::string& type, const std::string& revision, const SourcePlace& at);

/// Returns a key that is equal for equal changes at different revisions.
std::string CauseKey(const LayoutChange& change);

/// The approval for an intended change that breaks no file.
struct Acceptance {
  golden::Approval approval;  ///< approval to store
  std::string condition;      ///< when it applies: `or, if only the name is another:`
  std::string option;         ///< option of the command `approve`

  bool IsGiven(const CheckContext& context) const;
};
/// Returns nullopt if only a change of the code can fix it.
std::optional<Acceptance> AcceptanceOf(const LayoutChange& change, const std::string& type);
/// For a field or enumerator of `type` that has another name.
Acceptance AcceptanceOfRename(const std::string& type, const std::string& from,
                              const std::string& to);
/// For a new enumerator of the enum `type`.
Acceptance AcceptanceOfEnumerator(const EnumDiff::Added& added, const std::string& type);

/// Adds to the finding's fix the commands that accept the change: `approve` for at most three
/// acceptances (`review` offers all), and `record --refresh` if the revision at `index` is pending.
void AddWaysToAccept(CheckContext& context, const std::vector<Acceptance>& acceptances,
                     std::size_t index, Finding& finding);

}  // namespace revctl::harness
