#pragma once
#include <cstdint>
#include <string>

#include "harness/registry.h"
#include "harness/schema_text.h"

namespace harness {

/// What today's code visits at revision `number`, for `type` alone or, where it is empty, for all
/// roots. `latest` is the list's; the samples are made from `seed`.
Schema SchemaAt(const Registry& registry, const std::string& type, std::int64_t number,
                std::int64_t latest, std::uint64_t seed);

}  // namespace harness
