#pragma once
#include <string>

#include <revctl/harness.h>

#include "harness/layout/layout_diff.h"

namespace revctl::harness {

struct PlainList;

struct ChangePlace {
  std::string type;    ///< name of the record or enum
  std::string prefix;  ///< prefix of the list's names, such as `SR_`
  /// name of a revision that is not recorded yet, so the change can still become part of it; may be
  /// empty
  std::string pending;
  /// the recorded layout, for restoring the order of its fields
  const golden::RecordedType* recorded = nullptr;
  std::string program = "save_harness";  ///< the program's name on the command line
  const PlainList* plain = nullptr;      ///< fields of the PLAIN struct; null for other types
  /// templates for lines of the program's own serializer; null unless the type is Opaque
  const OwnWords* words = nullptr;
  /// true if the current types contain an object stream, so that an id may be a reference
  bool objects = false;
  /// the field's REM or DEAD in a later record, with current names; null if no later record has one
  const revctl::LayoutField* rem = nullptr;
  /// the landed revision that removed the field, or empty; `rem` is needed until the revisions
  /// before it are purged
  std::string purge_below = {};
  /// true if the type is declared with REVCTL_STATE, so its lines begin with X instead of ADD or
  /// REM
  bool state_list = false;
};

/// Explains a change to the user, with code or commands to paste as a fix.
struct Advice {
  /// the likely cause in a few words, such as `retyped, same size` or `moved gate`
  std::string cause;
  /// names the type and the field, and describes the recorded and the current state
  std::string sentence;
  std::string before;  ///< lines that undo the change; may be empty
  /// lines that complete the change, usually with the command that reserves its revision; may be
  /// empty
  std::string after;
  bool after_first = false;  ///< if both are present, show `after` first

  /// Returns `before` or `after`, or both as alternatives if both are present.
  std::string Lines() const;
};

Advice AdviceOn(const LayoutChange& change, const ChangePlace& place);

/// Sets `advice.before` and `advice.after`.
using FixFunction = void(const LayoutChange& change, const ChangePlace& place, Advice& advice);

/// Returns the likely cause in a few words. If `plain`, mentions DEAD instead of REM.
std::string CauseText(Cause cause, bool plain = false);

}  // namespace revctl::harness
