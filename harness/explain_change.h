#pragma once
#include <string>

#include "harness/layout_diff.h"

namespace harness {

/// What explains and mends a change needs to know beside the change itself.
struct ChangePlace {
  std::string type;     ///< the record or enum
  std::string prefix;   ///< of the list's names: `SR_`
  std::string pending;  ///< a revision that is not recorded yet and can take the change; empty
                        ///< where there is none
  const golden::RecordedType* recorded =
      nullptr;  ///< the recorded layout, for orders that are to be restored
  std::string program = "save_harness";  ///< this program as its user called it
};

/// The likely cause in a few words: `retyped, same size`, `moved gate`.
std::string CauseText(Cause cause);

/// One sentence that names type and field, what was recorded and what is now.
std::string ChangeSentence(const LayoutChange& change, const ChangePlace& place);

/// The exact lines that mend it, ready to be pasted: the command that reserves a revision, and the
/// field's lines.
std::string MendingLines(const LayoutChange& change, const ChangePlace& place);

/// `p1Score` as a list spells it: `P1_SCORE`.
std::string UpperSnake(const std::string& name);

/// What all names have in common up to an underscore: `SR_`; may be empty.
std::string CommonPrefix(const std::vector<std::string>& names);

/// A field as the line that visits it: `ADD(SR_INITIAL, p1Score);`.
std::string VisitLine(const revctl::LayoutField& field);

}  // namespace harness
