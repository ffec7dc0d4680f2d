#pragma once
#include <cstddef>
#include <cstdint>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "harness/trace/registry.h"

namespace revctl::harness {

/// How names of far-reaching goldens begin.
inline constexpr char kReaching[] = "reach-";
inline bool IsReaching(std::string_view name) { return name.starts_with(kReaching); }

/// Payloads that today's code reads as it stands, and reads again the same once it has saved them.
struct ReachingPayloads {
  std::vector<std::vector<std::byte>> payloads;
  std::vector<std::string> endings;  ///< how reading others ended the process
};

/// Far-reaching payloads of a root type at revision `number`, as Inventor makes them: one for each
/// round of values (Reaching), where it reaches places that are not among `covered`. Where a body
/// refuses some values, the payload has those that it takes. None takes more than `most` bytes in
/// the store, as StoredCost counts. Deterministic.
///
/// Bodies run in a child process: no sample has met them with such values.
ReachingPayloads MakeReaching(const RootType& root, std::int64_t number, std::int64_t latest,
                              std::uint64_t seed, const std::set<std::string>& covered,
                              std::uint64_t most);

}  // namespace revctl::harness
