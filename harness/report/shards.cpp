#include "harness/report/shards.h"

#include <algorithm>
#include <charconv>

namespace revctl::harness {

std::optional<Shard> ParseShard(std::string_view text) {
  const auto slash = text.find('/');
  if (slash == std::string_view::npos) return std::nullopt;
  const auto number = [](std::string_view digits) -> std::size_t {
    std::size_t value = 0;
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
    return error == std::errc{} && end == digits.data() + digits.size() ? value : 0;
  };
  const Shard shard{number(text.substr(0, slash)), number(text.substr(slash + 1))};
  if (shard.index == 0 || shard.index > shard.count || shard.count > 10000) return std::nullopt;
  return shard;
}

Costs EstimateCosts(const Registry& registry, const History& history) {
  Costs costs;
  for (const RootType& root : registry.types) {
    double cost = static_cast<double>(history.revisions().size());
    for (const Golden& golden : history.Goldens(root.name)) {
      cost += static_cast<double>(golden.item->values.size());
    }
    costs[root.name] = cost;
  }
  return costs;
}

std::set<std::string> TypesOf(const Shard& shard, const std::vector<std::string>& types,
                              const Costs& costs) {
  double known = 0, sum = 0;
  for (const std::string& type : types) {
    const auto cost = costs.find(type);
    if (cost == costs.end()) continue;
    known += 1;
    sum += cost->second;
  }
  std::vector<std::pair<double, std::string>> order;
  for (const std::string& type : types) {
    const auto cost = costs.find(type);
    order.emplace_back(cost != costs.end() ? cost->second : known > 0 ? sum / known : 1.0, type);
  }
  std::sort(order.begin(), order.end(), [](const auto& a, const auto& b) {
    return a.first != b.first ? a.first > b.first : a.second < b.second;
  });
  std::vector<double> loads(shard.count, 0.0);
  std::set<std::string> mine;
  for (const auto& [cost, type] : order) {
    const auto least = std::min_element(loads.begin(), loads.end());
    *least += cost;
    if (least - loads.begin() == static_cast<std::ptrdiff_t>(shard.index - 1)) mine.insert(type);
  }
  return mine;
}

}  // namespace revctl::harness
