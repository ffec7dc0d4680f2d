#include "revctl/list/merge_numbers.h"

#include <algorithm>
#include <limits>
#include <tuple>

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

void AssignNumbers(std::vector<Placed>& pending, const Reservations& reservations,
                   std::optional<std::int64_t> highest_landed) {
  const std::int64_t landed = highest_landed.value_or(std::numeric_limits<std::int64_t>::min());
  const auto keeps = [&](const Placed& one) {
    return reservations.Of(one.name) == one.number && one.number > landed;
  };
  const auto key = [&](const Placed& one) {
    // Those that keep their number come first: whatever gets a new one stands above them. Then the
    // ledger's order, then that of numbers which nobody gave; mixed, a second merge would order
    // them by the numbers of the first.
    const auto reserved = reservations.Of(one.name);
    const int rank = keeps(one) ? 0 : reserved ? 1 : 2;
    return std::make_tuple(one.position, rank, reserved.value_or(one.number),
                           std::string_view(one.name));
  };
  std::sort(pending.begin(), pending.end(),
            [&](const Placed& a, const Placed& b) { return key(a) < key(b); });
  std::int64_t floor = landed;
  if (reservations.known()) floor = std::max(floor, reservations.high_water());
  for (const Placed& one : pending) {
    if (keeps(one)) floor = std::max(floor, one.number);
  }
  std::int64_t last = landed;
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
