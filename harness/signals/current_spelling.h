#pragma once
#include <cstddef>
#include <string>
#include <vector>

#include "harness/advice/plain_mends.h"
#include "harness/history/history.h"
#include "harness/layout/layout_diff.h"
#include "harness/layout/renames.h"
#include "harness/samples/type_run.h"
#include "harness/signals/signals.h"
#include "harness/signals/verdicts.h"

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

}  // namespace revctl::harness
