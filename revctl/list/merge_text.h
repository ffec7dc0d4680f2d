#pragma once
#include <string>
#include <string_view>

#include "revctl/list/merge.h"

/// Three-way decisions on pieces of text, for the merge.
namespace revctl::list::detail {

/// Texts of one thing in the three versions.
struct Versions {
  std::string_view base, ours, theirs;
};

/// Outcome for one piece. `text` never holds markers, so that the list can still be evaluated: in a
/// conflict it is one of the sides (the same whichever is called ours), and `marked` has the
/// markers.
struct Piece {
  std::string text;
  bool conflict = false;
  std::string marked;
};

/// How conflicts are marked.
struct Marking {
  int size = 7;
  std::string_view ours = "ours", theirs = "theirs";
};

/// `<<<<<<< ours`, both texts, `>>>>>>> theirs`; every marker on a line of its own.
std::string Marked(std::string_view ours, std::string_view theirs, const Marking& marking,
                   std::string_view line_end);

/// The side that changed wins; where both did, differently, `text_merge` decides (where it is
/// empty: a conflict).
Piece MergePiece(const Versions& versions, const TextMerge& text_merge, const Marking& marking,
                 std::string_view line_end);

/// The side that changed wins; where both did, differently, the answer is `fallback(ours, theirs)`.
template <class T, class Fallback>
T Pick(const T& base, const T& ours, const T& theirs, Fallback fallback) {
  if (ours == theirs || theirs == base) return ours;
  if (ours == base) return theirs;
  return fallback(ours, theirs);
}

/// Line ends and byte order mark of a file, by majority.
struct FileStyle {
  bool carriage_returns = false;
  bool byte_order_mark = false;
  bool operator==(const FileStyle&) const = default;
};
FileStyle StyleOf(std::string_view text);

/// `text` in another style. Only whole-file differences between the sides make this necessary.
std::string InStyle(std::string_view text, FileStyle style);

}  // namespace revctl::list::detail
