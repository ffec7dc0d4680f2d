#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "harness/samples/samples.h"

namespace revctl::harness {

/// Values suggested by the text of a condition. For `d.p1Score > 3 && !d.name.empty()` these are
/// the fields `p1Score` and `name`, each with 2, 3, 4, 0, 1 and -1. The text is only searched for
/// words, numbers and texts, not parsed: a useless value costs just a small sample.
struct ConditionEdges {
  std::vector<std::string> fields;   ///< words that may be fields of the record, in order, distinct
  std::vector<std::int64_t> values;  ///< ascending, distinct, at most kMost
  /// for floats, with neighbors nearby; in order, distinct, at most kMostReals
  std::vector<double> reals;
  std::vector<std::string> texts;  ///< string literals, and each with a letter appended
  bool asks_size = false;          ///< numbers may refer to the size of a container
  static constexpr std::size_t kMost = 16, kMostReals = 4;
};
ConditionEdges EdgesOf(const std::string& condition);

/// Makes samples from the object of seed `own` with values at and next to the numbers in
/// conditions, and on both sides of each value that changes what is visited. `notes` are the notes
/// of the samples so far.
std::vector<Sample> MakeEdgeSamples(const RootType& root, std::int64_t number, std::uint64_t own,
                                    const LayoutNotes& notes, const SampleFilter& wanted);

}  // namespace revctl::harness
