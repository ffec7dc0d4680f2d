// CompareEnums of layout_diff.h: names and values of one enum, recorded and now.
#include <fmt/core.h>
#include <algorithm>
#include <map>

#include "harness/layout/layout_diff.h"

namespace revctl::harness {
namespace {

std::string EnumeratorText(const std::string& name, std::int64_t value) {
  return fmt::format("{} = {}", name, value);
}

}  // namespace

std::vector<LayoutChange> CompareEnums(const revctl::EnumLayout& recorded,
                                       const revctl::EnumLayout& now, bool may_grow) {
  std::vector<LayoutChange> changes;
  std::map<std::string, std::int64_t> now_values(now.enumerators.begin(), now.enumerators.end());
  std::map<std::int64_t, std::string> now_names, then_names;
  for (const auto& [name, value] : now.enumerators) now_names.emplace(value, name);
  for (const auto& [name, value] : recorded.enumerators) then_names.emplace(value, name);
  std::map<std::string, bool> explained;
  for (const auto& [name, value] : recorded.enumerators) {
    const auto same_name = now_values.find(name);
    if (same_name != now_values.end() && same_name->second == value) continue;
    const auto same_value = now_names.find(value);
    const std::string now_text = same_value == now_names.end()
                                     ? fmt::format("no name has the value {}", value)
                                     : EnumeratorText(same_value->second, value);
    if (same_name != now_values.end()) {
      changes.push_back({Cause::EnumeratorMoved, name,
                         same_value == now_names.end() ? "" : same_value->second, nullptr, nullptr,
                         EnumeratorText(name, value), EnumeratorText(name, same_name->second)});
      if (same_value != now_names.end()) explained[same_value->second] = true;
    } else if (same_value != now_names.end()) {
      changes.push_back({Cause::EnumeratorRenamed, name, same_value->second, nullptr, nullptr,
                         EnumeratorText(name, value), now_text});
      explained[same_value->second] = true;
    } else {
      changes.push_back({Cause::EnumeratorGone, name, "", nullptr, nullptr,
                         EnumeratorText(name, value), now_text});
    }
  }
  if (recorded.underlying != now.underlying) {
    changes.push_back({Cause::EnumWidth, "", "", nullptr, nullptr,
                       "underlying type " + recorded.underlying,
                       "underlying type " + now.underlying});
  }
  for (const auto& [name, value] : now.enumerators) {
    if (may_grow || explained[name] || then_names.contains(value)) continue;
    const bool known = std::any_of(recorded.enumerators.begin(), recorded.enumerators.end(),
                                   [&n = name](const auto& entry) { return entry.first == n; });
    if (!known) {
      changes.push_back({Cause::EnumeratorAdded, name, "", nullptr, nullptr, "not there",
                         EnumeratorText(name, value), value});
    }
  }
  return changes;
}

}  // namespace revctl::harness
