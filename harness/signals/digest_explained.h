#pragma once
#include <cstdint>
#include <vector>

#include "golden/revision_record.h"
#include "harness/trace/condensed.h"

namespace revctl::harness {

/// Finds the recorded values of a chunk from its digest, because only the digest was recorded.
/// `now` contains the chunk's current values. `read` contains its values in the file, before
/// upgrades, and may be empty. `difference` is the recorded digest minus the digest of `now`.
///
/// Tries typical effects of upgrade code: fields that keep the values in the file, a field that has
/// the same value in all elements, and a field that is slightly larger or smaller. A guess that
/// yields the recorded digest is correct. Returns the changes from the recorded values to the
/// current values, or nothing if no guess fits.
std::vector<golden::Change> ExplainDigest(const std::vector<const Condensed::Element*>& read,
                                          const std::vector<const Condensed::Element*>& now,
                                          std::uint64_t difference);

}  // namespace revctl::harness
