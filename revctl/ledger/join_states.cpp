#include "revctl/ledger/join_states.h"

#include <algorithm>
#include <set>

#include "revctl/ledger/chain.h"

namespace revctl::ledger {

void AddNumbersOf(const State& other, const State& base, State& state) {
  for (const auto& [name, list] : other.lists) {
    const auto before = base.lists.find(name);
    const auto mark = before == base.lists.end() ? std::nullopt : before->second.high_water;
    if (!list.high_water || TooFar(*list.high_water, mark)) continue;
    ListState& mine = state.lists[name];
    mine.high_water = std::max(mine.high_water, list.high_water);
    std::set<std::string> names;
    std::set<std::int64_t> numbers;
    for (const Reservation& reservation : mine.open) {
      names.insert(reservation.name);
      numbers.insert(reservation.number);
    }
    for (const Reservation& reservation : list.open) {
      if (mark && reservation.number <= *mark) continue;
      if (!names.contains(reservation.name) && !numbers.contains(reservation.number))
        mine.open.push_back(reservation);
    }
    std::sort(mine.open.begin(), mine.open.end(),
              [](const Reservation& a, const Reservation& b) { return a.number < b.number; });
  }
}

}  // namespace revctl::ledger
