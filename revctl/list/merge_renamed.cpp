#include "revctl/list/merge_renamed.h"

#include <fmt/core.h>
#include <algorithm>

namespace revctl::list::detail {

/// What `side` has in the place of an entry of the base that it lacks: a new name on the same
/// number, which the ledger does not know as a revision of its own.
const PendingItem* RenamedMerge::Heir(const Side& side, const Item& base) const {
  if (base.kind != EntryKind::Revision || side.Frame(base.name) != nullptr) return nullptr;
  const auto found = side.pending_by_number.find(base.number);
  if (found == side.pending_by_number.end()) return nullptr;
  const PendingItem& heir = side.pending[found->second];
  if (work_.base->Pending(heir.item.name) != nullptr || work_.reservations.Of(heir.item.name))
    return nullptr;
  return &heir;
}

/// The neighbours of base[i] are on `side` too, or were replaced likewise: so base[i] may have been
/// renamed there. Where a whole run is gone, what has its numbers is another line's.
bool RenamedMerge::InPlace(const Side& side, std::size_t i) const {
  const auto& items = work_.base->body.items;
  const auto there = [&](const Item& item) {
    return side.Frame(item.name) != nullptr || Heir(side, item) != nullptr;
  };
  const auto revision = [](const Item& item) { return item.kind == EntryKind::Revision; };
  const auto at = items.begin() + static_cast<std::ptrdiff_t>(i);
  const auto below = std::find_if(at + 1, items.end(), revision);
  const auto above = std::find_if(std::make_reverse_iterator(at), items.rend(), revision);
  return (below == items.end() || there(*below)) && (above == items.rend() || there(*above));
}

Origin RenamedMerge::OriginOf(const Side& side, const PendingItem& heir, const Item& base) const {
  if (work_.context.origin) {
    const std::string_view text = &side == work_.ours.get() ? work_.input.ours : work_.input.theirs;
    const Origin origin = work_.context.origin(text, heir.item.name, base.name);
    if (origin != Origin::Unknown) return origin;
  }
  // A comment that both have says that it is one line; a revision that landed later, that this side
  // once had the landed one.
  const auto& frame = side.body.items;
  const bool later = std::any_of(frame.begin(), frame.end(), [&](const Item& item) {
    return item.kind == EntryKind::Revision && item.number > base.number;
  });
  const bool speaks = (base.lead + base.tail).find_first_not_of(" \t\r\n,") != std::string::npos;
  return later && speaks && heir.item.lead == base.lead && heir.item.tail == base.tail
             ? Origin::Renamed
             : Origin::Unknown;
}

bool RenamedMerge::Settle(const std::string& name) {
  const std::size_t i = work_.base->frame_index.at(name);
  const Item& base = work_.base->body.items[i];
  bool settled = false;
  for (const auto& side : {work_.ours, work_.theirs}) {
    const PendingItem* const heir = Heir(*side, base);
    if (heir == nullptr || !InPlace(*side, i)) continue;
    settled = true;
    const Origin origin = OriginOf(*side, *heir, base);
    if (origin == Origin::Own) continue;                          // pending: it follows
    if (!work_.dropped.insert(heir->item.name).second) continue;  // both sides have it alike
    if (origin == Origin::Renamed) AddName(*heir, base);
    else Contradict(*side, *heir, base);
  }
  return settled;
}

/// The landed name stays what it is; the new one becomes another name for it, so that the code of
/// either side goes on to mean the same revision.
void RenamedMerge::AddName(const PendingItem& heir, const Item& base) {
  Item alias = heir.item;
  alias.gap.clear();
  alias.kind = EntryKind::Alias;
  if (!alias.Explicit()) alias.assign = " = ";
  alias.initializer = alias.alias_of = base.name;
  if (alias.tail == base.tail && alias.OwnLine()) {
    alias.tail = work_.line_end;
    alias.comma_at = 0;
  }
  work_.Say(fmt::format(
      "{} has landed, so it keeps its name. {}, as one side calls it, becomes another name for it. "
      "If it is a revision of its own, take it out and `revctl reserve` it",
      base.name, alias.name));
  std::vector<Item>& names = new_names_[base.name];
  names.push_back(std::move(alias));
  names.insert(names.end(), heir.aliases.begin(), heir.aliases.end());
}

void RenamedMerge::Contradict(const Side& side, const PendingItem& heir, const Item& base) {
  const bool mine = &side == work_.ours.get();
  const Item* const other = (mine ? work_.theirs : work_.ours)->Frame(base.name);
  std::string replaced = heir.item.Chunk(true);
  for (const Item& alias : heir.aliases) replaced += alias.Chunk(true);
  const std::string landed = (other != nullptr ? *other : base).Chunk(true);
  work_.marked[base.name] = mine ? Marked(replaced, landed, work_.marking, work_.line_end)
                                 : Marked(landed, replaced, work_.marking, work_.line_end);
  const std::string number = std::to_string(base.number);
  work_.Conflict(fmt::format(
      "{} has landed as {}, and one side has {} on that number instead. Keep {}. If {} is a "
      "revision of its own, put it last, with the next number, and run `revctl renumber`. If it is "
      "only a new name, write {} = {}",
      base.name, number, heir.item.name, base.name, heir.item.name, heir.item.name, base.name));
}

std::vector<Item> RenamedMerge::NamesFor(const std::string& name) const {
  const auto found = new_names_.find(name);
  return found == new_names_.end() ? std::vector<Item>() : found->second;
}

}  // namespace revctl::list::detail
