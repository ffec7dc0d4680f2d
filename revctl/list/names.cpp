#include "revctl/list/names.h"

#include <algorithm>
#include <cctype>
#include <string>

#include "revctl/list/entry_kinds.h"

namespace revctl::list {
namespace {

/// `MINIMAL`, `SR_OLDEST`, `kVersion_LowestSupported`: what lists call the alias that follows the
/// oldest readable revision.
bool IsOldestName(std::string_view name) {
  std::string lower;
  for (char c : name) {
    if (c != '_') lower += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  }
  for (std::string_view word :
       {"minimal", "minimum", "oldest", "lowest", "lowsupport", "lowsupported", "lowestsupport",
        "lowestsupported", "minsupported"}) {
    if (std::string_view(lower).ends_with(word)) return true;
  }
  return false;
}

}  // namespace

bool MovesByNature(const Entry& name, const RevisionList& list, const ListConfig& config) {
  if (name.kind == EntryKind::Sentinel || !name.one_below.empty() || name.name == config.oldest ||
      IsOldestName(name.name))
    return true;
  const Entry* const current = list.Current(config);
  if (current != nullptr && current->name == name.name) return true;
  if (!name.alias_of.empty()) return false;
  // Without `=` it counts; with the latest's number it is kept equal by hand.
  const Entry* const latest = list.Latest();
  return !name.explicit_number || (latest != nullptr && latest->number == name.number);
}

std::vector<const Entry*> NewNames(const RevisionList& landed, const RevisionList& list,
                                   const ListConfig& config) {
  std::vector<const Entry*> names;
  for (const Entry& entry : list.entries) {
    if (entry.kind != EntryKind::Alias || entry.alias_of.empty() ||
        MovesByNature(entry, list, config) || landed.Find(entry.name) != nullptr)
      continue;
    const bool declared =
        std::any_of(config.aliases.begin(), config.aliases.end(),
                    [&](const std::string& glob) { return detail::MatchesGlob(entry.name, glob); });
    const bool of_landed =
        std::any_of(landed.entries.begin(), landed.entries.end(), [&](const Entry& old) {
          return old.kind == EntryKind::Revision && old.number == entry.number;
        });
    if (!declared && of_landed) names.push_back(&entry);
  }
  return names;
}

}  // namespace revctl::list
