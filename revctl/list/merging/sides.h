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
  /// the keys are views of the names in `order`, so the type is move-only
  std::unordered_map<std::string_view, std::size_t> index;
  std::int64_t highest = 0;
  bool Has(const std::string& name) const { return index.contains(name); }
};
Landed LandedOf(const RevisionList& list);

/// Returns the landed revisions, including revisions of `versions` that the target has purged. A
/// purged revision keeps its name, number and position as long as both sides have it.
Landed LandedWithPurged(const RevisionList& target,
                        const std::vector<const RevisionList*>& versions, const ListConfig& config);

/// The position of a frame entry: after a landed revision, at the top, or after all revisions.
struct Anchor {
  static constexpr std::ptrdiff_t kTop = -1;
  static constexpr std::ptrdiff_t kEnd = PTRDIFF_MAX;
  std::ptrdiff_t behind = kTop;  ///< index of the landed revision before the entry, or kTop or kEnd
  bool operator==(const Anchor&) const = default;
};

struct PendingItem {
  Item item;  ///< `gap` contains the blank lines and free comments that move with the revision
  std::vector<Item> aliases;
  /// texts of the conditionals around the revision, outermost first
  std::vector<std::string> context;
};

/// One version of the list, split into two parts. The frame (landed revisions, aliases, sentinel)
/// stays in place, and the pending revisions go to the end. Directives belong to the frame, as part
/// of the gap above the next entry.
struct Side {
  Body body;  ///< `items` is the frame; gaps are joined where pending revisions were removed
  std::vector<Anchor> anchors;  ///< position of each frame item
  std::vector<PendingItem> pending;
  std::unordered_map<std::string, std::size_t> frame_index, pending_index;
  /// index of the first pending revision with each number
  std::unordered_map<std::int64_t, std::size_t> pending_by_number;
  std::string current;  ///< name of the alias for the latest revision; "" if there is none
  /// true if `current` has the number of this version's latest revision
  bool current_is_latest = false;
  /// Names of other aliases that have the latest revision's number as a literal.
  std::set<std::string> latest_numbers;
  bool newest_first = false;
  std::size_t revisions = 0;

  const Item* Frame(const std::string& name) const;
  const PendingItem* Pending(const std::string& name) const;
};

Side SplitSide(const RevisionList& list, const ListConfig& config, const Landed& landed);

/// Returns the texts of the conditionals that are open after `gap`. `context` contains the
/// conditionals that are open before `gap`.
std::vector<std::string> ContextBehind(std::vector<std::string> context, std::string_view gap);

}  // namespace revctl::list::detail
