#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "revctl/list/merging/input.h"
#include "revctl/list/writing/body.h"

/// Three-way merges of one piece of text, and of one entry.
namespace revctl::list::detail {

/// The three versions of one piece of text.
struct Versions {
  std::string_view base, ours, theirs;
};

/// A merged piece of text. `text` never contains markers, so that the list can still be evaluated.
/// In a conflict, `text` is the version of one side, which does not depend on the order of the
/// sides, and `marked` is the text with markers.
struct Piece {
  std::string text;
  bool conflict = false;
  std::string marked;
};

/// The width, labels and line ending of conflict markers.
struct Marking {
  int size = 7;
  std::string_view ours = "ours", theirs = "theirs";
  std::string line_end = "\n";
};

/// Returns both texts between conflict markers (`<<<<<<< ours` to `>>>>>>> theirs`), with each
/// marker on its own line.
std::string Marked(std::string_view ours, std::string_view theirs, const Marking& marking);

/// Takes the version of the side that changed the text. If both sides changed it in different ways,
/// calls `text_merge`, or reports a conflict if `text_merge` is empty.
Piece MergePiece(const Versions& versions, const TextMerge& text_merge, const Marking& marking);

/// Returns the value of the side that changed it, or `fallback(ours, theirs)` if both sides changed
/// it in different ways.
template <class T, class Fallback>
T Pick(const T& base, const T& ours, const T& theirs, Fallback fallback) {
  if (ours == theirs || theirs == base) return ours;
  if (ours == base) return theirs;
  return fallback(ours, theirs);
}

struct EntryRules {
  const TextMerge& text_merge;
  const Marking& marking;
  /// The number that the entry must have, because it has landed or because both sides agree on it;
  /// nullopt if there is none.
  std::optional<std::int64_t> number = {};
  /// True if the entry has landed, so a side that changes its number causes a conflict.
  bool frozen = false;
  /// True if the entry has landed since the base. A different number is then left over from when
  /// the entry was pending, and causes no conflict if the comments of both sides are equal.
  bool arrived = false;
  /// True for an alias such as CURRENT, which gets its target after the merge.
  bool moves_by_itself = false;
};

struct MergedEntry {
  Item item;  ///< without markers; in a conflict, one of the sides
  /// the gap with markers, if both sides changed the gap in different ways
  std::string gap_marked;
  bool conflict = false;
  std::string marked;  ///< both versions of the entry between markers
  std::string why;     ///< description of the contradiction, for a message
};

/// Merges up to three versions of an entry. A missing version is null; at least one of `ours` and
/// `theirs` must exist.
MergedEntry MergeEntry(const Item* base, const Item* ours, const Item* theirs,
                       const EntryRules& rules);

}  // namespace revctl::list::detail
