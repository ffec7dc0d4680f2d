#pragma once
#include <cstdint>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "revctl/list/writing/body.h"

namespace revctl::list::detail {

/// The landed revisions, in the order of the target's list.
struct Landed {
  Landed() = default;
  Landed(Landed&&) = default;
  Landed& operator=(Landed&&) = default;

  std::vector<std::pair<std::string, std::int64_t>> order;
  /// the keys point into `order`, so the type is move-only
  std::unordered_map<std::string_view, std::size_t> index;
  std::int64_t highest = 0;
  bool Has(const std::string& name) const { return index.contains(name); }
};
Landed LandedOf(const RevisionList& list);

/// Returns the landed revisions, including those in `versions` that the target has purged. A purged
/// revision keeps name, number and place while both sides still have it.
Landed LandedWithPurged(const RevisionList& target,
                        const std::vector<const RevisionList*>& versions, const ListConfig& config);

/// Place of a frame entry: after a landed revision, at the top, or after all revisions.
struct Anchor {
  static constexpr std::ptrdiff_t kTop = -1;
  static constexpr std::ptrdiff_t kEnd = PTRDIFF_MAX;
  std::ptrdiff_t behind = kTop;  ///< index of the landed revision, kTop or kEnd
  bool operator==(const Anchor&) const = default;
};

struct PendingItem {
  Item item;  ///< its gap holds the blank lines and free comments that move along
  std::vector<Item> aliases;
  std::vector<std::string> context;  ///< conditionals around it, outermost first
};

/// A version of the list, split into the frame, which stays in place (landed revisions, aliases,
/// sentinel), and the pending revisions, which go to the end. Directives belong to the frame, in
/// the gap of the next entry.
struct Side {
  Body body;  ///< `items` is the frame, with gaps joined where entries were removed
  std::vector<Anchor> anchors;  ///< one per frame item
  std::vector<PendingItem> pending;
  std::unordered_map<std::string, std::size_t> frame_index, pending_index;
  std::unordered_map<std::int64_t, std::size_t> pending_by_number;  ///< the first of each number
  std::string current;             ///< the alias for the latest revision, or ""
  bool current_is_latest = false;  ///< `current` names this version's latest
  /// Other entries that are not revisions, but have the latest's number as a literal.
  std::set<std::string> latest_numbers;
  bool newest_first = false;
  std::size_t revisions = 0;

  const Item* Frame(const std::string& name) const;
  const PendingItem* Pending(const std::string& name) const;
};

Side SplitSide(const RevisionList& list, const ListConfig& config, const Landed& landed);

/// Returns the conditionals that are open after `gap`, as texts, given those open before it.
std::vector<std::string> ContextBehind(std::vector<std::string> context, std::string_view gap);

}  // namespace revctl::list::detail
