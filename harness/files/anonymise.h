#pragma once
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "harness/trace/registry.h"

namespace revctl::harness {

/// A payload in which no text of its user's is left (strings, and arrays and vectors of `char`):
/// letters, digits and all that is not ASCII become others of the same kind and length, so that
/// every offset stays; names of classes, which are the program's, stay as well. Deterministic.
/// Nothing where no such payload is accepted by the bodies (keys that meet, a text that must be
/// what it was).
std::optional<std::vector<std::byte>> Anonymise(const RootType& root,
                                                std::span<const std::byte> payload,
                                                std::int64_t number);

}  // namespace revctl::harness
