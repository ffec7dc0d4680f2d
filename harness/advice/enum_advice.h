#pragma once
#include <string>
#include <vector>

#include "harness/advice/advice.h"
#include "harness/layout/enum_diff.h"

namespace revctl::harness {

/// Describes an edit of an enum's enumerators and the way back. `diff` must not be empty. The
/// underlying type is left out, because it has its own finding.
Advice AdviceOnEnum(const EnumDiff& diff, const ChangePlace& place);

/// The enumerator that a finding about the edit names: the first that lost its recorded value or
/// name, else the first new one.
std::string EnumeratorOf(const EnumDiff& diff);

/// The recorded lines that the edit changed and the same lines today: "Red = 1, Blue = 2 and 9
/// more".
struct EnumTexts {
  std::string recorded, now;
};
EnumTexts TextsOf(const EnumDiff& diff);

}  // namespace revctl::harness
