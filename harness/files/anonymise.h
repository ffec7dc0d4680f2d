#pragma once
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "harness/trace/registry.h"

namespace revctl::harness {

/// Returns the payload with unreadable text in place of the user's strings, including arrays and
/// vectors of `char`. Replaces each letter, digit and non-ASCII character with one of the same kind
/// and length, so that offsets stay the same. Keeps class names. The result is deterministic.
/// Returns nullopt if the bodies reject every variant, for example because keys collide or a string
/// must have a certain value.
std::optional<std::vector<std::byte>> Anonymise(const RootType& root,
                                                std::span<const std::byte> payload,
                                                std::int64_t number);

}  // namespace revctl::harness
