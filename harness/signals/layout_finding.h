#pragma once
#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "harness/advice/advice.h"
#include "harness/advice/plain_mends.h"
#include "harness/history/history.h"
#include "harness/layout/layout_diff.h"
#include "harness/layout/renames.h"
#include "harness/samples/type_run.h"
#include "harness/signals/signals.h"
#include "harness/signals/verdicts.h"
#include "harness/trace/source_place.h"

namespace revctl::harness {

/// What a record or enum was called when it was recorded, and what the code calls it now.
struct TypeRename {
  std::string from, to;
};

/// How a recorded wire type became today's by nothing but other names of records and enums in it.
struct TypeRenames {
  std::vector<TypeRename> names;  ///< empty where more than names differs
  bool same_layout = true;        ///< what they name is otherwise what was recorded
};

/// `then` was recorded at revision `index`, `now` is today's. A name was changed where no record or
/// enum of today has the old one and none that is recorded has the new one.
TypeRenames RenamedTypes(const History& history, const Renames& renames, std::size_t index,
                         const RevisionRun& today, const std::string& then, const std::string& now);

/// Names of recorded records and enums in `wire` that today's code does not have.
std::vector<std::string> GoneTypes(const History& history, std::size_t index,
                                   const RevisionRun& today, const std::string& wire);

/// Says in a finding about `field` that a type has another name: the store must be told before
/// anything else can be said about it.
void TellOfTypeRename(const TypeRenames& renames, const std::string& field, Finding& finding);

/// The lines that let a type keep its name in the store.
std::string NameOfLines(const TypeRename& rename);

/// A recorded layout in the words of today's code: what a field is called since, a condition that
/// only calls others so, and a REM where the field is one since. A line that is to be put back
/// compiles.
class CurrentSpelling {
 public:
  /// All must outlive this.
  CurrentSpelling(const golden::RecordedType& recorded, const TypeTrace& now,
                  const Renames& renames);

  const golden::RecordedType& recorded() const { return recorded_; }
  const golden::RecordedType& type() const { return said_; }
  /// A field of `recorded`, or of another record of the type.
  revctl::LayoutField Of(const revctl::LayoutField& field) const;

 private:
  revctl::LayoutField Say(revctl::LayoutField field) const;

  const golden::RecordedType& recorded_;
  const TypeTrace& now_;
  const Renames& renames_;
  golden::RecordedType said_;
};

/// The list of a PLAIN struct, from its source and its records. For messages: costs reading its
/// source.
PlainList PlainListOf(const CheckContext& context, const std::string& type, const TypeTrace& trace);

/// Whether a type that a PLAIN struct holds has changed itself: where its own padding differs, that
/// is why.
bool HoldsChanged(const CheckContext& context, const TypeTrace& holder, const RevisionRun& today,
                  std::size_t index);

// A change of a layout or enum as a finding, and how a person may accept the change.

/// Says the change, which `advice` is about. Its severity is Error.
Finding FindingOf(const CheckContext& context, const LayoutChange& change, const Advice& advice,
                  const std::string& type, const std::string& revision, const SourcePlace& at);

/// Changes that say the same have the same key, at whatever revision.
std::string CauseKey(const LayoutChange& change);

/// What a person says of a change that was meant and breaks no file.
struct Acceptance {
  golden::Approval approval;  ///< what is stored then
  std::string condition;      ///< when that is right: `or, if only the name is another:`
  std::string option;         ///< of the command `approve`

  /// Whether the store has the approval.
  bool IsGiven(const CheckContext& context) const;
};
/// Nothing where only code mends the change.
std::optional<Acceptance> AcceptanceOf(const LayoutChange& change, const std::string& type);

/// Completes the finding's fix by the commands that accept the change: `approve`, where there is an
/// acceptance, which `review` offers then too; and `record --refresh` while the revision at `index`
/// is pending.
void AddWaysToAccept(CheckContext& context, const std::optional<Acceptance>& acceptance,
                     std::size_t index, Finding& finding);

}  // namespace revctl::harness
