#include "revctl/list/merging/order.h"

#include <algorithm>
#include <limits>
#include <map>
#include <set>
#include <string_view>
#include <tuple>
#include <unordered_map>
#include <unordered_set>
#include <utility>

namespace revctl::list::detail {

std::vector<std::string> MergedOrder(
    const std::vector<std::vector<std::string>>& orders,
    const std::function<bool(const std::string&, const std::string&)>& comes_first) {
  // For each name, the names that must come after it.
  std::map<std::string, std::set<std::string>> behind;
  // For each name, the number of names that must come before it.
  std::map<std::string, std::size_t> before;
  for (const auto& order : orders) {
    for (std::size_t i = 0; i < order.size(); ++i) {
      before.emplace(order[i], 0);
      if (i > 0 && behind[order[i - 1]].insert(order[i]).second) ++before[order[i]];
    }
  }
  std::set<std::string, decltype(comes_first)> ready(comes_first), waiting(comes_first);
  for (const auto& [name, count] : before) (count == 0 ? ready : waiting).insert(name);
  std::vector<std::string> merged;
  while (!ready.empty() || !waiting.empty()) {
    auto& from = ready.empty() ? waiting : ready;  // if the orders form a cycle, break it by name
    const std::string name = *from.begin();
    from.erase(from.begin());
    merged.push_back(name);
    for (const std::string& next : behind[name]) {
      if (--before[next] == 0 && waiting.erase(next) != 0) ready.insert(next);
    }
  }
  return merged;
}

namespace {

/// Returns the names in `order` that occur in all of `others`.
std::vector<std::string> Common(const std::vector<std::string>& order,
                                const std::vector<const std::vector<std::string>*>& others) {
  std::vector<std::string> common = order;
  for (const auto* other : others) {
    const std::unordered_set<std::string_view> names(other->begin(), other->end());
    std::erase_if(common, [&](const std::string& name) { return !names.contains(name); });
  }
  return common;
}

/// Appends to `orders` the constraints for names that `side` has and `first` lacks, without
/// contradicting `first`. Such a name comes after all names of `first` that precede it in `side`.
void Add(const std::vector<std::string>& side, const std::vector<std::string>& first,
         std::vector<std::vector<std::string>>& orders) {
  std::unordered_map<std::string_view, std::size_t> place_in_first;
  for (std::size_t i = 0; i < first.size(); ++i) place_in_first.emplace(first[i], i);
  std::vector<std::string> alone;
  // For each name in `alone`, how many names of `first` must precede it.
  std::vector<std::size_t> behind;
  std::size_t most = 0;
  for (const std::string& name : side) {
    const auto there = place_in_first.find(name);
    if (there != place_in_first.end()) {
      most = std::max(most, there->second + 1);
      continue;
    }
    alone.push_back(name);
    behind.push_back(most);
    if (most > 0) orders.push_back({first[most - 1], name});
  }
  std::set<std::size_t> below;  // indexes in `first` of the names that come later in `side`
  std::size_t at = alone.size();
  for (auto name = side.rbegin(); name != side.rend(); ++name) {
    const auto there = place_in_first.find(*name);
    if (there != place_in_first.end()) {
      below.insert(there->second);
      continue;
    }
    const auto next = below.lower_bound(behind[--at]);
    if (next != below.end()) orders.push_back({*name, first[*next]});
  }
  orders.push_back(std::move(alone));
}

}  // namespace

std::vector<std::vector<std::string>> Reconciled(
    const std::vector<std::string>& ours, const std::vector<std::string>& theirs,
    const std::vector<std::string>& base,
    const std::function<bool(const std::string&, const std::string&)>& comes_first) {
  const auto mine = Common(ours, {&theirs}), other = Common(theirs, {&ours});
  const auto differs = std::mismatch(mine.begin(), mine.end(), other.begin(), other.end());
  bool ours_first = true;
  if (differs.first != mine.end() && differs.second != other.end()) {
    const auto was = Common(base, {&mine});
    const bool changed = Common(ours, {&theirs, &base}) != was,
               other_changed = Common(theirs, {&ours, &base}) != was;
    ours_first = changed == other_changed ? comes_first(*differs.first, *differs.second) : changed;
  }
  const auto &first = ours_first ? ours : theirs, &second = ours_first ? theirs : ours;
  std::vector<std::vector<std::string>> orders{first};
  Add(second, first, orders);
  return orders;
}

Reservations::Reservations(const MergeContext& context)
    : sorted_(context.reservations), high_water_(context.high_water), known_(context.ledger_known) {
  std::sort(sorted_.begin(), sorted_.end());
}

std::optional<std::int64_t> Reservations::Of(const std::string& name) const {
  const auto found =
      std::lower_bound(sorted_.begin(), sorted_.end(), name,
                       [](const auto& one, const std::string& key) { return one.first < key; });
  if (!known_ || found == sorted_.end() || found->first != name) return std::nullopt;
  return found->second;
}

void AssignNumbers(std::vector<Placed>& pending, const Orders& orders,
                   const Reservations& reservations, std::optional<std::int64_t> highest_landed) {
  const std::int64_t landed = highest_landed.value_or(std::numeric_limits<std::int64_t>::min());
  const auto keeps = [&](const Placed& one) {
    return reservations.Of(one.name) == one.number && one.number > landed;
  };
  // Rank reserved numbers separately from hand-picked ones. Otherwise, the numbers assigned in one
  // merge would change the order in the next merge.
  std::map<std::string, std::tuple<int, std::int64_t, std::string>, std::less<>> keys;
  for (const Placed& one : pending) {
    const auto reserved = reservations.Of(one.name);
    const int rank = keeps(one) ? 0 : reserved ? 1 : 2;
    keys.emplace(one.name, std::tuple(rank, reserved.value_or(one.number), one.name));
  }
  std::map<std::string, std::size_t, std::less<>> place;
  const auto comes_first = [&keys](const std::string& a, const std::string& b) {
    return keys.at(a) < keys.at(b);
  };
  const auto reconciled = Reconciled(orders.ours, orders.theirs, orders.base, comes_first);
  for (const std::string& name : MergedOrder(reconciled, comes_first)) {
    place.emplace(name, place.size());
  }
  std::sort(pending.begin(), pending.end(), [&place](const Placed& a, const Placed& b) {
    return std::pair(a.position, place.at(a.name)) < std::pair(b.position, place.at(b.name));
  });
  std::int64_t last = landed, floor = landed;
  if (reservations.known()) floor = std::max(floor, reservations.high_water());
  for (const Placed& one : pending) {
    if (keeps(one)) floor = std::max(floor, one.number);
  }
  for (Placed& one : pending) {
    if (keeps(one) && one.number > last) {
      one.assigned = one.number;
    } else {
      const std::int64_t below = std::max(last, floor);
      const bool exhausted = below == std::numeric_limits<std::int64_t>::max();
      one.assigned = one.number > below || exhausted ? one.number : below + 1;
    }
    last = one.assigned;
  }
}

}  // namespace revctl::list::detail
