#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "revctl/list/reading/revision_list.h"

namespace revctl::list::detail {

/// An entry of a list, cut out of its file. The parts in order give the entry's bytes except for
/// the comma, which Body::Render adds where it is needed.
struct Item {
  /// Text between the previous entry and this one: blank lines, free comments, directives.
  std::string gap;
  /// Leading comment lines and indentation. With leading commas, also `, `.
  std::string lead;
  std::string head;    ///< name and attributes
  std::string assign;  ///< from there to the initializer, such as ` = `; empty if implicit
  std::string initializer;
  std::string tail;              ///< trailing comment and line end
  std::size_t comma_at = 0;      ///< position of the comma in `tail`
  bool comma_elsewhere = false;  ///< the comma is in the next entry's gap or lead
  bool begins_line = false;      ///< first entry on its line

  std::string name;
  std::int64_t number = 0;
  EntryKind kind = EntryKind::Revision;
  std::string alias_of, one_below;

  bool Explicit() const { return !initializer.empty(); }
  bool OwnLine() const { return tail.ends_with('\n'); }
  /// Returns the entry's own bytes, without the gap above it.
  std::string Chunk(bool with_comma) const;
  /// True if both entries have the same text, cut at the same places.
  bool SameText(const Item& other) const;
};

/// A list's file cut at its entries. `Body::Split(list).Render()` returns the file byte for byte.
struct Body {
  /// The file up to and including the opening brace.
  std::string before;
  std::vector<Item> items;
  std::string end_gap;          ///< between the last entry and the closing brace
  std::string after;            ///< the closing brace and the rest of the file
  bool trailing_comma = false;  ///< the last entry has a comma too
  bool brace_on_line = false;   ///< the closing brace is on the last entry's line
  bool comma_first = false;     ///< each line begins with the comma of the previous entry
  std::string line_end = "\n";

  static Body Split(const RevisionList& list);
  /// Returns the file's text, with a comma after each entry that needs one.
  std::string Render() const;
  /// Moves the rest of the opening brace's line to `before` and the closing brace's indentation to
  /// `after`, so that both consist of whole lines if the layout allows it.
  void WidenEnds();
  std::size_t Find(std::string_view name) const;
};

/// Returns the index at which a new revision goes: after the last one (newest-first: before the
/// first), in the same conditional, after release aliases of the last revision, and before the
/// sentinel and CURRENT.
std::size_t InsertionPoint(const Body& body, const RevisionList& list, const ListConfig& config);

/// Inserts `item` before items[at]. Adds line ends so that entries on their own lines keep them.
/// `on_top` (for newest-first lists): the gap above items[at] moves above the new entry.
void Insert(Body& body, std::size_t at, Item item, bool on_top = false);

/// Removes items[at] and returns it. Comments and directives above it stay; blank lines go if more
/// blank lines or no entries follow.
Item TakeOut(Body& body, std::size_t at);

struct GapLine {
  Span span;  ///< within the gap, including the line end
  Directive::Kind kind = Directive::Kind::Other;
};
std::vector<GapLine> DirectivesIn(std::string_view gap);

/// Changes an alias's initializer to name another entry: `a::SR_OLD` becomes `a::SR_NEW`.
std::string Renamed(const std::string& initializer, const std::string& old_name,
                    const std::string& new_name);

}  // namespace revctl::list::detail
