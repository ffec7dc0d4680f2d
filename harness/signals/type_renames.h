#pragma once
#include <string>
#include <vector>

#include "harness/history/history.h"
#include "harness/layout/renames.h"
#include "harness/samples/type_run.h"
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

}  // namespace revctl::harness
