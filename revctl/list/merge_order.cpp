#include "revctl/list/merge_order.h"

#include <map>
#include <set>

namespace revctl::list::detail {

std::vector<std::string> MergedOrder(const std::vector<std::vector<std::string>>& orders) {
  std::map<std::string, std::set<std::string>> behind;  // name -> names that come after it
  std::map<std::string, std::size_t> before;            // name -> how many come before it
  for (const auto& order : orders) {
    for (std::size_t i = 0; i < order.size(); ++i) {
      before.emplace(order[i], 0);
      if (i > 0 && behind[order[i - 1]].insert(order[i]).second) ++before[order[i]];
    }
  }
  std::set<std::string> ready, waiting;
  for (const auto& [name, count] : before) (count == 0 ? ready : waiting).insert(name);
  std::vector<std::string> merged;
  while (!ready.empty() || !waiting.empty()) {
    auto& from = ready.empty() ? waiting
                               : ready;  // contradicting orders: break the circle at the first name
    const std::string name = *from.begin();
    from.erase(from.begin());
    merged.push_back(name);
    for (const std::string& next : behind[name]) {
      if (--before[next] == 0 && waiting.erase(next) != 0) ready.insert(next);
    }
  }
  return merged;
}

}  // namespace revctl::list::detail
