// Goldens in separate files, their budgets, and their values after a revision's upgrades.
#include <fmt/core.h>
#include <algorithm>
#include <map>
#include <utility>

#include "golden/large_payload.h"
#include "golden/text/scalar_text.h"
#include "harness/recording/record_parts.h"
#include "harness/signals/large/large_decoded.h"
#include "harness/trace/condensed.h"
#include "harness/trace/object.h"

namespace revctl::harness {
namespace {

/// Returns how `values` changed when the object was saved at revision `number`.
std::vector<golden::Change> UpgradedOf(const RootType& root, std::int64_t number, void* object,
                                       const std::vector<golden::Leaf>& values) {
  std::vector<golden::Change> changes;
  const Condensed resaved = CondensedWrite(root.type(), object, number);
  if (!resaved.ok) return changes;
  changes = golden::Compare(values, resaved.leaves);
  if (std::uint64_t hash = 0; root.WriteHash(number, object, hash).ok)
    changes.push_back({std::string(golden::kSaved), std::nullopt, SavedText(hash)});
  return changes;
}

}  // namespace

void AddLarge(const RootType& root, const History& history, std::size_t index,
              const std::string& name, std::vector<std::byte> payload, Recording& recording) {
  const auto trouble = [&](const std::string& why) {
    recording.troubles.push_back(fmt::format("{}, {}: {}", root.name, name, why));
  };
  if (payload.size() > golden::kLargestLargePayload)
    return trouble(fmt::format("has {} bytes; the limit for a golden is {}", payload.size(),
                               golden::kLargestLargePayload));
  const std::int64_t number = history.revisions()[index].number;
  golden::LargeCase large;
  large.item.type = root.name;
  large.item.name = name;
  {
    const Object object(root.type());
    Condensed read = CondensedRead(root.type(), payload, number, object.get());
    if (!read.ok || !read.at_end)
      return trouble(read.ok
                         ? "unread bytes remain at the end of the file"
                         : fmt::format("{} at offset {} of the payload: {}",
                                       FromRoot(root.name, read.path), read.offset, read.reason));
    // Save at the newest recorded revision, which may be the one being recorded.
    large.item.upgraded =
        UpgradedOf(root, std::max(number, SavedAt(history)), object.get(), read.leaves);
    large.item.values = std::move(read.leaves);
  }
  // The object is destroyed before the file is packed, because both may be as large as the payload.
  golden::LargeFile file = golden::MakeLargeFile(recording.record, payload, large);
  payload = {};
  recording.record.large.push_back(std::move(large));
  recording.large.push_back(std::move(file));
  if (recording.changed.empty() || recording.changed.back() != root.name)
    recording.changed.push_back(root.name);
}

void CheckLargeBudgets(const Registry& registry, const History& history, Recording& recording) {
  if (recording.record.large.empty()) return;
  std::map<std::string_view, std::uint64_t> cost;
  std::uint64_t all = 0;
  for (const golden::LargeCase& large : recording.record.large)
    cost[large.item.type] += large.stored;
  for (const RootType& root : registry.types) {
    const auto own = cost.find(root.name);
    std::uint64_t sum = own == cost.end() ? 0 : own->second;
    for (const Golden& golden : history.Large(root.name)) sum += golden.large->stored;
    all += sum;
    if (own == cost.end() || sum <= root.large_budget) continue;
    recording.troubles.push_back(
        fmt::format("{}: its large goldens would take {} KiB, more than their budget of {} KiB: "
                    "use fewer large goldens, or HARNESS_LARGE_BUDGET({}, {});",
                    root.name, sum / 1024, root.large_budget / 1024, root.name, sum * 2));
  }
  if (all > registry.store_budget)
    recording.troubles.push_back(
        fmt::format("the large goldens of all types would take {} KiB, more than the store's "
                    "budget of {} KiB: use fewer large goldens, or HARNESS_STORE_BUDGET({});",
                    all / 1024, registry.store_budget / 1024, all * 2));
}

void AddLargeUpgrades(const RootType& root, const History& history, std::size_t index,
                      const Renames& renames, golden::RevisionRecord& record) {
  for (const Golden& golden : history.Large(root.name)) {
    if (golden.revision > index) continue;
    auto expected = history.ExpectedUpgrade(golden);
    const std::string saved = TakeSaved(expected);
    auto payload = history.ReadLarge(golden);
    if (!payload) continue;  // `check` reports unreadable goldens
    const Object object(root.type());
    const std::int64_t own = history.revisions()[golden.revision].number;
    const auto read = root.Read(*payload, own, object.get());
    if (!read.ok || !read.at_end) continue;
    const std::int64_t latest = history.latest().number;
    std::uint64_t hash = 0;
    payload->resize(payload->capacity());
    const bool written = root.WriteHash(latest, object.get(), hash, *payload).ok;
    *payload = {};
    if (written && SavedText(hash) == saved) continue;
    const Condensed resaved = CondensedWrite(root.type(), object.get(), latest);
    if (!resaved.ok) continue;
    auto changes = renames.Compare(expected, resaved.leaves);
    if (written)
      changes.push_back({std::string(golden::kSaved),
                         saved.empty() ? std::nullopt : std::optional(saved), SavedText(hash)});
    if (!changes.empty()) record.upgrades.push_back({root.name, {golden.id}, std::move(changes)});
  }
}

}  // namespace revctl::harness
