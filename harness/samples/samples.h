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

/// Maximum number of values in one golden.
inline constexpr std::size_t kMostLeaves = 4096;
/// Estimates the size of a golden in the store: its payload and a line for each value.
std::uint64_t StoredCost(std::uint64_t bytes, const std::vector<golden::Leaf>& values);

/// A deterministic recipe for an object of a root type at any revision.
struct Sample {
  std::string name;  ///< such as `auto-1` or `edge-p1Score-3`, or the name in HARNESS_SAMPLE
  bool by_hand = false;
  /// Makes an object at revision `number`. If `notes` is not null, it receives the layout notes of
  /// the visited fields.
  std::function<Object(std::int64_t number, LayoutNotes* notes)> make;
};

/// True if an object should become a sample: it can be written, has at most `most_leaves` values,
/// and its bytes differ from those of all other samples.
using SampleFilter =
    std::function<bool(const Object& object, const LayoutNotes& filled, std::size_t most_leaves)>;

/// Name prefix of numbered automatic samples.
inline constexpr char kAutomatic[] = "auto-";

/// Number of seeds tried for automatic samples. Samples that the body rejects are dropped.
inline constexpr std::uint64_t kSampleSeeds = 48;

/// Returns strings that identify everything that a payload reaches: each place, each kind of value
/// there, and each condition result.
std::set<std::string> Reached(const Traced& traced);

/// Makes the samples of a root type, chosen at revision `number`. Hand-written samples come first.
/// They are followed by automatic samples that reach something new, such as a condition result, a
/// variant alternative, an enumerator, or a container with elements. The last samples have values
/// equal to the numbers in conditions and next to them, which distinguish `>` from `>=`. The result
/// depends only on the type and `seed`.
std::vector<Sample> MakeSamples(const RootType& root, std::int64_t number, std::uint64_t seed);

/// Makes samples that never become goldens, with many elements, NaNs, strings with NUL, an empty
/// key, and zeros in all optional values. Drops samples that the body rejects.
std::vector<Sample> MakeExtremeSamples(const RootType& root, std::int64_t number,
                                       std::uint64_t seed);

}  // namespace revctl::harness
