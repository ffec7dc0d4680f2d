// Merges pending revisions and their aliases, and adds them at the end of the list.
#include <fmt/core.h>
#include <algorithm>

#include "revctl/findings/rule_table.h"
#include "revctl/list/merging/order.h"
#include "revctl/list/merging/work.h"
#include "revctl/list/writing/entry_style.h"
#include "revctl/list/writing/render_numbered.h"

namespace revctl::list::detail {
namespace {

/// A pending revision that will be added to the merged list.
struct Arrival {
  MergedEntry entry;
  std::vector<Item> aliases;
  std::vector<std::string> context;
  bool first_of_side = false;  ///< true if it is the first pending revision of its side
};

/// The position at which pending revisions are inserted, and the conditionals that are open there.
struct Gap {
  std::size_t at = 0;
  /// Offsets in the gap above items[at]: the start of the gap, and the end of each directive.
  std::vector<std::size_t> ends{0};
  std::vector<std::vector<std::string>> contexts;
};

class PendingMerge {
 public:
  explicit PendingMerge(MergeWork& work)
      : work_(work), sides_(work.sides), reservations_(work.context) {}

  std::optional<base::Error> Run() {
    FindRenamed();
    for (const auto& side : {sides_.ours, sides_.theirs}) {
      for (const PendingItem& pending : side->pending) {
        const std::string& name = pending.item.name;
        if (arrivals_.contains(name) || dropped_.contains(name) || work_.renamed.contains(name))
          continue;
        if (sides_.ours->Frame(name) != nullptr || sides_.theirs->Frame(name) != nullptr) {
          return Impossible(work_.input,
                            name + " is a pending revision on one side, but not on the other");
        }
        MergeOne(name);
      }
    }
    Gap place = FindPlace();
    if (!Put(place, Numbered(place)))
      return Impossible(work_.input, "both sides changed the #if where new revisions are added");
    return std::nullopt;
  }

 private:
  /// Finds pending revisions that one side renamed while the other side edited them. Without this
  /// step, the merged list would contain both names, with different numbers. A renamed revision is
  /// recognized by its line, which differs only in the name.
  void FindRenamed() {
    for (const PendingItem& base : sides_.base->pending) {
      for (const auto& [side, other] :
           {std::pair(sides_.ours, sides_.theirs), std::pair(sides_.theirs, sides_.ours)}) {
        const PendingItem* const kept = other->Pending(base.item.name);
        const auto found = side->pending_by_number.find(base.item.number);
        if (kept == nullptr || !kept->aliases.empty() || found == side->pending_by_number.end())
          continue;
        const PendingItem& heir = side->pending[found->second];
        const std::string& name = heir.item.name;
        if (side->Pending(base.item.name) != nullptr || side->Frame(base.item.name) != nullptr ||
            (kept->item.number == base.item.number &&
             kept->item.Chunk(true) == base.item.Chunk(true)))
          continue;
        if (sides_.base->Pending(name) != nullptr || sides_.base->Frame(name) != nullptr ||
            other->Pending(name) != nullptr || other->Frame(name) != nullptr)
          continue;
        if (heir.item.lead != base.item.lead || heir.item.tail != base.item.tail) continue;
        was_[name] = base.item.name;
        dropped_.insert(base.item.name);
        work_.Say(fmt::format(
            "one side renamed {} to {}; the other side's edits are kept under the new name. Run "
            "`revctl fix` to update its number, then `revctl abandon {}` to give up the old name",
            base.item.name, name, base.item.name));
      }
    }
  }

  /// Returns the version on `side` of the revision called `name` in the merged list, or null.
  const PendingItem* Find(const Side& side, const std::string& name) const {
    const PendingItem* const found = side.Pending(name);
    const auto was = was_.find(name);
    return found == nullptr && was != was_.end() ? side.Pending(was->second) : found;
  }

