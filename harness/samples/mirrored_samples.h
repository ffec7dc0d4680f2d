#pragma once
#include <cstdint>
#include <vector>

#include "harness/samples/samples.h"

namespace revctl::harness {

/// The values of seed `own` on the other side of zero: numbers with the other sign, elements in the
/// other order, all bools true, other enumerators. Where a body refuses some of these values, the
/// largest that it takes, on both sides.
std::vector<Sample> MakeMirroredSamples(const RootType& root, std::int64_t number,
                                        std::uint64_t own, const SampleFilter& wanted);

}  // namespace revctl::harness
