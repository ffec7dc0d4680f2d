#pragma once
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "harness/trace/registry.h"

namespace revctl::harness {

/// Returns the payload with the user's strings (including arrays and vectors of `char`) made
/// unreadable. Replaces letters, digits and non-ASCII characters with others of the same kind and
/// length, so that offsets stay the same. Keeps class names. The result is deterministic. Returns
/// nullopt if the bodies reject every variant, for example because keys collide or a string must
/// have a certain value.
std::optional<std::vector<std::byte>> Anonymise(const RootType& root,
                                                std::span<const std::byte> payload,
                                                std::int64_t number);

}  // namespace revctl::harness
