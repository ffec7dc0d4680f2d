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

/// `2/5`: the second of five parts of a sweep.
struct Shard {
  std::size_t index = 1, count = 1;
};

/// Nothing where `text` is no `I/N` with 1 <= I <= N <= 10000.
std::optional<Shard> ParseShard(std::string_view text);

/// What one root type costs, in milliseconds or any other unit that is the same for all.
using Costs = std::map<std::string, double>;

/// What each root type will cost, as far as the store tells: its recorded values, and the revisions
/// at which it is looked at. The same on every machine.
Costs EstimateCosts(const Registry& registry, const History& history);

/// The root types of one shard. Every type is in exactly one of them; the costliest are given out
/// first, each to the shard that has least (ties by name), so that all shards which are given the
/// same costs agree without talking to each other. A type without a cost (a new one) counts as the
/// mean of the others.
std::set<std::string> TypesOf(const Shard& shard, const std::vector<std::string>& types,
                              const Costs& costs);

/// Larger files are no reports.
constexpr std::size_t kLargestReport = 1U << 28;

/// One report of all shards, each a pair of its file's name and its text. A shard that is missing,
/// twice there, or made of another list, store or split is a problem: a sweep of nearly everything
/// is no sweep.
golden::Result<std::string> JoinReports(
    const std::vector<std::pair<std::string, std::string>>& shards);

/// Whether the report has an error among its findings; a problem where `text` is no report.
golden::Result<bool> HasErrors(const std::string& file, const std::string& text);

/// What each root type cost in an earlier sweep.
golden::Result<Costs> MeasuredCosts(const std::string& file, const std::string& text);

}  // namespace revctl::harness
