#include "revctl/list/rules/rule_check.h"

#include <fmt/core.h>
#include <algorithm>
#include <deque>

#include "revctl/findings/rule_table.h"

namespace revctl::list {
namespace detail {

using findings::Finding;

RuleCheck::RuleCheck(const CheckedLists& judged_lists, const ListConfig& list_config)
    : lists(judged_lists), merged(*judged_lists.merged), config(list_config) {
  for (const Entry& entry : merged.entries) here.emplace(entry.name, &entry);
  if (lists.target != nullptr) {
    for (const Entry& entry : lists.target->entries) {
      there.emplace(entry.name, &entry);
      if (entry.kind != EntryKind::Revision) continue;
      landed_by_number.emplace(entry.number, &entry);
      if (last_landed == nullptr || entry.number > last_landed->number) last_landed = &entry;
    }
  }
  for (const Entry& entry : merged.entries) {
    if (entry.kind != EntryKind::Revision || Landed(entry.name) != nullptr) continue;
    (config.purged.contains(entry.name) ? returned : pending).push_back(&entry);
  }
  const auto found_oldest = here.find(config.oldest);
  if (found_oldest != here.end()) oldest = found_oldest->second;
  FindHeirs();
  FindMisplaced();
}

bool RuleCheck::IsOwn(const Entry& pending_entry) const {
  if (lists.own.contains(pending_entry.name)) return true;
  if (!lists.reservations) return false;
  return std::any_of(lists.reservations->begin(), lists.reservations->end(),
                     [&](const Reservation& one) { return one.name == pending_entry.name; });
}

void RuleCheck::FindHeirs() {
  if (lists.target == nullptr) return;
  std::map<std::int64_t, std::deque<const Entry*>> by_number;
  for (const Entry* entry : pending) {
    if (entry->pending_file.empty()) by_number[entry->number].push_back(entry);
  }
  for (const Entry& landed : lists.target->entries) {
    if (landed.kind != EntryKind::Revision || IsKeptOrPurged(landed)) continue;
    const auto same_number = by_number.find(landed.number);
    if (same_number == by_number.end() || same_number->second.empty()) continue;
    const Entry* const heir = same_number->second.front();
    same_number->second.pop_front();
    (IsOwn(*heir) ? replaced : heirs).emplace(landed.name, heir);
    renamed.insert(heir->name);
  }
  FindHeirsByPlace();
}

/// Finds the heir of a missing landed revision by position: the only pending entry between the
/// missing revision's neighbors, if both are still there. A new revision would instead come after
/// all landed revisions.
void RuleCheck::FindHeirsByPlace() {
  std::unordered_map<const Entry*, std::size_t> place;
  for (const Entry& entry : merged.entries) place.emplace(&entry, place.size());
  // the previous landed entry in `merged`, and the missing entry after it
  const Entry *before = nullptr, *missing = nullptr;
  bool several = false;
  for (const Entry& landed : lists.target->entries) {
    if (landed.kind != EntryKind::Revision) continue;
    if (!IsKeptOrPurged(landed)) {
      several = missing != nullptr;
      missing = &landed;
      continue;
    }
    const auto kept = here.find(landed.name);
    const Entry* const after = kept == here.end() ? nullptr : kept->second;
    if (missing != nullptr && !several && before != nullptr && after != nullptr &&
        !heirs.contains(missing->name) && !replaced.contains(missing->name)) {
      std::vector<const Entry*> between;
      for (const Entry* entry : pending) {
        if (entry->pending_file.empty() && place.at(entry) > place.at(before) &&
            place.at(entry) < place.at(after))
          between.push_back(entry);
      }
      if (between.size() == 1 && !IsOwn(*between[0]) && renamed.insert(between[0]->name).second)
        heirs.emplace(missing->name, between[0]);
    }
    before = after;
    missing = nullptr;
    several = false;
  }
}

void RuleCheck::FindMisplaced() {
  std::map<std::int64_t, const Entry*> owner(landed_by_number);
  for (const Entry* entry : pending) {
    // Skip revisions in pending files, because the fold assigns their numbers correctly once the
    // list is fixed.
    if (renamed.contains(entry->name) || !entry->pending_file.empty()) continue;
    const auto [place, fresh] = owner.emplace(entry->number, entry);
    if (!fresh) taken.emplace(entry, place->second);
    if (!fresh) misplaced.insert(entry->name);
  }
  for (const Entry* entry : pending) {
    if (last_landed == nullptr || entry->number > last_landed->number ||
        misplaced.contains(entry->name) || renamed.contains(entry->name) ||
        !entry->pending_file.empty())
      continue;
    late.insert(entry->name);
    misplaced.insert(entry->name);
  }
}

bool RuleCheck::IsKeptOrPurged(const Entry& landed) const {
  const auto now = here.find(landed.name);
  return (now != here.end() && now->second->kind == EntryKind::Revision) ||
         (oldest != nullptr && landed.number < oldest->number);
}

const Entry* RuleCheck::Landed(const std::string& name) const {
  const auto entry = there.find(name);
  return entry != there.end() && entry->second->kind == EntryKind::Revision ? entry->second
                                                                            : nullptr;
}

std::string RuleCheck::There(const Entry& entry) const {
  return fmt::format("{} ({}, line {} {} {}{})", entry.name, Text(entry.number), entry.line,
                     lists.in_repository ? "on" : "of", lists.target_label,
                     lists.target_commit.empty() ? "" : " at " + lists.target_commit.substr(0, 10));
}

findings::Fix RuleCheck::FixByHand(findings::RuleId rule, findings::Fix fix) const {
  using enum findings::RuleId;
  switch (rule) {
    case LandedRemoved:
    case LandedRenumbered:
      return fmt::format("restore the landed line from {}", lists.target_label);
    case NumberTwice:
    case LandsLate:
    case OutOfOrder:
      return last_landed == nullptr
                 ? "give each new revision a higher number than the one above it"
                 : fmt::format(
                       "move the new revisions after {} and give them ascending numbers above {}",
                       last_landed->name, Text(last_landed->number));
    case NameTwice:
      return "give the new revision another name";
    case CurrentNotLatest:
      return "set `current` to the latest revision";
    case NumberInComment:
      return "correct the number in the comment";
    case SentinelNotLast:
      return "move it to the end of the enum, and remove its number";
    case NumberTooLarge:
      return "give it a smaller number";
    default:
      return fix;
  }
}

Finding& RuleCheck::Add(findings::RuleId rule, const Entry* entry, std::string revision,
                        std::string message, findings::Fix fix) {
  if (!lists.in_repository) fix = FixByHand(rule, std::move(fix));
  Finding finding{.rule = rule,
                  .severity = findings::RuleOf(rule).severity,
                  .message = std::move(message),
                  .file = merged.path,
                  .line = entry != nullptr ? entry->line : merged.enum_line,
                  .revision = std::move(revision),
                  .fix = std::move(fix)};
  return found.emplace_back(std::move(finding));
}

}  // namespace detail

std::vector<Renamed> FindRenamed(const CheckedLists& lists, const ListConfig& config) {
  const detail::RuleCheck check(lists, config);
  std::vector<Renamed> out;
  for (const auto& [name, heir] : check.heirs) out.push_back({check.there.at(name), heir});
  return out;
}

std::set<std::string> LateRevisions(const CheckedLists& lists, const ListConfig& config) {
  return detail::RuleCheck(lists, config).late;
}

std::vector<findings::Finding> CheckRules(const CheckedLists& lists, const ListConfig& config) {
  detail::RuleCheck check(lists, config);
  detail::CheckLanded(check);
  detail::CheckOrder(check);
  detail::CheckWriting(check);
  detail::CheckComments(check);
  detail::CheckReservations(check);
  std::stable_sort(
      check.found.begin(), check.found.end(),
      [](const findings::Finding& a, const findings::Finding& b) { return a.line < b.line; });
  return std::move(check.found);
}

}  // namespace revctl::list