  void MergeOne(const std::string& name) {
    const PendingItem* const base = Find(*sides_.base, name);
    const PendingItem* const ours = Find(*sides_.ours, name);
    const PendingItem* const theirs = Find(*sides_.theirs, name);
    if (sides_.IsGone(name)) return;
    if ((ours == nullptr || theirs == nullptr) && base != nullptr)
      work_.Say(name + " is kept, because one side deletes it and the other changes it");
    const std::int64_t number = AgreedNumber(name, base, ours, theirs);
    const auto renumbered = [number, &name](const PendingItem* pending, Item& copy) -> const Item* {
      if (pending == nullptr) return nullptr;
      copy = pending->item;
      copy.name = name;
      RenumberComments(copy, copy.number, number);
      return &copy;
    };
    Item base_copy, ours_copy, theirs_copy;
    const Item* const base_item = renumbered(base, base_copy);
    const Item* const ours_item = renumbered(ours, ours_copy);
    const Item* const theirs_item = renumbered(theirs, theirs_copy);
    EntryRules rules = work_.Rules();
    rules.number = number;
    Arrival arrival;
    arrival.entry = MergeEntry(base_item, ours_item, theirs_item, rules);
    arrival.entry.item.number = number;
    // If both sides changed the blank lines and comments above the entry, keep one version instead
    // of reporting a conflict.
    arrival.entry.gap_marked.clear();
    if (arrival.entry.conflict) work_.Conflict(fmt::format("{} {}", name, arrival.entry.why));
    MergeAliases(ours, theirs, arrival);
    arrival.context =
        ours == nullptr ? theirs->context
        : theirs == nullptr
            ? ours->context
            : Pick(base != nullptr ? base->context : ours->context, ours->context, theirs->context,
                   [](const auto& a, const auto& b) { return std::min(a, b); });
    arrival.first_of_side = (ours != nullptr && ours == sides_.ours->pending.data()) ||
                            (theirs != nullptr && theirs == sides_.theirs->pending.data());
    if (!arrival.entry.conflict) KeepReleased(name, ours_item, theirs_item, arrival);
    arrivals_.emplace(name, std::move(arrival));
  }

  std::int64_t AgreedNumber(const std::string& name, const PendingItem* base,
                            const PendingItem* ours, const PendingItem* theirs) const {
    if (ours == nullptr || theirs == nullptr)
      return ours != nullptr ? ours->item.number : theirs->item.number;
    const std::int64_t a = ours->item.number, b = theirs->item.number;
    // If a side has the reserved number, that number wins, unless it is too low to land.
    const auto reserved = reservations_.Of(name);
    const bool can_land =
        reserved && (sides_.landed.order.empty() || *reserved > sides_.landed.highest);
    if (can_land && (*reserved == a || *reserved == b)) return *reserved;
    if (base == nullptr) return std::max(a, b);
    return Pick(base->item.number, a, b,
                [](std::int64_t x, std::int64_t y) { return std::max(x, y); });
  }

  /// Reports a conflict if this revision has landed on a release with a number at or below the
  /// target's highest landed number. Neither the release nor the target can change its number.
  void KeepReleased(const std::string& name, const Item* ours, const Item* theirs,
                    Arrival& arrival) {
    if (!work_.context.released) return;
    const auto released = work_.context.released(name);
    if (!released) return;
    const auto [number, where] = *released;
    if (sides_.landed.order.empty() || number > sides_.landed.highest) return;
    arrival.entry.conflict = true;
    arrival.entry.marked =
        Marked(ours != nullptr ? ours->Chunk(true) : std::string(),
               theirs != nullptr ? theirs->Chunk(true) : std::string(), work_.marking);
    const auto& last =
        *std::max_element(sides_.landed.order.begin(), sides_.landed.order.end(),
                          [](const auto& a, const auto& b) { return a.second < b.second; });
    work_.Conflict(fmt::format(
        "{} has landed as {} on {}, but the target lacks it and already has {} ({}), so it can no "
        "longer be added there. A release cannot add revisions; see `revctl explain {}`",
        name, number, where, last.first, last.second,
        findings::NameOf(findings::RuleId::ReleaseNotPrefix)));
  }

