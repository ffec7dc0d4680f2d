#include <fmt/core.h>
#include <algorithm>

#include "revctl/base/ascii.h"
#include "revctl/list/reading/entries.h"
#include "revctl/list/rules/rule_check.h"
#include "revctl/list/writing/edit.h"

namespace revctl::list::detail {

using findings::RuleId;

namespace {

/// Returns the edit distance of two short words, ignoring case.
std::size_t Distance(std::string_view x, std::string_view y) {
  const std::string a = base::Lower(x), b = base::Lower(y);
  std::vector<std::size_t> row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) row[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t above = row[j];
      row[j] = std::min({row[j] + 1, row[j - 1] + 1, diagonal + (a[i - 1] == b[j - 1] ? 0 : 1)});
      diagonal = above;
    }
  }
  return row[b.size()];
}

// Checks RV008.
void CurrentIsLatest(RuleCheck& j) {
  const Entry* const current = j.merged.Current(j.config);
  const Entry* const latest = j.merged.Latest();
  if (!j.config.current.empty() && current == nullptr) {
    j.Add(RuleId::CurrentNotLatest, nullptr, j.config.current,
          fmt::format("`current` names {}, which is not an entry of this list", j.config.current),
          j.there.contains(j.config.current) ? RestoreFix(j)
                                             : findings::Fix("correct `current` in .revctl.yaml"));
    return;
  }
  if (current == nullptr || latest == nullptr || current->number == latest->number) return;
  const Entry* const before =
      j.lists.target != nullptr ? j.lists.target->Current(j.config) : nullptr;
  const bool as_on_target = before != nullptr && before->number == current->number &&
                            j.last_landed != nullptr && j.last_landed->number == latest->number;
  // If the config does not name `current`, tolerate an outdated `current` that has already landed.
  if (as_on_target && j.config.current.empty()) return;
  j.Add(RuleId::CurrentNotLatest, current, current->name,
        fmt::format("{} is {}, but the latest revision is {} ({}, {})", current->name,
                    Text(current->number), latest->name, Text(latest->number), j.At(*latest)),
        findings::Fix::Mechanical());
}

/// Returns the name that an entry without the prefix should probably have: `SR_BOSS` for `RS_BOSS`.
std::string AsRevision(const RuleCheck& j, const std::string& name, bool alike) {
  const std::size_t end = std::min(name.find('_'), name.size() - 1) + 1;
  const std::string &prefix = j.config.prefix, begin = name.substr(0, end);
  const bool turned = std::is_permutation(begin.begin(), begin.end(), prefix.begin(), prefix.end());
  return prefix + ((alike && end <= prefix.size() + 1) || turned ? name.substr(end) : name);
}

/// Returns the config line that adds `name` to `aliases`: `aliases: ["RELEASE_*", BOSS]`.
std::string AliasesWith(const RuleCheck& j, const std::string& name) {
  std::string out = "aliases: [";
  for (const std::string& glob : j.config.aliases) out += '"' + glob + "\", ";
  return out + name + "]";
}

// Checks RV009.
void Typos(RuleCheck& j) {
  if (j.config.prefix.empty()) return;
  const Entry* last = nullptr;
  for (const Entry& entry : j.merged.entries) {
    if (entry.kind == EntryKind::Revision) last = &entry;
  }
  for (const Entry& entry : j.merged.entries) {
    const bool stands_for_itself =
        entry.kind == EntryKind::Alias && entry.alias_of.empty() && entry.one_below.empty();
    if (!stands_for_itself || j.there.contains(entry.name) ||
        entry.name.starts_with(j.config.prefix))
      continue;
    if (entry.name == j.config.current || entry.name == j.config.sentinel ||
        IsAliasName(entry.name, j.config))
      continue;
    const bool among = last != nullptr && (entry.line < last->line ||
                                           (last->number < entry.number && entry.explicit_number));
    const bool alike = Distance(std::string_view(entry.name).substr(0, j.config.prefix.size()),
                                j.config.prefix) <= (j.config.prefix.size() > 3 ? 2u : 1u);
    if (!among && !alike) continue;
    j.Add(RuleId::NameWithoutPrefix, &entry, entry.name,
          fmt::format("{} ({}) looks like a revision, but does not begin with {}", entry.name,
                      Text(entry.number), j.config.prefix),
          fmt::format("if it is a revision, rename it to {}; otherwise, first land a commit that "
                      "sets `{}` for this list in .revctl.yaml",
                      AsRevision(j, entry.name, alike), AliasesWith(j, entry.name)));
  }
}

