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

/// Maps the type of a pointer's content (`polymorphic<Shape>`) and the name of a class on the wire
/// (`circle`) to the name of the record type.
using ClassNames = std::map<std::pair<std::string, std::string>, std::string>;

/// Decodes a payload with the layouts that were recorded at revision `revision` (an index of the
/// history), and without the program's code. Therefore, the values are the recorded ones, even if
/// the current code reads different values. Fills `expanded` and `blocks` with the elements of
/// `chunks`, as CondensedRead does for wanted digests.
///
/// Evaluates conditions that TranslateCondition understands with the values before them. No layout
/// contains the class that a name represents, so `classes` provides it.
///
/// Returns nullopt if the layouts do not determine the meaning of the bytes, because a field
/// depends on another condition or on a branch of the body, contains objects by reference, or
/// contains a class that is not in `classes`. Also returns nullopt if the bytes do not fit the
/// layouts.
std::optional<Condensed> DecodeRecorded(const RootType& root, const History& history,
                                        std::size_t revision, std::span<const std::byte> payload,
                                        const std::vector<Chunk>& chunks,
                                        const ClassNames& classes = {});

/// Returns the classes that the current code finds by their names in a payload, as far as it can
/// read the payload.
ClassNames ClassesIn(const revctl::TypeInfo& type, std::span<const std::byte> payload,
                     std::int64_t number);

}  // namespace revctl::harness
