#pragma once
#include <string>

#include <revctl/harness.h>

#include "harness/layout/layout_diff.h"

namespace revctl::harness {

struct PlainList;

struct ChangePlace {
  std::string type;     ///< name of the record or enum
  std::string prefix;   ///< prefix of the list's names: `SR_`
  std::string pending;  ///< an unrecorded revision that can contain the change, or empty
  const golden::RecordedType* recorded = nullptr;  ///< the recorded layout, to restore its order
  std::string program = "save_harness";            ///< the program's name on the command line
  const PlainList* plain = nullptr;                ///< only for a PLAIN struct; otherwise null
  /// only for a type with own streams, whose bytes are unknown; otherwise null
  const OwnWords* words = nullptr;
  bool objects = false;  ///< today's types have an object stream, so an id may be a reference
  /// The REM or DEAD of the field in a later record, with today's names; null if no record has one
  const revctl::LayoutField* rem = nullptr;
  /// the landed revision that ended the field, or empty; after a purge below it, `rem` is no longer
  /// needed
  std::string purge_below = {};
};

/// An explanation of a change, with code or commands that fix it, ready to be pasted.
struct Advice {
  std::string cause;     ///< the likely cause in a few words: `retyped, same size`, `moved gate`
  std::string sentence;  ///< names type and field, the recorded state and today's
  std::string before;    ///< lines that undo the change; may be empty
  /// lines that complete the change, usually with the command that reserves its revision; may be
  /// empty
  std::string after;
  bool after_first = false;  ///< show `after` first if both are present

  /// Returns `before` or `after`, or both as alternatives.
  std::string Lines() const;
};

Advice AdviceOn(const LayoutChange& change, const ChangePlace& place);

/// Returns the likely cause in a few words. In a `plain` struct, a DEAD keeps a removed field;
/// elsewhere, a REM does.
std::string CauseText(Cause cause, bool plain = false);

}  // namespace revctl::harness
