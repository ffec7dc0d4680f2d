#pragma once
#include <cstddef>
#include <string>
#include <vector>

#include "harness/recording/keep_values.h"
#include "harness/recording/recording.h"

namespace revctl::harness {

/// Appends far-reaching goldens of a root type at revision `index` to what is about to be recorded
/// there: for places that no far-reaching golden of the type has yet. They leave most of the budget
/// to others; what would not fit is left out. Payloads that end the process are told in `warnings`.
void AddReaching(const RootType& root, const History& history, std::size_t index,
                 const RecordingOptions& options, std::vector<Written>& samples,
                 std::vector<std::string>& warnings);

}  // namespace revctl::harness
