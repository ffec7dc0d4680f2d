#include "revctl/list/names.h"

#include <algorithm>
#include <cctype>
#include <string>
#include <unordered_set>

#include "revctl/base/ascii.h"
#include "revctl/list/entry_kinds.h"

namespace revctl::list {

bool IsOldestName(std::string_view name) {
  std::string lower;
  for (char c : name) {
    if (c != '_') lower += base::Lower(c);
  }
  for (std::string_view word :
       {"minimal", "minimum", "oldest", "lowest", "lowsupport", "lowsupported", "lowestsupport",
        "lowestsupported", "minsupported"}) {
    if (std::string_view(lower).ends_with(word)) return true;
  }
  return false;
}

MovingNames::MovingNames(const RevisionList& list, const ListConfig& config)
    : config_(config), current_(list.Current(config)), latest_(list.Latest()) {}

bool MovingNames::Has(const Entry& name) const {
  if (name.kind == EntryKind::Sentinel || !name.one_below.empty() || name.name == config_.oldest ||
      IsOldestName(name.name))
    return true;
  if (current_ != nullptr && current_->name == name.name) return true;
  if (!name.alias_of.empty()) return false;
  // Without `=` it counts; with the latest's number it is kept equal by hand.
  return !name.explicit_number || (latest_ != nullptr && latest_->number == name.number);
}

std::vector<const Entry*> NewNames(const RevisionList& landed, const RevisionList& list,
                                   const ListConfig& config) {
  std::vector<const Entry*> names;
  std::unordered_set<std::int64_t> numbers;
  for (const Entry& old : landed.entries) {
    if (old.kind == EntryKind::Revision) numbers.insert(old.number);
  }
  const MovingNames moving(list, config);
  for (const Entry& entry : list.entries) {
    if (entry.kind != EntryKind::Alias || entry.alias_of.empty() || moving.Has(entry) ||
        landed.Find(entry.name) != nullptr)
      continue;
    const bool declared =
        std::any_of(config.aliases.begin(), config.aliases.end(),
                    [&](const std::string& glob) { return detail::MatchesGlob(entry.name, glob); });
    if (!declared && numbers.contains(entry.number)) names.push_back(&entry);
  }
  return names;
}

}  // namespace revctl::list
