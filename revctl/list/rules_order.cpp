#include <fmt/core.h>
#include <algorithm>

#include "revctl/list/rule_check.h"

namespace revctl::list::detail {
namespace {

void LandedOrder(RuleCheck& j, const std::vector<const Entry*>& order, bool falling) {
  if (j.lists.target == nullptr) return;
  std::unordered_map<std::string_view, std::size_t> place;
  for (const Entry& entry : j.lists.target->entries) place.emplace(entry.name, place.size());
  const Entry* before = nullptr;
  for (const Entry* entry : order) {
    if (j.Landed(entry->name) == nullptr) continue;
    const bool swapped = before != nullptr && (falling ? place[before->name] < place[entry->name]
                                                       : place[before->name] > place[entry->name]);
    if (swapped) {
      j.Add("RV007", entry, entry->name,
            fmt::format("{} stands on the other side of {} ({}) than on {}", entry->name,
                        before->name, j.At(*before), j.lists.target_label),
            MendLanded(j));
      return;  // one exchange of places shows at many entries
    }
    before = entry;
  }
}

// RV007: entries that have landed in an odd order are as the target has them; what is new has to be
// in line.
void FileOrder(RuleCheck& j) {
  const bool falling = j.merged.NewestFirst();
  std::vector<const Entry*> order;
  for (const Entry& entry : j.merged.entries) {
    if (entry.kind == EntryKind::Revision) order.push_back(&entry);
  }
  if (falling) std::reverse(order.begin(), order.end());
  for (const auto& [entry, lowest] : OutOfLine(j.merged)) {
    if (j.Landed(entry->name) != nullptr || j.misplaced.contains(entry->name)) continue;
    j.Add("RV007", entry, entry->name,
          fmt::format("{} ({}) stands {}{} ({}, {})", entry->name, Text(entry->number),
                      falling ? "below " : "above ", lowest->name, Text(lowest->number),
                      j.At(*lowest)),
          RenumberCommand(j));
  }
  LandedOrder(j, order, falling);
}

}  // namespace

void CheckOrder(RuleCheck& check) { FileOrder(check); }

}  // namespace revctl::list::detail
