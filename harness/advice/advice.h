#pragma once
#include <string>

#include "harness/layout/layout_diff.h"

namespace revctl::harness {

struct PlainList;

/// What advice on a change needs to know beside the change itself.
struct ChangePlace {
  std::string type;     ///< the record or enum
  std::string prefix;   ///< of the list's names: `SR_`
  std::string pending;  ///< a revision that is not recorded yet and can take the change; empty
                        ///< where there is none
  const golden::RecordedType* recorded =
      nullptr;  ///< the recorded layout, for orders that are to be restored
  std::string program = "save_harness";  ///< this program as its user called it
  const PlainList* plain = nullptr;      ///< of a PLAIN struct; null for every other type
  bool objects = false;  ///< today's types have an object stream, to which ids may point
};

/// What a change means, and the lines that mend it, ready to be pasted.
struct Advice {
  std::string cause;         ///< the likely one in a few words: `retyped, same size`, `moved gate`
  std::string sentence;      ///< names type and field, what was recorded and what is now
  std::string before;        ///< lines that put back what stood there before; may be empty
  std::string after;         ///< lines with which the change goes on, mostly with the command that
                             ///< reserves its revision; may be empty
  bool after_first = false;  ///< where there are both: whether they are told first

  /// Both, or the one that there is.
  std::string Lines() const;
};

/// The row of the change's cause, filled in.
Advice AdviceOn(const LayoutChange& change, const ChangePlace& place);

/// The likely cause in a few words. What keeps a removed field is a DEAD in a `plain` struct, a REM
/// everywhere else.
std::string CauseText(Cause cause, bool plain = false);

}  // namespace revctl::harness
