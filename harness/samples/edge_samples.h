#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "harness/samples/samples.h"

namespace revctl::harness {

/// Values suggested by the text of a condition. For `d.p1Score > 3 && !d.name.empty()`, these are
/// the fields `p1Score` and `name`, each with -1, 0, 1, 2, 3 and 4. The condition is only searched
/// for words, numbers and strings. That is enough, because a useless value costs only a small
/// sample.
struct ConditionEdges {
  /// words that may be fields of the record; distinct, in order of occurrence
  std::vector<std::string> fields;
  std::vector<std::int64_t> values;  ///< distinct, ascending, at most kMost
  /// numbers for float fields, tried together with their neighbors; distinct, in order of
  /// occurrence, at most kMostReals
  std::vector<double> reals;
  std::vector<std::string> texts;  ///< string literals, and each of them with an appended letter
  bool asks_size = false;          ///< true if numbers may be compared with the size of a container
  static constexpr std::size_t kMost = 16, kMostReals = 4;
};
ConditionEdges EdgesOf(const std::string& condition);

/// Makes samples by changing the object of seed `own`. The new values are at and next to the
/// numbers in conditions, and on both sides of each value at which the visits change. `notes`
/// contains the notes of all samples so far. `wanted` decides which objects become samples.
std::vector<Sample> MakeEdgeSamples(const RootType& root, std::int64_t number, std::uint64_t own,
                                    const LayoutNotes& notes, const SampleFilter& wanted);

/// Makes samples from the values of seed `own`, with inverted signs, reversed elements, all bools
/// true, and different enumerators. If a body rejects some of these values, uses the largest values
/// of either sign that the body accepts.
std::vector<Sample> MakeMirroredSamples(const RootType& root, std::int64_t number,
                                        std::uint64_t own, const SampleFilter& wanted);

}  // namespace revctl::harness
