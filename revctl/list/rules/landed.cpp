#include <fmt/core.h>
#include <algorithm>

#include "revctl/base/ascii.h"
#include "revctl/list/reading/entries.h"
#include "revctl/list/rules/rule_check.h"

namespace revctl::list::detail {

using findings::RuleId;

namespace {

/// True if the lines of both entries differ only in digits and whitespace, for example because a
/// manual merge kept both versions.
bool SaySame(const RuleCheck& j, const Entry& one, const Entry& other) {
  const auto words = [&](const Entry& entry) {
    std::string text = j.merged.text.substr(entry.lines.begin, entry.lines.end - entry.lines.begin);
    std::erase_if(text, [](char c) { return base::IsDigit(c) || base::IsBlank(c) || c == '\n'; });
    return text;
  };
  return words(one) == words(other);
}

// Checks RV002.
void NamesTwice(RuleCheck& j) {
  for (const Entry& entry : j.merged.entries) {
    const Entry* const first = j.here.at(entry.name);
    if (first == &entry) continue;
    const Entry* const landed = j.Landed(entry.name);
    const bool first_is_new =
        landed != nullptr && entry.number == landed->number && first->number != landed->number;
    const Entry &newer = first_is_new ? *first : entry, &older = first_is_new ? entry : *first;
    j.Add(RuleId::NameTwice, &newer, entry.name,
          fmt::format("{} is {} here and {} at {}", entry.name, Text(newer.number),
                      Text(older.number), j.At(older)),
          SaySame(j, *first, entry)
              ? findings::Fix::Mechanical()
              : findings::Fix(fmt::format("give the {} entry a different name",
                                          landed == nullptr ? "newer" : "pending")));
  }
}

// Checks RV002 for purged names: code and files from before the purge still use such a name with
// its old meaning.
void PurgedStaysAway(RuleCheck& j) {
  for (const Entry* entry : j.returned) {
    j.Add(RuleId::NameTwice, entry, entry->name,
          fmt::format("{} ({}) landed on {} and was later purged, but this list contains it again; "
                      "old code that uses {} would refer to a different revision, so choose "
                      "another name for a new revision",
                      entry->name, Text(entry->number), j.lists.target_label, entry->name),
          findings::Fix::Mechanical());
  }
}

/// Returns the fix for a landed revision that has been renamed to `heir` (RV005).
findings::Fix FixOfRename(const RuleCheck& j, const Entry& landed, const Entry& heir) {
  const std::string number = Text(landed.number);
  if (!j.lists.in_repository)
    return fmt::format("restore {0} = {1}; if code needs the new name, add {2} = {0} below it",
                       landed.name, number, heir.name);
  if (j.lists.moved_in_code.contains(heir.name) && heir.number == landed.number)
    return findings::Fix::Mechanical();
  return fmt::format(
      "if {0} is a new name for {1}: restore {1} = {2} and add {0} = {1} below it\nif it is a "
      "mistake: change {0} back to {1} in the list and in the code\nif it is a separate revision: "
      "remove its line, then run revctl reserve {0} and revctl fix",
      heir.name, landed.name, number);
}

// Checks RV003 and RV005.
void LandedStays(RuleCheck& j) {
  if (j.lists.target == nullptr) return;
  for (const Entry& landed : j.lists.target->entries) {
    if (landed.kind != EntryKind::Revision || j.IsKeptOrPurged(landed)) continue;
    const auto heir = j.heirs.find(landed.name);
    const auto other = j.replaced.find(landed.name);
    const auto found = j.here.find(landed.name);
    if (heir != j.heirs.end()) {
      findings::Finding& finding =
          j.Add(RuleId::LandedRenamed, heir->second, landed.name,
                fmt::format("{} has landed, but is renamed to {}{} here", j.There(landed),
                            heir->second->name,
                            heir->second->number == landed.number
                                ? ""
                                : fmt::format(" ({})", Text(heir->second->number))),
                FixOfRename(j, landed, *heir->second));
      finding.asks = j.lists.in_repository;
    } else if (other != j.replaced.end()) {
      j.Add(RuleId::LandedRemoved, other->second, landed.name,
            fmt::format("{} has landed, but is missing here, and {} has its number",
                        j.There(landed), other->second->name),
            RestoreFix(j));
    } else if (found != j.here.end()) {
      const Entry& now = *found->second;
      j.Add(RuleId::LandedRemoved, &now, landed.name,
            fmt::format("{} has landed, but is not a revision here{}", j.There(landed),
                        now.alias_of.empty() ? "" : ": it is an alias of " + now.alias_of),
            RestoreFix(j));
    } else {
      j.Add(RuleId::LandedRemoved, nullptr, landed.name,
            j.There(landed) +
                " has landed, but is missing here; to undo it, reserve a new revision that removes "
                "the field",
            RestoreFix(j));
    }
  }
}

// Checks RV004. Reports a single finding if an inserted entry shifts a run of implicit numbers.
void LandedKeepsNumbers(RuleCheck& j) {
  findings::Finding* run = nullptr;
  std::int64_t shift = 0;
  std::size_t more = 0;
  const Entry* inserted = nullptr;  // the entry above if it is pending, otherwise null
  const auto finish = [&] {
    if (run != nullptr && more > 0)
      run->message += fmt::format("; the same applies to {} more revision{} after it", more,
                                  more == 1 ? "" : "s");
    run = nullptr;
    more = 0;
  };
  for (const Entry& entry : j.merged.entries) {
    if (entry.kind != EntryKind::Revision) continue;
    const Entry* const landed = j.Landed(entry.name);
    if (landed == nullptr) {
      inserted = &entry;
      continue;
    }
    if (landed->number == entry.number) {
      finish();
    } else if (run != nullptr && !entry.explicit_number && entry.number - landed->number == shift) {
      ++more;
    } else {
      finish();
      shift = entry.number - landed->number;
      std::string message =
          fmt::format("{} has landed, but is {} here", j.There(*landed), Text(entry.number));
      findings::Fix fix = RestoreFix(j);
      if (!entry.explicit_number && inserted != nullptr) {
        message += fmt::format(", shifted by {} above it ({})", inserted->name, j.At(*inserted));
        fix = RenumberFix(j);
      }
      run =
          &j.Add(RuleId::LandedRenumbered, &entry, entry.name, std::move(message), std::move(fix));
      // The next Add() may reallocate `found`, so finish() must use this pointer before that.
    }
    inserted = nullptr;
  }
  finish();
}

/// True if an entry's number may change. This is the case for `current`, for the sentinel and names
/// computed from it, for `oldest` and names such as MINIMAL and LowestSupported, and for names that
/// people keep equal to the latest number.
bool MayMove(const Entry& name, const ListConfig& config, const Entry* current,
             const Entry* latest) {
  if (name.kind == EntryKind::Sentinel || !name.one_below.empty() || name.name == config.oldest ||
      IsOldestName(name.name))
    return true;
  if (current != nullptr && current->name == name.name) return true;
  if (!name.alias_of.empty()) return false;
  // An entry without `=` takes the next number, and people update an entry with the latest number
  // by hand, so both may change.
  return !name.explicit_number || (latest != nullptr && latest->number == name.number);
}

// Checks RV003 and RV004 for aliases of landed revisions, because code may use aliases in
// comparisons.
void LandedNamesStay(RuleCheck& j) {
  if (j.lists.target == nullptr) return;
  const Entry* const current = j.lists.target->Current(j.config);
  const Entry* const latest = j.lists.target->Latest();
  for (const Entry& landed : j.lists.target->entries) {
    if (landed.kind == EntryKind::Revision || MayMove(landed, j.config, current, latest)) continue;
    const std::string meant = landed.alias_of.empty() ? Text(landed.number) : landed.alias_of;
    const findings::Fix fix = RestoreFix(j);
    const auto found = j.here.find(landed.name);
    if (found == j.here.end()) {
      // The alias was purged together with its revision.
      if (j.oldest != nullptr && landed.number < j.oldest->number) continue;
      j.Add(RuleId::LandedRemoved, nullptr, landed.name,
            fmt::format("{} has landed as an alias of {}, but is missing here", j.There(landed),
                        meant),
            fix);
      continue;
    }
    const Entry& now = *found->second;
    if (now.number == landed.number) continue;
    const std::string what = now.alias_of.empty()
                                 ? Text(now.number)
                                 : fmt::format("{} ({})", now.alias_of, Text(now.number));
    j.Add(RuleId::LandedRenumbered, &now, landed.name,
          fmt::format("{} has landed as an alias of {}, but is {} here", j.There(landed), meant,
                      what),
          fix);
  }
}

// Checks RV001.
void NumbersTwice(RuleCheck& j) {
  for (const Entry* entry : j.pending) {
    const auto taken = j.taken.find(entry);
    if (taken == j.taken.end()) continue;
    const Entry& other = *taken->second;
    const bool landed = j.Landed(other.name) == &other;
    j.Add(RuleId::NumberTwice, entry, entry->name,
          fmt::format(
              "{} takes {}, which {}{}", entry->name, Text(entry->number),
              landed ? j.There(other) : fmt::format("{} already has ({})", other.name, j.At(other)),
              landed ? " already has" : ""),
          RenumberFix(j));
  }
}

// Checks RV006.
void PendingAboveLanded(RuleCheck& j) {
  for (const Entry* entry : j.pending) {
    if (!j.late.contains(entry->name)) continue;
    j.Add(RuleId::LandsLate, entry, entry->name,
          fmt::format("{0} ({1}) would land after {2}, whose files do not contain {0}'s fields",
                      entry->name, Text(entry->number), j.There(*j.last_landed)),
          RenumberFix(j));
  }
}

}  // namespace

void CheckLanded(RuleCheck& check) {
  NamesTwice(check);
  PurgedStaysAway(check);
  LandedStays(check);
  LandedKeepsNumbers(check);
  LandedNamesStay(check);
  NumbersTwice(check);
  PendingAboveLanded(check);
}

}  // namespace revctl::list::detail
