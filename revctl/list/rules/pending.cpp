// Checks the position of pending revisions in the file (RV007) and their reservations (RV011,
// RV012).
#include <fmt/core.h>
#include <algorithm>

#include "revctl/list/rules/rule_check.h"

namespace revctl::list::detail {

using findings::RuleId;

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
      j.Add(RuleId::OutOfOrder, entry, entry->name,
            fmt::format("{} and {} ({}) are in a different order than on {}", entry->name,
                        before->name, j.At(*before), j.lists.target_label),
            RestoreFix(j));
      return;  // stop here, because a single swap would be reported for many entries
    }
    before = entry;
  }
}

}  // namespace

/// Landed entries may be out of order if the target has them in the same order; new entries may
/// not.
void CheckOrder(RuleCheck& j) {
  const bool falling = j.merged.NewestFirst();
  std::vector<const Entry*> order;
  for (const Entry& entry : j.merged.entries) {
    if (entry.kind == EntryKind::Revision) order.push_back(&entry);
  }
  if (falling) std::reverse(order.begin(), order.end());
  for (const auto& [entry, lowest] : OutOfLine(j.merged)) {
    if (j.Landed(entry->name) != nullptr || j.misplaced.contains(entry->name) ||
        j.renamed.contains(entry->name))
      continue;
    j.Add(RuleId::OutOfOrder, entry, entry->name,
          fmt::format("{} ({}) is {}{} ({}, {})", entry->name, Text(entry->number),
                      falling ? "below " : "above ", lowest->name, Text(lowest->number),
                      j.At(*lowest)),
          RenumberFix(j));
  }
  LandedOrder(j, order, falling);
}

void CheckReservations(RuleCheck& j) {
  std::map<std::string_view, const Reservation*> by_name;
  std::map<std::int64_t, const Reservation*> by_number;
  if (j.lists.reservations) {
    for (const Reservation& one : *j.lists.reservations) {
      by_name[one.name] = &one;
      by_number[one.number] = &one;
    }
  }
  const std::set<std::string_view> provisional(j.lists.provisional.begin(),
                                               j.lists.provisional.end());
  for (const Entry* entry : j.pending) {
    if (j.renamed.contains(entry->name)) continue;
    const auto own = by_name.find(entry->name);
    const auto holder = by_number.find(entry->number);
    if (own != by_name.end() && own->second->number == entry->number) continue;
    if (j.misplaced.contains(entry->name))
      continue;  // another finding already requires new numbers, which also fixes this problem
    if (holder != by_number.end()) {
      const auto& [name, number, who] = *holder->second;
      j.Add(RuleId::NotReserved, entry, entry->name,
            fmt::format("{} takes {}, which is reserved for {}{}", entry->name, Text(number), name,
                        who.empty() ? "" : " by " + who),
            RenumberFix(j));
    } else if (own != by_name.end()) {
      j.Add(RuleId::ProvisionalNumber, entry, entry->name,
            fmt::format("{} has the provisional number {}, but {} is reserved for it", entry->name,
                        Text(entry->number), Text(own->second->number)),
            RenumberFix(j));
    } else if (provisional.contains(entry->name)) {
      j.Add(RuleId::ProvisionalNumber, entry, entry->name,
            fmt::format("{} has the provisional number {}, assigned offline", entry->name,
                        Text(entry->number)),
            RenumberFix(j));
    } else if (j.lists.reservations && entry->number <= j.lists.high_water) {
      j.Add(RuleId::NotReserved, entry, entry->name,
            fmt::format("{} takes {}, but the ledger has already assigned numbers up to {}",
                        entry->name, Text(entry->number), Text(j.lists.high_water)),
            RenumberFix(j));
    } else if (j.lists.reservation_required) {
      j.Add(RuleId::NotReserved, entry, entry->name,
            fmt::format("{} ({}) is not reserved{}", entry->name, Text(entry->number),
                        !j.lists.reservations ? ", or the ledger has not been fetched yet"
                        : j.lists.ledger_copy.empty()
                            ? ""
                            : fmt::format(" in this clone's copy of the ledger from {} (update it "
                                          "with revctl check --fetch)",
                                          j.lists.ledger_copy)),
            j.lists.reservations ? RenumberFix(j) : findings::Fix("revctl check --fetch"));
    }
  }
}

}  // namespace revctl::list::detail
