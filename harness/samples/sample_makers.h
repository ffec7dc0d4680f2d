#pragma once
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "harness/samples/samples.h"

namespace revctl::harness {

/// One field of one record type is to get a certain value, wherever it occurs. A value that the
/// field cannot hold leaves it alone.
struct Override {
  std::string record, field;
  std::int64_t value = 0;  ///< of numbers and enums; elements of a container; letters of a text
  std::optional<double> real{};       ///< in its place: of floats alone
  int step = 0;                       ///< of floats: so many beside `real`
  std::optional<std::string> text{};  ///< in its place: of texts alone
  std::size_t most_elements = 16;
};

/// A filled object. Where a bit-field is too narrow for what the filler made up, the body refuses
/// it: then narrower values are tried, down to zero. `applied`: whether some field got the
/// override's value.
Object FillSample(const revctl::TypeInfo& type, std::int64_t number, std::uint64_t seed,
                  const Override* override, LayoutNotes* notes, bool* applied = nullptr);

/// What `fill(bits)` makes, an object that some body filled, with as many low bits of numbers for
/// bit-fields as these take: all, 12, ever fewer, none. Given is the first that is `ok`, or that
/// `saw_bits` no more.
template <class Fill>
auto FillNarrowing(const Fill& fill) {
  for (std::uint64_t bits = ~std::uint64_t{0};; bits = bits > 0xFFF ? 0xFFF : bits >> 1) {
    auto filled = fill(bits);
    if (filled.ok || bits == 0 || !filled.saw_bits) return filled;
  }
}

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
