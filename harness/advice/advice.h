#pragma once
#include <string>

#include <revctl/harness.h>

#include "harness/layout/layout_diff.h"

namespace revctl::harness {

struct PlainList;

struct ChangePlace {
  std::string type;     ///< the record or enum
  std::string prefix;   ///< prefix of the list's names: `SR_`
  std::string pending;  ///< an unrecorded revision that can carry the change, or empty
  const golden::RecordedType* recorded = nullptr;  ///< the recorded layout, to restore an order
  std::string program = "save_harness";            ///< the program's name on the command line
  const PlainList* plain = nullptr;                ///< for a PLAIN struct; else null
  const OwnWords* words = nullptr;  ///< of a type with own streams of unknown bytes; else null
  bool objects = false;  ///< today's types have an object stream, so an id may be a reference
  /// The REM or DEAD of the field in a later record, with today's names; null if no record has one
  const revctl::LayoutField* rem = nullptr;
  /// The landed revision that ended the field, below which a purge makes `rem` superfluous; or
  /// empty
  std::string purge_below = {};
};

/// An explanation of a change with code or commands that fix it, ready to be pasted.
struct Advice {
  std::string cause;     ///< the likely cause in a few words: `retyped, same size`, `moved gate`
  std::string sentence;  ///< names type and field, the recorded state and today's
  std::string before;    ///< lines that undo the change; may be empty
  /// lines that complete the change, usually with the command that reserves its revision; may be
  /// empty
  std::string after;
  bool after_first = false;  ///< show `after` first if both are present

  /// Returns `before`, `after`, or both as alternatives.
  std::string Lines() const;
};

Advice AdviceOn(const LayoutChange& change, const ChangePlace& place);

/// Describes the likely cause in a few words. A removed field is kept by a DEAD in a `plain` struct
/// and by a REM elsewhere.
std::string CauseText(Cause cause, bool plain = false);

}  // namespace revctl::harness
