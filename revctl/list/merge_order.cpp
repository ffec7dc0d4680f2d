#include "revctl/list/merge_order.h"

#include <map>
#include <set>
#include <string_view>
#include <unordered_map>

namespace revctl::list::detail {

std::vector<std::string> MergedOrder(
    const std::vector<std::vector<std::string>>& orders,
    const std::function<bool(const std::string&, const std::string&)>& comes_first) {
  std::map<std::string, std::set<std::string>> behind;  // name -> names that come after it
  std::map<std::string, std::size_t> before;            // name -> how many come before it
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

std::vector<std::vector<std::string>> WithoutReversed(const std::vector<std::string>& side,
                                                      const std::vector<std::string>& other,
                                                      const std::vector<std::string>& base) {
  using Places = std::unordered_map<std::string_view, std::size_t>;
  const auto places_of = [](const std::vector<std::string>& order) {
    Places places;
    for (std::size_t i = 0; i < order.size(); ++i) places.emplace(order[i], i);
    return places;
  };
  const Places in_other = places_of(other), in_base = places_of(base);
  const auto stand = [](const Places& places, const std::string& first, const std::string& second) {
    const auto a = places.find(first), b = places.find(second);
    return a != places.end() && b != places.end() && a->second < b->second;
  };
  std::vector<std::vector<std::string>> parts;
  for (std::size_t i = 0; i < side.size(); ++i) {
    const bool reversed =
        i > 0 && stand(in_other, side[i], side[i - 1]) && stand(in_base, side[i - 1], side[i]);
    if (i == 0 || reversed) parts.emplace_back();
    parts.back().push_back(side[i]);
  }
  return parts;
}

}  // namespace revctl::list::detail
