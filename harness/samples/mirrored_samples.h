#pragma once
#include <cstdint>
#include <vector>

#include "harness/samples/samples.h"

namespace revctl::harness {

/// Makes samples from the values of seed `own`, with inverted signs, reversed elements, all bools
/// true, and different enumerators. If a body rejects some of these values, uses the largest values
/// of either sign that the body accepts.
std::vector<Sample> MakeMirroredSamples(const RootType& root, std::int64_t number,
                                        std::uint64_t own, const SampleFilter& wanted);

}  // namespace revctl::harness
