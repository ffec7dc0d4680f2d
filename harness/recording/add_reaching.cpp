#include "harness/recording/add_reaching.h"

#include <fmt/core.h>
#include <algorithm>
#include <set>
#include <utility>

#include "harness/samples/reaching.h"

namespace revctl::harness {
namespace {

/// Of a budget: what one record's far-reaching goldens take, and all goldens of the type with them.
constexpr std::uint64_t kMostOfOneRecord = 16, kMostOfAll = 2;
constexpr std::uint64_t kMostOfOne = 32U << 10;  ///< bytes: each is cut at every place by `sweep`

std::uint64_t CostOf(const Written& sample) {
  return StoredCost(sample.traced.bytes.size(), sample.traced.leaves);
}

struct Stored {
  std::set<std::string> places;  ///< that are reached
  std::set<std::string> names;   ///< at the revision
  std::uint64_t cost = 0;
};

Stored StoredOf(const RootType& root, const History& history, std::size_t index,
                const std::vector<Written>& samples) {
  Stored stored;
  const auto add = [&](const std::vector<golden::Leaf>& leaves) {
    for (const golden::Leaf& leaf : leaves) stored.places.insert(PlaceOf(leaf.path));
  };
  for (const Golden& golden : history.Goldens(root.name)) {
    stored.cost += StoredCost(golden.item->size, golden.item->values);
    if (golden.revision == index) stored.names.insert(golden.item->name);
    if (golden.revision <= index && IsReaching(golden.item->name)) add(golden.item->values);
  }
  for (const Written& sample : samples) {
    stored.cost += CostOf(sample);
    stored.names.insert(sample.name);
    if (IsReaching(sample.name)) add(sample.traced.leaves);
  }
  return stored;
}

}  // namespace

void AddReaching(const RootType& root, const History& history, std::size_t index,
                 const RecordingOptions& options, std::vector<Written>& samples,
                 std::vector<std::string>& warnings) {
  const revctl::TypeInfo& type = root.type();
  const std::int64_t number = history.revisions()[index].number, latest = history.latest().number;
  Stored stored = StoredOf(root, history, index, samples);
  if (stored.cost >= root.budget / kMostOfAll) return;
  std::uint64_t left =
      std::min(root.budget / kMostOfOneRecord, root.budget / kMostOfAll - stored.cost);
  const ReachingPayloads made = MakeReaching(root, number, latest, options.seed, stored.places,
                                             std::min(left / 2, kMostOfOne));
  for (const std::string& ending : made.endings) {
    warnings.push_back(
        fmt::format("{}: reading made-up values ends the process ({}), so they are in no golden; "
                    "`sweep --fuzz` looks for such files",
                    root.name, ending));
  }
  std::size_t next = 1;
  for (const auto& payload : made.payloads) {
    const Object object(type);
    Written written{"", false, TraceRead(type, payload, number, object.get()), {}};
    written.traced.bytes = payload;
    const std::uint64_t cost = CostOf(written);
    if (cost > left) continue;
    left -= cost;
    const Traced resaved = TraceWrite(type, object.get(), latest, Leaves::AndMemory);
    written.upgraded = UpgradeOf(written.traced.leaves, resaved);
    do written.name = kReaching + std::to_string(next++);
    while (!stored.names.insert(written.name).second);
    samples.push_back(std::move(written));
  }
}

}  // namespace revctl::harness