// Checks RV013.
void SentinelIsLast(RuleCheck& j) {
  if (!j.config.sentinel.empty() && !j.here.contains(j.config.sentinel)) {
    j.Add(RuleId::SentinelNotLast, nullptr, j.config.sentinel,
          fmt::format("`sentinel` names {}, which is not an entry of this list", j.config.sentinel),
          j.there.contains(j.config.sentinel)
              ? RestoreFix(j)
              : findings::Fix("correct `sentinel` in .revctl.yaml"));
    return;
  }
  const Entry* sentinel = nullptr;
  const Entry* const latest = j.merged.Latest();
  for (const Entry& entry : j.merged.entries) {
    if (entry.kind == EntryKind::Sentinel) sentinel = &entry;
    if (entry.kind != EntryKind::Revision || sentinel == nullptr) continue;
    // `revctl fix` moves only pending entries, so a landed entry must be fixed by hand.
    const bool above_landed =
        std::any_of(j.merged.entries.begin(), j.merged.entries.end(), [&](const Entry& one) {
          return one.line > sentinel->line && j.Landed(one.name) != nullptr;
        });
    j.Add(RuleId::SentinelNotLast, sentinel, sentinel->name,
          fmt::format("{} is the sentinel and must be last, but {} comes after it ({})",
                      sentinel->name, entry.name, j.At(entry)),
          above_landed ? findings::Fix("move it to the end of the enum, without a number")
                       : findings::Fix::Mechanical());
    return;
  }
  if (sentinel == nullptr || latest == nullptr || sentinel->number > latest->number) return;
  j.Add(RuleId::SentinelNotLast, sentinel, sentinel->name,
        fmt::format("{} is {}, but must be greater than {} ({}, {})", sentinel->name,
                    Text(sentinel->number), latest->name, Text(latest->number), j.At(*latest)),
        sentinel->explicit_number ? findings::Fix(fmt::format("move {} after {}, without a number",
                                                              sentinel->name, latest->name))
                                  : findings::Fix::Mechanical());
}

/// If the entry is pending and the enum's type can hold the next free numbers, returns the fix that
/// assigns a new number. Otherwise returns `otherwise`.
findings::Fix Narrower(const RuleCheck& j, const Entry& entry, std::string otherwise) {
  const auto pending = std::find_if(j.pending.begin(), j.pending.end(), [&](const Entry* one) {
    return one->name == entry.name && one->pending_file.empty();
  });
  const std::int64_t last = (j.last_landed != nullptr ? j.last_landed->number : 0) +
                            static_cast<std::int64_t>(j.pending.size());
  const bool fits = last <= kLargestNumber && FitsEnum(j.merged, last);
  return pending != j.pending.end() && fits ? RenumberFix(j) : findings::Fix(std::move(otherwise));
}

/// Returns the smallest standard type of at least 16 bits that can hold all numbers of the list.
std::string Wider(const RevisionList& list) {
  std::int64_t lowest = 0, highest = 0;
  for (const Entry& entry : list.entries) {
    lowest = std::min(lowest, entry.number);
    highest = std::max(highest, entry.number);
  }
  for (const int bits : {16, 32}) {
    const std::int64_t span = std::int64_t{1} << (bits - 1);
    if (lowest >= -span && highest < span) return fmt::format("std::int{}_t", bits);
  }
  return "std::int64_t";
}

// Checks RV014.
void FitsHeader(RuleCheck& j) {
  for (const Entry* entry : j.pending) {
    if (entry->number >= kSmallestNumber && entry->number <= kLargestNumber) continue;
    j.Add(RuleId::NumberTooLarge, entry, entry->name,
          fmt::format("{} is {}, but a file header stores only {} to {}", entry->name,
                      Text(entry->number), Text(kSmallestNumber), Text(kLargestNumber)),
          Narrower(j, *entry, "remove it, because a file header cannot store it"));
  }
}

void FitsType(RuleCheck& j) {
  const auto [lowest, highest] = RangeOfEnum(j.merged);
  for (const Entry& entry : j.merged.entries) {
    if (FitsEnum(j.merged, entry.number)) continue;
    j.Add(RuleId::NumberTooLarge, &entry, entry.name,
          fmt::format("{} is {}, but the limit of {} is {}", entry.name, Text(entry.number),
                      j.merged.underlying.empty() ? "int" : j.merged.underlying,
                      Text(entry.number > highest ? highest : lowest)),
          Narrower(j, entry,
                   fmt::format("change the enum's type from {1} to {0}", Wider(j.merged),
                               j.merged.underlying.empty() ? "int" : j.merged.underlying)));
  }
}

}  // namespace

void CheckWriting(RuleCheck& check) {
  CurrentIsLatest(check);
  Typos(check);
  SentinelIsLast(check);
  FitsHeader(check);
  FitsType(check);
}

}  // namespace revctl::list::detail
