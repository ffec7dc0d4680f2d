#include "revctl/list/rules/rule_check.h"

#include <fmt/core.h>
#include <algorithm>

namespace revctl::list {
namespace detail {

using findings::Finding;
using findings::Severity;

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
}

const Entry* RuleCheck::Landed(const std::string& name) const {
  const auto entry = there.find(name);
  return entry != there.end() && entry->second->kind == EntryKind::Revision ? entry->second
                                                                            : nullptr;
}

std::string RuleCheck::There(const Entry& entry) const {
  return fmt::format("{} ({}, line {} on {}{})", entry.name, Text(entry.number), entry.line,
                     lists.target_label,
                     lists.target_commit.empty() ? "" : " at " + lists.target_commit.substr(0, 10));
}

Finding& RuleCheck::Add(findings::RuleId rule, const Entry* entry, std::string revision,
                        std::string message, std::string fix, Severity severity) {
  Finding finding{.rule = rule,
                  .severity = severity,
                  .message = std::move(message),
                  .file = merged.path,
                  .line = entry != nullptr ? entry->line : merged.enum_line,
                  .revision = std::move(revision),
                  .fix = std::move(fix)};
  return found.emplace_back(std::move(finding));
}

}  // namespace detail

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