  void MergeAliases(const PendingItem* ours, const PendingItem* theirs, Arrival& arrival) {
    std::map<std::string, std::pair<const Item*, const Item*>> aliases;
    std::vector<std::vector<std::string>> orders(2);
    for (const PendingItem* side : {ours, theirs}) {
      if (side == nullptr) continue;
      for (const Item& alias : side->aliases) {
        (side == ours ? aliases[alias.name].first : aliases[alias.name].second) = &alias;
        orders[side == ours ? 0 : 1].push_back(alias.name);
      }
    }
    for (const std::string& name : MergedOrder(orders)) {
      const auto& [mine, other] = aliases[name];
      MergedEntry merged = MergeEntry(sides_.BaseItem(name), mine, other, work_.Rules());
      if (merged.conflict) work_.Conflict(fmt::format("{} {}", name, merged.why));
      if (merged.conflict) work_.marked.entries[name] = merged.marked;
      arrival.aliases.push_back(std::move(merged.item));
    }
  }

  Gap FindPlace() const {
    Gap place;
    const auto& items = work_.body.items;
    if (sides_.newest_first) {
      const auto first = std::find_if(items.begin(), items.end(), [](const Item& item) {
        return item.kind == EntryKind::Revision;
      });
      place.at = static_cast<std::size_t>(first - items.begin());
      place.contexts.emplace_back();
      return place;
    }
    std::size_t& at = place.at;
    at = AfterLastRevision(work_.body, work_.config.oldest, sides_.current);
    // If nothing has landed, insert above the sentinel and the aliases of the latest revision.
    if (at == 0) {
      while (at < items.size() && sides_.MergedAnchor(items[at].name).behind != Anchor::kEnd) ++at;
    }
    std::vector<std::string> context;
    for (std::size_t i = 0; i < at; ++i) context = ContextBehind(std::move(context), items[i].gap);
    const std::string& gap = at < items.size() ? items[at].gap : work_.body.end_gap;
    place.contexts.push_back(context);
    for (const GapLine& line : DirectivesIn(gap)) {
      context = ContextBehind(
          std::move(context),
          std::string_view(gap).substr(line.span.begin, line.span.end - line.span.begin));
      place.contexts.push_back(context);
      place.ends.push_back(line.span.end);
    }
    return place;
  }

  /// True if a text merge has shifted the side's implicit numbers. This is assumed if a pending
  /// revision has an explicit number at or below one of the side's own landed numbers.
  static bool IsShifted(const Side& side) {
    std::optional<std::int64_t> highest;
    for (const Item& item : side.body.items) {
      if (item.kind == EntryKind::Revision)
        highest = std::max(highest.value_or(item.number), item.number);
    }
    return std::any_of(side.pending.begin(), side.pending.end(), [&](const PendingItem& pending) {
      return pending.item.Explicit() && highest && pending.item.number <= *highest;
    });
  }

  /// Returns the side's pending revisions that are in the merged list, ordered by their numbers, or
  /// by their lines if the numbers are shifted.
  std::vector<std::string> OrderOf(const Side& side) const {
    std::map<std::string, std::string> heirs;  // the new name for each previous name
    for (const auto& [name, before] : was_) heirs.emplace(before, name);
    std::vector<std::pair<std::int64_t, std::string>> numbered;
    for (const PendingItem& pending : side.pending) {
      const auto heir = heirs.find(pending.item.name);
      const std::string& name = heir == heirs.end() ? pending.item.name : heir->second;
      if (arrivals_.contains(name)) numbered.emplace_back(pending.item.number, name);
    }
    if (side.newest_first) std::reverse(numbered.begin(), numbered.end());
    if (!IsShifted(side))
      std::stable_sort(numbered.begin(), numbered.end(),
                       [](const auto& a, const auto& b) { return a.first < b.first; });
    std::vector<std::string> order;
    for (auto& [number, name] : numbered) order.push_back(std::move(name));
    return order;
  }

