#pragma once
#include <string>

#include "harness/layout/layout_diff.h"

namespace revctl::harness {

struct PlainList;

/// What explains and mends a change needs to know beside the change itself.
struct ChangePlace {
  std::string type;     ///< the record or enum
  std::string prefix;   ///< of the list's names: `SR_`
  std::string pending;  ///< a revision that is not recorded yet and can take the change; empty
                        ///< where there is none
  const golden::RecordedType* recorded =
      nullptr;  ///< the recorded layout, for orders that are to be restored
  std::string program = "save_harness";  ///< this program as its user called it
  const PlainList* plain = nullptr;      ///< of a PLAIN struct; null for every other type
};

/// The likely cause in a few words: `retyped, same size`, `moved gate`. What keeps a removed field
/// is a DEAD in a `plain` struct, a REM everywhere else.
std::string CauseText(Cause cause, bool plain = false);

/// One sentence that names type and field, what was recorded and what is now.
std::string ChangeSentence(const LayoutChange& change, const ChangePlace& place);

}  // namespace revctl::harness
