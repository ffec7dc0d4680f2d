#pragma once
#include <cstdint>
#include <string>

#include "harness/history/history.h"
#include "harness/schema/schema_text.h"
#include "harness/trace/registry.h"

namespace revctl::harness {

/// What today's code visits at revision `number`, for `type` alone or, where it is empty, for all
/// roots; enums as they were recorded at that revision, where they were. The samples are made from
/// `seed`.
Schema SchemaAt(const Registry& registry, const History& history, const std::string& type,
                std::int64_t number, std::uint64_t seed);

}  // namespace revctl::harness