  std::vector<Placed> Numbered(const Gap& place) const {
    std::vector<Placed> placed;
    for (const auto& [name, arrival] : arrivals_) {
      const auto found = std::find(place.contexts.begin(), place.contexts.end(), arrival.context);
      Placed one;
      one.name = name;
      one.position = found == place.contexts.end()
                         ? 0
                         : static_cast<std::size_t>(found - place.contexts.begin());
      one.number = arrival.entry.item.number;
      placed.push_back(std::move(one));
    }
    const Orders orders{OrderOf(*sides_.ours), OrderOf(*sides_.theirs), OrderOf(*sides_.base)};
    AssignNumbers(
        placed, orders, reservations_,
        sides_.landed.order.empty() ? std::nullopt : std::optional(sides_.landed.highest));
    return placed;
  }

  bool Put(Gap& place, const std::vector<Placed>& placed) {
    Body& body = work_.body;
    std::size_t at = place.at, consumed = 0;
    std::set<std::string> first_gaps;
    for (const Placed& one : placed) {
      Arrival& arrival = arrivals_.at(one.name);
      Item item = std::move(arrival.entry.item);
      // Skip aliases that were restored, because they are already in the list.
      if (work_.input.restores)
        std::erase_if(arrival.aliases, [&](const Item& alias) {
          return body.Find(alias.name) != body.items.size();
        });
      Announce(one);
      if (one.assigned != one.number) {
        RenumberComments(item, one.number, one.assigned);
        if (item.Explicit()) SetNumber(body, item, one.assigned);
      }
      item.number = one.assigned;
      item.comma_elsewhere = false;
      if (arrival.entry.conflict) work_.marked.entries[item.name] = arrival.entry.marked;
      // If both sides begin their block of new revisions with the same gap, insert that gap only
      // once.
      if (arrival.first_of_side && !item.gap.empty() && !first_gaps.insert(item.gap).second)
        item.gap.clear();
      if (sides_.newest_first) {
        Insert(body, at, std::move(item), true);
        for (Item& alias : arrival.aliases) Insert(body, at + 1, std::move(alias));
        continue;
      }
      // If the entry belongs after a directive in the gap below, move the part of the gap up to
      // that directive above the entry.
      if (place.ends[one.position] > consumed) {
        std::string& gap = at < body.items.size() ? body.items[at].gap : body.end_gap;
        const bool marked = at < body.items.size() ? work_.marked.gaps.contains(body.items[at].name)
                                                   : !work_.marked.end_gap.empty();
        if (marked) return false;
        const std::size_t length = place.ends[one.position] - consumed;
        item.gap = gap.substr(0, length) + item.gap;
        gap.erase(0, length);
        consumed += length;
      }
      Insert(body, at++, std::move(item));
      for (Item& alias : arrival.aliases) Insert(body, at++, std::move(alias));
    }
    return true;
  }

  void Announce(const Placed& one) {
    if (work_.context.confirms_numbers) return;  // the caller prints the confirmed numbers
    for (const auto& side : {sides_.ours, sides_.theirs}) {
      const PendingItem* const pending = side->Pending(one.name);
      if (pending == nullptr || pending->item.number == one.assigned) continue;
      work_.Say(fmt::format(
          "{} changed from {} to the provisional number {}; run `revctl fix` to confirm it",
          one.name, pending->item.number, one.assigned));
      return;
    }
  }

  MergeWork& work_;
  const MergeSides& sides_;
  const Reservations reservations_;
  std::map<std::string, Arrival> arrivals_;
  /// The previous name of each revision that one side renamed, by new name.
  std::map<std::string, std::string> was_;
  /// previous names of renamed revisions, which must not be added again
  std::set<std::string> dropped_;
};

}  // namespace

std::optional<base::Error> MergePending(MergeWork& work) { return PendingMerge(work).Run(); }

}  // namespace revctl::list::detail
