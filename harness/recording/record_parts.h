#pragma once
#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "harness/recording/keep_values.h"
#include "harness/recording/recording.h"

namespace revctl::harness {

// What records and additions are put together from.

bool AppliesAt(const RootType& root, const Revision& revision);

/// What a record says of itself, but for what it was made behind.
golden::RevisionRecord Header(const History& history, std::size_t index,
                              const RecordingOptions& options);

/// Everything about one root type at one revision that a record may need.
struct TypeNow {
  std::map<std::string, TypeTrace> layouts;
  std::map<std::string, revctl::EnumLayout> enums;
  std::vector<Written> samples;
  std::size_t made = 0;  ///< samples that were tried
  std::string refusal;   ///< why the first of those that were not taken was not
};

/// Writes and reads the samples at revision `number`. Those that cannot be recorded are told in
/// `troubles` where a person made them.
TypeNow Look(const RootType& root, const std::vector<Sample>& samples, std::int64_t number,
             std::int64_t latest, std::vector<std::string>& troubles);

/// A trouble where the type takes none of its samples, nor any made-up value: nothing of it would
/// be recorded. `latest`: the number that samples are made at.
void SayRefused(const RootType& root, std::int64_t latest, std::uint64_t seed, const TypeNow& now,
                Recording& recording);

void AddCases(const RootType& root, std::vector<Written>& samples, Recording& recording);

/// A trouble where a root type's goldens, those of this record included, take more than their
/// budget.
void CheckBudget(const RootType& root, const History& history, Recording& recording);

/// A layout as it is stored: where the source had it is no part of what it means.
golden::RecordedType Recorded(const TypeTrace& trace);

}  // namespace revctl::harness
