#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "harness/recording/recording.h"

namespace revctl::harness {

/// A golden that is about to be recorded.
struct Written {
  std::string name;
  bool by_hand = false;
  Traced traced;
  std::vector<golden::Change> upgraded;
};

/// What the record said that is written anew; null where there was none.
const golden::RevisionRecord* RecordBefore(const RecordingOptions& options);

/// Gives `samples`, today's, the values that the record had, where one is written anew: they may be
/// of fields that are gone, which no sample of today has.
void KeepValues(const RootType& root, std::int64_t number, std::int64_t latest,
                const RecordingOptions& options, std::vector<Written>& samples, Losses& losses);

/// Tells of goldens of root types of which the revision records none any more.
void TellOfDropped(const RecordingOptions& options, const Recording& recording, Losses& losses);

}  // namespace revctl::harness
