#pragma once
#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "harness/history/history.h"
#include "harness/trace/condensed.h"
#include "harness/trace/registry.h"

namespace revctl::harness {

/// Decodes a payload by the layouts that revision `revision` (an index of the history) recorded,
/// without the program's code, so the values are the recorded ones even if today's code reads other
/// values. Fills `expanded` and `blocks` with the elements of `chunks`, as CondensedRead does for
/// wanted digests.
///
/// Returns nullopt if the layouts do not determine the bytes: a field depends on a condition or a
/// branch, is aligned, or holds a class chosen by name; or if the bytes do not fit the layouts.
std::optional<Condensed> DecodeRecorded(const RootType& root, const History& history,
                                        std::size_t revision, std::span<const std::byte> payload,
                                        const std::vector<Chunk>& chunks);

}  // namespace revctl::harness
