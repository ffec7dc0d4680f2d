#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "revctl/list/merging/input.h"
#include "revctl/list/writing/body.h"

/// Three-way merges of one piece of text and of one entry.
namespace revctl::list::detail {

/// A piece of text in the three versions.
struct Versions {
  std::string_view base, ours, theirs;
};

/// A merged piece of text. `text` never has markers, so that the list can still be evaluated: in a
/// conflict it is one of the sides, chosen without regard to which one is ours, and `marked` is the
/// text with markers.
struct Piece {
  std::string text;
  bool conflict = false;
  std::string marked;
};

/// The form of conflict markers.
struct Marking {
  int size = 7;
  std::string_view ours = "ours", theirs = "theirs";
  std::string line_end = "\n";
};

/// Returns `<<<<<<< ours`, both texts and `>>>>>>> theirs`, with each marker on its own line.
std::string Marked(std::string_view ours, std::string_view theirs, const Marking& marking);

/// Takes the side that changed. If both changed in different ways, `text_merge` decides; without a
/// `text_merge`, that is a conflict.
Piece MergePiece(const Versions& versions, const TextMerge& text_merge, const Marking& marking);

/// Takes the side that changed, or `fallback(ours, theirs)` if both changed in different ways.
template <class T, class Fallback>
T Pick(const T& base, const T& ours, const T& theirs, Fallback fallback) {
  if (ours == theirs || theirs == base) return ours;
  if (ours == base) return theirs;
  return fallback(ours, theirs);
}

struct EntryRules {
  const TextMerge& text_merge;
  const Marking& marking;
  /// The number that the entry must have because it has landed or the sides agree on it, if any.
  std::optional<std::int64_t> number = {};
  /// The entry has landed, so an initializer with another number contradicts that.
  bool frozen = false;
  /// The entry has landed since the base, so another number is one that it had while pending.
  bool arrived = false;
  /// The target of this alias (CURRENT) is set after the merge.
  bool moves_by_itself = false;
};

struct MergedEntry {
  Item item;               ///< no markers; in a conflict, one of the sides
  std::string gap_marked;  ///< the gap with markers if both sides changed it in different ways
  bool conflict = false;
  std::string marked;  ///< both versions of the entry between markers
  std::string why;     ///< the contradiction, for a message
};

/// Merges up to three versions of an entry. Pass null for a missing version; at
/// least one of `ours` and `theirs` must exist.
MergedEntry MergeEntry(const Item* base, const Item* ours, const Item* theirs,
                       const EntryRules& rules);

}  // namespace revctl::list::detail
