#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "harness/samples/samples.h"

namespace revctl::harness {

/// Values that a condition's text suggests trying: for `d.p1Score > 3 && !d.name.empty()` the
/// fields `p1Score` and `name`, each with 2, 3, 4 and with 0, 1, -1. The text is only searched for
/// words, numbers and texts, never understood: a value that leads nowhere costs one small sample.
struct ConditionEdges {
  std::vector<std::string> fields;  ///< words that may be fields of the record, in order, each once
  std::vector<std::int64_t> values;  ///< ascending, each once; at most kMost
  std::vector<double> reals;  ///< for floats, which have neighbours closer by; in order, each once;
                              ///< at most kMostReals
  std::vector<std::string> texts;  ///< what stands in quotes, and the same with a letter more
  bool asks_size = false;          ///< numbers may be about how many there are
  static constexpr std::size_t kMost = 16, kMostReals = 4;
};
ConditionEdges EdgesOf(const std::string& condition);

/// The object of seed `own` with values at and beside those that conditions mention, and on either
/// side of each value that changes what is visited. `notes` are those of the samples so far.
std::vector<Sample> MakeEdgeSamples(const RootType& root, std::int64_t number, std::uint64_t own,
                                    const LayoutNotes& notes, const SampleFilter& wanted);

}  // namespace revctl::harness
