#pragma once
#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "harness/history/history.h"
#include "harness/trace/condensed.h"
#include "harness/trace/registry.h"

namespace revctl::harness {

/// Decodes a payload with the layouts that were recorded at revision `revision` (an index of the
/// history), and without the program's code. Therefore, the values are the recorded ones, even if
/// the current code reads different values. Fills `expanded` and `blocks` with the elements of
/// `chunks`, as CondensedRead does for wanted digests.
///
/// Returns nullopt if the layouts do not determine the meaning of the bytes, because a field
/// depends on a condition or a branch, is aligned, or contains a class that is chosen by name. Also
/// returns nullopt if the bytes do not fit the layouts.
std::optional<Condensed> DecodeRecorded(const RootType& root, const History& history,
                                        std::size_t revision, std::span<const std::byte> payload,
                                        const std::vector<Chunk>& chunks);

}  // namespace revctl::harness
