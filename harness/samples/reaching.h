#pragma once
#include <cstddef>
#include <cstdint>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "harness/trace/registry.h"

namespace revctl::harness {

/// Prefix of the names of far-reaching goldens.
inline constexpr char kReaching[] = "reach-";
inline bool IsReaching(std::string_view name) { return name.starts_with(kReaching); }

/// Payloads that today's code reads without changing a value, both before and after saving them
/// again.
struct ReachingPayloads {
  std::vector<std::vector<std::byte>> payloads;
  std::vector<std::string> endings;  ///< how reading other payloads crashed the process
};

/// Makes far-reaching payloads of a root type at revision `number`: one for each round of values
/// (see Reaching) that reaches places outside of `covered`. If a body rejects some values, the
/// payload has only those that it accepts. None takes more than `most` bytes in the store, by
/// StoredCost. Deterministic.
///
/// Runs bodies in a child process, because their code has never seen such values.
ReachingPayloads MakeReaching(const RootType& root, std::int64_t number, std::int64_t latest,
                              std::uint64_t seed, const std::set<std::string>& covered,
                              std::uint64_t most);

}  // namespace revctl::harness
