#pragma once
#include <cstdint>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "revctl/list/writing/body.h"

namespace revctl::list::detail {

/// What has landed: names in the order of the target's list, with their numbers.
struct Landed {
  Landed() = default;
  Landed(Landed&&) = default;
  Landed& operator=(Landed&&) = default;

  std::vector<std::pair<std::string, std::int64_t>> order;
  /// views into `order`, so a copy would not do
  std::unordered_map<std::string_view, std::size_t> index;
  std::int64_t highest = 0;
  bool Has(const std::string& name) const { return index.contains(name); }
};
Landed LandedOf(const RevisionList& list);

/// The same, with those revisions of `versions` that the target has purged: they keep name, number
/// and place where both sides still have them.
Landed LandedWithPurged(const RevisionList& target,
                        const std::vector<const RevisionList*>& versions, const ListConfig& config);

/// Where an entry of the frame stands: behind a landed revision, at the top, or behind all
/// revisions.
struct Anchor {
  static constexpr std::ptrdiff_t kTop = -1;
  static constexpr std::ptrdiff_t kEnd = PTRDIFF_MAX;
  std::ptrdiff_t behind = kTop;  ///< index of the landed revision, or one of the above
  bool operator==(const Anchor&) const = default;
};

/// A pending revision with the names that stand for it.
struct PendingItem {
  Item item;  ///< its gap is what travels with it: blank lines and free comments
  std::vector<Item> aliases;
  std::vector<std::string> context;  ///< the conditionals it stands in, outermost first
};

/// One version of the list, split into what stays where it is (the frame: landed revisions,
/// aliases, sentinel) and what goes to the end (pending revisions). Directives stay in the frame:
/// they are found in the gap of the entry that follows.
struct Side {
  Body body;                    ///< `items` is the frame, gaps closed over what was taken out
  std::vector<Anchor> anchors;  ///< one per frame item
  std::vector<PendingItem> pending;
  std::unordered_map<std::string, std::size_t> frame_index, pending_index;
  std::unordered_map<std::int64_t, std::size_t> pending_by_number;  ///< the first of each number
  std::string current;  ///< name of the entry that follows the latest revision, if there is one
  bool current_is_latest = false;        ///< it names this version's latest
  std::set<std::string> latest_numbers;  ///< other names that are no revisions, and have the
                                         ///< latest's number in writing
  bool newest_first = false;
  std::size_t revisions = 0;

  const Item* Frame(const std::string& name) const;
  const PendingItem* Pending(const std::string& name) const;
};

/// What a list has landed, what is pending in it, and what else stands there.
Side SplitSide(const RevisionList& list, const ListConfig& config, const Landed& landed);

/// The conditionals open behind `gap`, given those open before it. Each is the text of its
/// directive.
std::vector<std::string> ContextBehind(std::vector<std::string> context, std::string_view gap);

}  // namespace revctl::list::detail
