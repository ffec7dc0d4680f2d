#pragma once
#include <cstddef>
#include <cstdint>
#include <functional>
#include <set>
#include <string>
#include <vector>

#include "golden/revision_record.h"
#include "harness/trace/layout_notes.h"
#include "harness/trace/object.h"
#include "harness/trace/registry.h"
#include "harness/trace/tracing.h"

namespace revctl::harness {

/// What one golden may have.
inline constexpr std::size_t kMostLeaves = 4096;
std::string TooLarge(std::size_t leaves, std::size_t bytes);
/// What it takes in the store, about: its payload, and a line for each value.
std::uint64_t StoredCost(std::uint64_t bytes, const std::vector<golden::Leaf>& values);

/// A way to make one object of a root type, the same every time, at any revision.
struct Sample {
  std::string name;  ///< `auto-1`, `edge-p1Score-3`, or the name that HARNESS_SAMPLE gives
  bool by_hand = false;
  /// Makes a fresh object. Visits that fill it at revision `number` are noted into `notes` where
  /// that is not null.
  std::function<Object(std::int64_t number, LayoutNotes* notes)> make;
};

/// Whether an object that a filler made is wanted as a sample: it can be written, in at most so
/// many values, to bytes that no other sample has.
using SampleFilter =
    std::function<bool(const Object& object, const LayoutNotes& filled, std::size_t most_leaves)>;

/// How names of automatic samples begin that are told by a number alone.
inline constexpr char kAutomatic[] = "auto-";

/// As many automatic ones are tried. Those that the body refuses are left out.
inline constexpr std::uint64_t kSampleSeeds = 48;

/// What a payload reaches, a text for each: places, kinds of values there, outcomes of conditions.
std::set<std::string> Reached(const Traced& traced);

/// Samples of a root type, chosen at revision `number`. Those by hand come first. Automatic ones
/// are taken while they bring something new: an outcome of a condition, an alternative, an
/// enumerator, a full container. Then come values at and beside the numbers that conditions
/// mention, so that `>` is told from `>=`. Deterministic: depends on the type and `seed` alone.
std::vector<Sample> MakeSamples(const RootType& root, std::int64_t number, std::uint64_t seed);

/// More of them, of which no golden is made: many elements, NaN, texts with a NUL, an empty key,
/// zeros in all that may be absent. Those that a body refuses are left out.
std::vector<Sample> MakeExtremeSamples(const RootType& root, std::int64_t number,
                                       std::uint64_t seed);

}  // namespace revctl::harness
