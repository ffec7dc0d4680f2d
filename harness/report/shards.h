#pragma once
#include <cstddef>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "golden/result.h"
#include "harness/history/history.h"
#include "harness/trace/registry.h"

namespace revctl::harness {

/// A part of a sweep. `2/5` is the second of five shards.
struct Shard {
  std::size_t index = 1, count = 1;
};

/// Parses a shard `I/N`. Returns nullopt unless 1 <= I <= N <= 10000.
std::optional<Shard> ParseShard(std::string_view text);

/// The cost of each root type, in milliseconds or any other common unit.
using Costs = std::map<std::string, double>;

/// Estimates the cost of each root type from the numbers of values and revisions that were recorded
/// for it. The result is the same on every machine.
Costs EstimateCosts(const Registry& registry, const History& history);

/// Returns the root types of a shard. Sorts the types by descending cost (then by name), and
/// assigns each to the shard with the lowest total so far. Shards that use the same costs therefore
/// agree without communication. A type without a cost gets the mean of the other costs.
std::set<std::string> TypesOf(const Shard& shard, const std::vector<std::string>& types,
                              const Costs& costs);

constexpr std::size_t kLargestReport = 1U << 28;

/// Merges the reports of all shards, given as pairs of file name and text. Fails if a shard is
/// missing, is duplicated, or used a different list, store or split, because an incomplete sweep
/// must not pass as complete.
golden::Result<std::string> JoinReports(
    const std::vector<std::pair<std::string, std::string>>& shards);

/// True if the report contains an error. Fails if `text` is not a report.
golden::Result<bool> HasErrors(const std::string& file, const std::string& text);

/// Returns the measured cost of each root type in a report.
golden::Result<Costs> MeasuredCosts(const std::string& file, const std::string& text);

}  // namespace revctl::harness
