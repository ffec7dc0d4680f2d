#include "revctl/workspace/numbering.h"

#include <fmt/core.h>
#include <algorithm>

#include "revctl/list/writing/edit.h"

namespace revctl::commands {
namespace {

const list::Entry* FindRevision(const list::RevisionList* list, std::string_view name) {
  const list::Entry* entry = list == nullptr ? nullptr : list->Find(name);
  return entry != nullptr && entry->kind == list::EntryKind::Revision ? entry : nullptr;
}

std::optional<std::int64_t> Last(const list::RevisionList* list) {
  const list::Entry* latest = list == nullptr ? nullptr : list->Latest();
  return latest == nullptr ? std::nullopt : std::optional<std::int64_t>(latest->number);
}

}  // namespace

std::optional<std::int64_t> Numbering::LastLanded() const { return Last(landed); }

bool Numbering::HasLanded(std::string_view name) const {
  return FindRevision(landed, name) != nullptr;
}

Result<std::int64_t> Numbering::Next() const {
  std::optional<std::int64_t> highest;
  // The list's highest number, ignoring handwritten numbers that are too large for a save file
  // (RV014).
  std::optional<std::int64_t> here;
  for (const list::Entry* entry : working->Revisions()) {
    if (entry->number <= list::kLargestNumber && list::FitsEnum(*working, entry->number))
      here = std::max(here.value_or(entry->number), entry->number);
  }
  for (const auto& candidate : {Last(landed), here, ledger.high_water}) {
    if (candidate) highest = std::max(highest.value_or(*candidate), *candidate);
  }
  if (!highest) return std::int64_t{1};
  if (*highest >= list::kLargestNumber) {
    const std::string end =
        fmt::format("no number is left after {}, because a file header stores at most {}", *highest,
                    list::kLargestNumber);
    if (ledger.high_water == highest)
      return Error{Exit::Usage, end + ", and the ledger has assigned that number",
                   fmt::format("revctl show {}   # shows the event that assigned it", *highest)};
    return Error{Exit::Usage, end, "remove the pending entry with that number"};
  }
  return std::max(*highest + 1, list::kSmallestNumber);
}

std::vector<const list::Entry*> Numbering::Pending() const {
  std::vector<const list::Entry*> out;
  for (const list::Entry* entry : working->Revisions()) {
    if (!HasLanded(entry->name) && !WasPurged(entry->name)) out.push_back(entry);
  }
  return out;
}

const list::Entry* Numbering::Holder(std::int64_t number, std::string_view but) const {
  for (const list::RevisionList* list : {landed, working}) {
    if (list == nullptr) continue;
    for (const list::Entry* entry : list->Revisions()) {
      if (entry->number == number && entry->name != but) return entry;
    }
  }
  return nullptr;
}

ledger::ListState WithoutLanded(ledger::ListState ledger, const list::RevisionList* landed,
                                const list::Names& purged) {
  if (landed == nullptr) return ledger;
  std::erase_if(ledger.open, [&](const ledger::Reservation& r) {
    return FindRevision(landed, r.name) != nullptr || purged.contains(r.name);
  });
  if (auto last = Last(landed))
    ledger.high_water = std::max(ledger.high_water.value_or(*last), *last);
  return ledger;
}

}  // namespace revctl::commands
