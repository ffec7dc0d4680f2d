#include "revctl/list/names.h"

#include <string>

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

}  // namespace revctl::list
