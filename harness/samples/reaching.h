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

/// Payloads that the current code can read, save and read again without changes.
struct ReachingPayloads {
  std::vector<std::vector<std::byte>> payloads;
  /// for each crashing payload, how it ended the child process
  std::vector<std::string> endings;
};

/// Makes far-reaching payloads of a root type at revision `number`: one for each round of values
/// (see Reaching) that reaches places outside `covered`. Leaves out values that a body rejects. No
/// payload takes more than `most` bytes in the store (see StoredCost). The result is deterministic.
///
/// Runs bodies in a child process, because they may crash or hang on such values.
ReachingPayloads MakeReaching(const RootType& root, std::int64_t number, std::int64_t latest,
                              std::uint64_t seed, const std::set<std::string>& covered,
                              std::uint64_t most);

}  // namespace revctl::harness
