#pragma once
#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

#include "harness/samples/samples.h"

namespace revctl::harness {

/// The object of seed `seed` as lib's filler makes it.
Object FillSample(const TypeInfo& type, std::int64_t number, std::uint64_t seed,
                  LayoutNotes* notes);

// The parts of MakeSamples. Each offers what it makes; what was offered before, or cannot be
// written, is not wanted.

/// Whether an object that a filler made is wanted as a sample: it can be written, in at most so
/// many values, to bytes that no other sample has.
using Wanted =
    std::function<bool(const Object& object, const LayoutNotes& filled, std::size_t most_leaves)>;

/// The values of seed `own` on the other side of zero: numbers with the other sign, elements in the
/// other order, all bools true, other enumerators. Where a body refuses some of these values, the
/// largest that it takes, on both sides.
std::vector<Sample> MakeMirroredSamples(const RootType& root, std::int64_t number,
                                        std::uint64_t own, const Wanted& wanted);

/// The object of seed `own` with values at and beside those that conditions mention, and on either
/// side of each value that changes what is visited. `notes` are those of the samples so far.
std::vector<Sample> MakeEdgeSamples(const RootType& root, std::int64_t number, std::uint64_t own,
                                    const LayoutNotes& notes, const Wanted& wanted);

}  // namespace revctl::harness
