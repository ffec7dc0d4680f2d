#pragma once
#include <cstdint>
#include <vector>

#include "golden/revision_record.h"
#include "harness/trace/condensed.h"

namespace revctl::harness {

/// Finds the recorded values of a chunk if only their digest was recorded. `now` is the chunk's
/// values today. `read` is its values in the file, before upgrades; may be empty. `difference` is
/// the recorded digest minus the digest of `now`.
///
/// Tries the typical differences in upgrade code: the fields kept the values in the file, a field
/// had the same value in all elements, or a field was slightly larger or smaller. A guess is
/// correct if it yields the recorded digest, so the result is certain. Returns the changes from the
/// recorded values to today's, or nothing if no guess fits.
std::vector<golden::Change> ExplainDigest(const std::vector<const Condensed::Element*>& read,
                                          const std::vector<const Condensed::Element*>& now,
                                          std::uint64_t difference);

}  // namespace revctl::harness
