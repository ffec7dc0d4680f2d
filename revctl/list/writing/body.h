#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "revctl/list/reading/revision_list.h"

namespace revctl::list::detail {

/// One entry of a list, cut out of its file. Concatenating the parts yields the bytes of the entry
/// without its comma, which Body::Render() adds if necessary.
struct Item {
  /// Text between the previous entry and this one: blank lines, free comments, directives.
  std::string gap;
  /// Leading comment lines and indentation. In lists with leading commas, also contains the `, `.
  std::string lead;
  std::string head;  ///< the name and its attributes, if any
  /// text between `head` and the initializer, such as ` = `; empty if there is no initializer
  std::string assign;
  std::string initializer;
  std::string tail;              ///< trailing comment and line ending
  std::size_t comma_at = 0;      ///< position in `tail` where the comma belongs
  bool comma_elsewhere = false;  ///< true if the comma is in the gap or lead of the next entry
  bool begins_line = false;      ///< true if the entry is the first one on its line

  std::string name;
  std::int64_t number = 0;
  EntryKind kind = EntryKind::Revision;
  std::string alias_of, one_below;

  bool Explicit() const { return !initializer.empty(); }
  bool OwnLine() const { return tail.ends_with('\n'); }
  /// Returns the entry's own bytes, without the gap above it.
  std::string Chunk(bool with_comma) const;
  /// True if both entries have the same text, split into the same parts.
  bool SameText(const Item& other) const;
};

/// A list's file, split at its entries. `Body::Split(list).Render()` reproduces the file byte for
/// byte.
struct Body {
  /// The file's text up to and including the opening brace.
  std::string before;
  std::vector<Item> items;
  std::string end_gap;          ///< text between the last entry and the closing brace
  std::string after;            ///< the closing brace and the rest of the file
  bool trailing_comma = false;  ///< true if a comma also follows the last entry
  bool brace_on_line = false;   ///< true if the closing brace is on the last entry's line
  bool comma_first = false;     ///< true if each line begins with the comma of the previous entry
  std::string line_end = "\n";

  static Body Split(const RevisionList& list);
  /// Returns the text of the file, with a comma after each entry that needs one.
  std::string Render() const;
  /// Moves the rest of the opening brace's line to `before`, and the closing brace's indentation to
  /// `after`. Both then consist of whole lines, if the layout allows it.
  void WidenEnds();
  std::size_t Find(std::string_view name) const;
};

/// Returns the index after the last revision and its release aliases, or 0 without any revision.
/// The entries `oldest` and `current` are not release aliases.
std::size_t AfterLastRevision(const Body& body, const std::string& oldest,
                              const std::string& current);

/// Returns the index at which to insert a new revision: after the last revision (newest-first:
/// before the first), in the same conditional, after release aliases of the last revision, and
/// before the sentinel and CURRENT.
std::size_t InsertionPoint(const Body& body, const RevisionList& list, const ListConfig& config);

/// Inserts `item` before items[at]. Adds line endings where necessary to keep entries on separate
/// lines. If `on_top` is true (for newest-first lists), the gap above items[at] moves above the new
/// entry.
void Insert(Body& body, std::size_t at, Item item, bool on_top = false);

/// Removes items[at] and returns it. Keeps the comments and directives above the entry in the body.
/// Removes the blank lines above it if it is the last entry or if blank lines follow it.
Item TakeOut(Body& body, std::size_t at);

struct GapLine {
  Span span;  ///< position within the gap, including the line ending
  Directive::Kind kind = Directive::Kind::Other;
};
std::vector<GapLine> DirectivesIn(std::string_view gap);

/// Returns an alias's initializer with the new name of its entry: `a::SR_OLD` becomes `a::SR_NEW`.
std::string Renamed(const std::string& initializer, const std::string& old_name,
                    const std::string& new_name);

}  // namespace revctl::list::detail
