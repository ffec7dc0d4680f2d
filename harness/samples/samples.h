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

/// Limit for the values of one golden.
inline constexpr std::size_t kMostLeaves = 4096;
std::string TooLarge(std::size_t leaves, std::size_t bytes);
/// Estimates the bytes in the store: the payload and a line for each value.
std::uint64_t StoredCost(std::uint64_t bytes, const std::vector<golden::Leaf>& values);

/// Makes an object of a root type, always the same, at any revision.
struct Sample {
  std::string name;  ///< `auto-1`, `edge-p1Score-3`, or the name in HARNESS_SAMPLE
  bool by_hand = false;
  /// Makes a fresh object at revision `number`. `notes` receives the notes of the visits, unless
  /// null.
  std::function<Object(std::int64_t number, LayoutNotes* notes)> make;
};

/// True if an object becomes a sample: it can be written, has at most `most_leaves` values, and its
/// bytes are distinct.
using SampleFilter =
    std::function<bool(const Object& object, const LayoutNotes& filled, std::size_t most_leaves)>;

/// Prefix of automatic samples that are only numbered.
inline constexpr char kAutomatic[] = "auto-";

/// Number of automatic samples to try. Samples that the body rejects are dropped.
inline constexpr std::uint64_t kSampleSeeds = 48;

/// Returns a text for each thing that a payload reaches: places, kinds of values, results of
/// conditions.
std::set<std::string> Reached(const Traced& traced);

/// Makes the samples of a root type, chosen at revision `number`. Registered samples come first.
/// Automatic samples are added if they reach something new: a result of a condition, an
/// alternative, an enumerator, a full container. Finally come values at and next to the numbers in
/// conditions, which distinguish `>` from `>=`. Deterministic: depends only on the type and `seed`.
std::vector<Sample> MakeSamples(const RootType& root, std::int64_t number, std::uint64_t seed);

/// Makes further samples, which never become goldens: many elements, NaNs, texts with NUL, an empty
/// key, zeros in everything optional. Samples that the body rejects are dropped.
std::vector<Sample> MakeExtremeSamples(const RootType& root, std::int64_t number,
                                       std::uint64_t seed);

}  // namespace revctl::harness
