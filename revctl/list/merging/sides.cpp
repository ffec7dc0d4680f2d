#include "revctl/list/merging/sides.h"

#include <algorithm>
#include <map>
#include <tuple>

#include "revctl/list/reading/source.h"

namespace revctl::list::detail {
namespace {

std::string Trimmed(std::string_view line) {
  const auto blank = [](char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n'; };
  while (!line.empty() && blank(line.front())) line.remove_prefix(1);
  while (!line.empty() && blank(line.back())) line.remove_suffix(1);
  return std::string(line);
}

/// Returns the end of the last directive in a gap. When the entry below moves, the text up to this
/// offset stays in place, and the text after it moves with the entry.
std::size_t BehindDirectives(std::string_view gap) {
  const auto lines = DirectivesIn(gap);
  return lines.empty() ? 0 : lines.back().span.end;
}

class Splitter {
 public:
  Splitter(const RevisionList& list, const ListConfig& config, const Landed& landed)
      : landed_(landed) {
    side_.body = Body::Split(list);
    side_.body.WidenEnds();
    side_.newest_first = list.NewestFirst();
    if (const Entry* current = list.Current(config)) {
      side_.current = current->name;
      const Entry* latest = list.Latest();
      side_.current_is_latest = latest != nullptr && latest->number == current->number;
    }
    NoteLatestNumbers(list);
  }

  Side Run() {
    std::vector<Item> items = std::move(side_.body.items);
    side_.body.items.clear();
    FindTail(items);
    // Blank lines, comments and directives above pending entries. They stay in place when the
    // entries move.
    std::string carried;
    std::vector<std::string> context;
    std::ptrdiff_t behind = Anchor::kTop;
    for (std::size_t i = 0; i < items.size(); ++i) {
      Item& item = items[i];
      context = ContextBehind(std::move(context), item.gap);
      const bool revision = item.kind == EntryKind::Revision;
      side_.revisions += revision ? 1 : 0;
      const auto owner = Owner(item);
      if (!owner.empty()) {
        const std::size_t cut = side_.newest_first ? item.gap.size() : BehindDirectives(item.gap);
        carried += item.gap.substr(0, cut);
        item.gap.erase(0, cut);
        TakePending(std::move(item), owner, context);
        continue;
      }
      item.gap = carried + item.gap;
      carried.clear();
      if (revision) behind = static_cast<std::ptrdiff_t>(landed_.index.at(item.name));
      side_.anchors.push_back({!revision && i >= tail_ ? Anchor::kEnd : behind});
      side_.frame_index.emplace(item.name, side_.body.items.size());
      side_.body.items.push_back(std::move(item));
    }
    side_.body.end_gap = carried + side_.body.end_gap;
    return std::move(side_);
  }

 private:
  /// Records aliases below the latest revision that have its number as a literal, such as `VERSION
  /// = 10`. People update such aliases by hand, so the merge updates them as well.
  void NoteLatestNumbers(const RevisionList& list) {
    const Entry* const latest = list.Latest();
    for (auto entry = list.entries.rbegin();
         entry != list.entries.rend() && entry->kind != EntryKind::Revision; ++entry) {
      const bool literal =
          entry->explicit_number && entry->alias_of.empty() && entry->one_below.empty();
      if (latest != nullptr && literal && entry->kind == EntryKind::Alias &&
          entry->number == latest->number) {
        side_.latest_numbers.insert(entry->name);
      }
    }
  }

  void FindTail(const std::vector<Item>& items) {
    tail_ = items.size();
    while (tail_ > 0 && items[tail_ - 1].kind != EntryKind::Revision) --tail_;
  }

  /// If the item is a pending revision or an alias of one, returns the name of that revision.
  /// Returns "" if the item belongs to the frame.
  std::string Owner(const Item& item) const {
    if (item.kind == EntryKind::Revision) return landed_.Has(item.name) ? std::string() : item.name;
    if (item.name == side_.current) return {};
    const auto owner = owner_of_.find(item.alias_of);
    return owner == owner_of_.end() ? std::string() : owner->second;
  }

  void TakePending(Item item, const std::string& owner, const std::vector<std::string>& context) {
    owner_of_[item.name] = owner;
    if (item.kind != EntryKind::Revision) {
      side_.pending[side_.pending_index.at(owner)].aliases.push_back(std::move(item));
      return;
    }
    side_.pending_index.emplace(item.name, side_.pending.size());
    side_.pending_by_number.emplace(item.number, side_.pending.size());
    side_.pending.push_back({std::move(item), {}, context});
  }

  const Landed& landed_;
  Side side_;
  std::size_t tail_ = 0;
  std::unordered_map<std::string, std::string> owner_of_;
};

std::vector<std::pair<std::string, std::int64_t>> OrderOf(const RevisionList& list) {
  std::vector<std::pair<std::string, std::int64_t>> order;
  order.reserve(list.entries.size());
  for (const Entry& entry : list.entries) {
    if (entry.kind == EntryKind::Revision) order.emplace_back(entry.name, entry.number);
  }
  return order;
}

Landed Indexed(std::vector<std::pair<std::string, std::int64_t>> order) {
  Landed landed;
  landed.order = std::move(order);
  landed.index.reserve(landed.order.size());
  for (std::size_t i = 0; i < landed.order.size(); ++i) {
    landed.index.emplace(landed.order[i].first, i);
    landed.highest =
        i == 0 ? landed.order[i].second : std::max(landed.highest, landed.order[i].second);
  }
  return landed;
}

}  // namespace

Landed LandedOf(const RevisionList& list) { return Indexed(OrderOf(list)); }

Landed LandedWithPurged(const RevisionList& target,
                        const std::vector<const RevisionList*>& versions,
                        const ListConfig& config) {
  auto order = OrderOf(target);
  if (config.purged.empty() || order.empty()) return Indexed(std::move(order));
  std::map<std::string_view, std::int64_t> purged;
  for (const RevisionList* version : versions) {
    for (const Entry& entry : version->entries) {
      if (entry.kind != EntryKind::Revision || !config.purged.contains(entry.name)) continue;
      const Entry* const kept = target.Find(entry.name);
      if (kept != nullptr && kept->kind == EntryKind::Revision) continue;
      const auto [known, fresh] = purged.emplace(entry.name, entry.number);
      // Use the lowest number: if the revision was purged and brought back, its new number is
      // higher than the number with which it landed.
      if (!fresh) known->second = std::min(known->second, entry.number);
    }
  }
  std::vector<std::pair<std::string, std::int64_t>> below(purged.begin(), purged.end());
  const bool falling = target.NewestFirst();
  std::sort(below.begin(), below.end(), [&](const auto& a, const auto& b) {
    return falling ? std::tie(a.second, a.first) > std::tie(b.second, b.first)
                   : std::tie(a.second, a.first) < std::tie(b.second, b.first);
  });
  order.insert(falling ? order.end() : order.begin(), below.begin(), below.end());
  return Indexed(std::move(order));
}

const Item* Side::Frame(const std::string& name) const {
  const auto found = frame_index.find(name);
  return found == frame_index.end() ? nullptr : &body.items[found->second];
}

const PendingItem* Side::Pending(const std::string& name) const {
  const auto found = pending_index.find(name);
  return found == pending_index.end() ? nullptr : &pending[found->second];
}

std::vector<std::string> ContextBehind(std::vector<std::string> context, std::string_view gap) {
  for (const GapLine& line : DirectivesIn(gap)) {
    const std::string text = Trimmed(gap.substr(line.span.begin, line.span.end - line.span.begin));
    if (line.kind == Directive::Kind::If) context.push_back(text);
    if (line.kind == Directive::Kind::Else && !context.empty()) context.back() += " / " + text;
    if (line.kind == Directive::Kind::Endif && !context.empty()) context.pop_back();
  }
  return context;
}

Side SplitSide(const RevisionList& list, const ListConfig& config, const Landed& landed) {
  return Splitter(list, config, landed).Run();
}

}  // namespace revctl::list::detail
