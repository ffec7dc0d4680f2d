#pragma once
#include <cstdint>
#include <vector>

#include "golden/revision_record.h"
#include "harness/trace/condensed.h"

namespace revctl::harness {

/// Finds the values that a chunk had, of which only the digest was recorded. `now`: the chunk's
/// values today. `read`: its values as they are in the file, before upgrades; may be empty.
/// `difference`: the recorded digest less that of `now`.
///
/// Tries the ways in which upgrade code usually differs: the fields were left as they are in the
/// file; all elements had one value in a field; a field was a little more or less. A guess is
/// right if it gives the recorded digest, so the result is certain. Returns the changes from the
/// recorded values to today's, or nothing if no guess fits.
std::vector<golden::Change> ExplainDigest(const std::vector<const Condensed::Element*>& read,
                                          const std::vector<const Condensed::Element*>& now,
                                          std::uint64_t difference);

}  // namespace revctl::harness
