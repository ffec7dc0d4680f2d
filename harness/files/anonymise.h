#pragma once
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "harness/trace/registry.h"

namespace revctl::harness {

/// Returns a payload without the user's texts (strings, arrays and vectors of `char`). Letters,
/// digits and non-ASCII characters are replaced by others of the same kind and length, so that
/// offsets stay. Class names are kept. Deterministic. Returns nullopt if the bodies reject every
/// variant, for example because keys collide or a text has a required value.
std::optional<std::vector<std::byte>> Anonymise(const RootType& root,
                                                std::span<const std::byte> payload,
                                                std::int64_t number);

}  // namespace revctl::harness
