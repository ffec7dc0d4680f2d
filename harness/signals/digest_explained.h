#pragma once
#include <cstdint>
#include <vector>

#include "golden/revision_record.h"
#include "harness/trace/condensed.h"

namespace revctl::harness {

/// Finds the former values of a chunk of which only the digest was recorded. `now`: the chunk's
/// values today. `read`: its values as they are in the file, before upgrades; may be empty.
/// `difference`: the recorded digest less that of `now`.
///
/// Tries the usual differences of upgrade code: the fields kept their values from the file; a field
/// had the same value in all elements; a field was slightly larger or smaller. A guess is accepted
/// only if it gives the recorded digest, so the result is certain. Returns the changes from the
/// recorded values to today's, or nothing if no guess fits.
std::vector<golden::Change> ExplainDigest(const std::vector<const Condensed::Element*>& read,
                                          const std::vector<const Condensed::Element*>& now,
                                          std::uint64_t difference);

}  // namespace revctl::harness
