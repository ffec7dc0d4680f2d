#include "revctl/list/merge_numbers.h"

#include <algorithm>
#include <limits>
#include <map>
#include <tuple>
#include <utility>

#include "revctl/list/merge_order.h"

namespace revctl::list::detail {

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
  // Reserved numbers and hand-picked ones are not mixed: a second merge would order them by
  // the numbers of the first.
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
