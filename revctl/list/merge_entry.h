#pragma once
#include <cstdint>
#include <optional>
#include <string>

#include "revctl/list/body.h"
#include "revctl/list/merge_text.h"

namespace revctl::list::detail {

/// What the merge of one entry needs to know beyond its versions.
struct EntryRules {
  const TextMerge& text_merge;
  Marking marking;
  std::string line_end;
  /// the number that the entry has to have (landed, or agreed on), if any
  std::optional<std::int64_t> number;
  bool frozen =
      false;  ///< landed: an initializer that a side rewrote to another number contradicts that
  bool arrived =
      false;  ///< landed since the base: another number is one that it had while it was pending
  bool moves_by_itself = false;  ///< CURRENT: where it points is decided after the merge
};

/// One entry merged from up to three versions; null where a version has none. At least one side has
/// it.
struct MergedEntry {
  /// without markers, so that the list can be evaluated; in a conflict one of the sides
  Item item;
  std::string gap_marked;  ///< the gap with markers, where both sides changed it in different ways
  bool conflict = false;
  std::string marked;  ///< both sides' versions of the entry between markers
  std::string why;     ///< what contradicts what
};

MergedEntry MergeEntry(const Item* base, const Item* ours, const Item* theirs,
                       const EntryRules& rules);

}  // namespace revctl::list::detail
