#pragma once
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "harness/history/history.h"
#include "harness/trace/condensed.h"
#include "harness/trace/registry.h"

namespace revctl::harness {

/// Maps a polymorphic type (`polymorphic<Shape>`) and the name of a class on the wire (`circle`) to
/// the record type of that class.
using ClassNames = std::map<std::pair<std::string, std::string>, std::string>;

/// Decodes a payload with the layouts recorded at revision `revision` (an index of the history).
/// Does not use the program's code, so the values are right even if the current code misreads the
/// payload. Fills `expanded` and `blocks` with the elements of `chunks`, as CondensedRead does for
/// wanted digests.
///
/// Evaluates conditions that ParseCondition supports. `classes` maps class names to record
/// types, because layouts do not contain this mapping.
///
/// Returns nullopt if the bytes do not fit the layouts, or if the layouts do not fully describe the
/// bytes: a field depends on another condition or on a branch of the body, contains objects by
/// reference, or contains a class that is not in `classes`.
std::optional<Condensed> DecodeRecorded(const RootType& root, const History& history,
                                        std::size_t revision, std::span<const std::byte> payload,
                                        const std::vector<Chunk>& chunks,
                                        const ClassNames& classes = {});

/// Returns the classes that the current code looks up by name in the readable part of a payload.
ClassNames ClassesIn(const revctl::TypeInfo& type, std::span<const std::byte> payload,
                     std::int64_t number);

}  // namespace revctl::harness
