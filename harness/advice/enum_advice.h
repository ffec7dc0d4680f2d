#pragma once
#include <string>

#include "harness/advice/advice.h"
#include "harness/layout/enum_diff.h"

namespace revctl::harness {

/// Describes one edit of an enum's enumerators, and how to undo it. `diff` must contain at least
/// one changed enumerator. Does not describe a changed underlying type, because a separate finding
/// reports it.
Advice AdviceOnEnum(const EnumDiff& diff, const ChangePlace& place);

/// Returns the enumerator that a finding about the edit should name: the first one that lost its
/// recorded value or name, or else the first new one.
std::string EnumeratorOf(const EnumDiff& diff);

/// The recorded and the current form of the enumerators that the edit changed, such as "Red = 1,
/// Blue = 2 and 9 more".
struct EnumTexts {
  std::string recorded, now;
};
EnumTexts TextsOf(const EnumDiff& diff);

}  // namespace revctl::harness
