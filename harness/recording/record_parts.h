#pragma once
#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

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

/// Adds one whole file of a root type to what is recorded at revision `index`, where the program
/// says how its files are framed and no record has such a file. `renewed`: also where today's frame
/// is another than the one recorded last.
void AddFile(const RootType& root, const History& history, std::size_t index, bool renewed,
             Recording& recording);

/// Appends far-reaching goldens of a root type at revision `index` to what is about to be recorded
/// there: for places that no far-reaching golden of the type has yet. They leave most of the budget
/// to others; what would not fit is left out. Payloads that end the process are told in `warnings`.
void AddReaching(const RootType& root, const History& history, std::size_t index,
                 const RecordingOptions& options, std::vector<Written>& samples,
                 std::vector<std::string>& warnings);

}  // namespace revctl::harness
