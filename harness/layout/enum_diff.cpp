#include "harness/layout/enum_diff.h"

#include <algorithm>
#include <map>

namespace revctl::harness {
namespace {

using revctl::EnumLayout;

std::map<std::string, std::int64_t> ValuesOf(const EnumLayout& layout) {
  return {layout.enumerators.begin(), layout.enumerators.end()};
}

/// True if some record contains the enumerator with a different value.
bool HasAnotherValue(const std::vector<const EnumLayout*>& records, const std::string& name,
                     std::int64_t value) {
  return std::any_of(records.begin(), records.end(), [&](const EnumLayout* record) {
    return std::any_of(
        record->enumerators.begin(), record->enumerators.end(),
        [&](const auto& entry) { return entry.first == name && entry.second != value; });
  });
}

template <class Item>
bool HasName(const std::vector<Item>& items, const std::string& name) {
  return std::any_of(items.begin(), items.end(),
                     [&](const Item& item) { return item.name == name; });
}

}  // namespace

EnumDiff CompareEnums(const EnumLayout& recorded, const EnumLayout& now,
                      const std::vector<const EnumLayout*>& records) {
  EnumDiff diff;
  diff.width = recorded.underlying != now.underlying;
  const auto then_values = ValuesOf(recorded), now_values = ValuesOf(now);
  std::map<std::int64_t, std::string> now_names;
  for (const auto& [name, value] : now.enumerators) now_names.emplace(value, name);
  // Current names that are explained by a rename.
  std::map<std::string, bool> explained;
  for (const auto& [name, value] : recorded.enumerators) {
    const auto same_name = now_values.find(name);
    const auto same_value = now_names.find(value);
    if (same_name != now_values.end()) {
      if (same_name->second != value) diff.moved.push_back({name, value, same_name->second});
      continue;
    }
    const std::string today = same_value == now_names.end() ? "" : same_value->second;
    if (!today.empty() && !then_values.contains(today) && !HasAnotherValue(records, today, value)) {
      diff.renamed.push_back({name, today, value});
      explained[today] = true;
    } else {
      diff.gone.push_back({name, value, today});
    }
  }
  for (const auto& [name, value] : now.enumerators) {
    if (then_values.contains(name) || explained[name]) continue;
    const bool alias = std::any_of(recorded.enumerators.begin(), recorded.enumerators.end(),
                                   [&, value = value](const auto& entry) {
                                     const auto today = now_values.find(entry.first);
                                     return entry.second == value && today != now_values.end() &&
                                            today->second == value;
                                   });
    if (alias) continue;
    const auto next = std::find_if(
        now.enumerators.begin(), now.enumerators.end(), [&, value = value](const auto& entry) {
          return entry.second > value &&
                 (then_values.contains(entry.first) || explained[entry.first]);
        });
    diff.added.push_back({name, value, next == now.enumerators.end() ? "" : next->first});
  }
  return diff;
}

bool Covers(const EnumDiff& newer, const EnumDiff& older) {
  return std::all_of(older.moved.begin(), older.moved.end(),
                     [&](const auto& item) { return HasName(newer.moved, item.name); }) &&
         std::all_of(older.gone.begin(), older.gone.end(),
                     [&](const auto& item) { return HasName(newer.gone, item.name); }) &&
         std::all_of(older.renamed.begin(), older.renamed.end(), [&](const auto& item) {
           return std::any_of(newer.renamed.begin(), newer.renamed.end(), [&](const auto& other) {
             return other.from == item.from && other.to == item.to;
           });
         });
}

}  // namespace revctl::harness
