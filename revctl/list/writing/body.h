#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "revctl/list/reading/revision_list.h"

namespace revctl::list::detail {

/// One entry of a list, cut out of its file: the parts in order give its bytes, but for the comma,
/// which Body::Render writes where it is needed.
struct Item {
  std::string gap;     ///< what stands between the entry before and this one: blank lines, free
                       ///< comments, directives
  std::string lead;    ///< leading comment lines, indentation; in lists with commas first also `, `
  std::string head;    ///< name and attributes
  std::string assign;  ///< from there to the initializer: ` = `; empty where implicit
  std::string initializer;
  std::string tail;              ///< trailing comment and line end
  std::size_t comma_at = 0;      ///< where the comma goes in `tail`
  bool comma_elsewhere = false;  ///< it stands in the next entry's gap or lead
  bool begins_line = false;      ///< no other entry stands before it on its line

  std::string name;
  std::int64_t number = 0;
  EntryKind kind = EntryKind::Revision;
  std::string alias_of, one_below;

  bool Explicit() const { return !initializer.empty(); }
  bool OwnLine() const { return tail.ends_with('\n'); }
  /// The entry's own bytes, without the gap above it.
  std::string Chunk(bool with_comma) const;
  /// Both have the same chunk, cut at the same places.
  bool SameText(const Item& other) const;
};

/// A list's file taken apart at its entries. Render(Split(list)) is the file again, byte for byte.
struct Body {
  /// the file up to the opening brace, and that
  std::string before;
  std::vector<Item> items;
  std::string end_gap;          ///< between the last entry and the closing brace
  std::string after;            ///< the closing brace and the rest
  bool trailing_comma = false;  ///< behind the last entry too
  bool brace_on_line = false;   ///< the closing brace stands on the last entry's line
  bool comma_first = false;     ///< each line begins with the comma of the entry before
  std::string line_end = "\n";

  static Body Split(const RevisionList& list);
  /// Commas between entries are made right; all else is as the parts say.
  std::string Render() const;
  /// Gives the line of the opening brace to `before` and the indentation of the closing one to
  /// `after`, so that both end at whole lines where the file's layout allows it.
  void WidenEnds();
  /// Index of the entry called `name`, or items.size().
  std::size_t Find(std::string_view name) const;
};

/// Where a new revision goes: behind the last one (before the first in a newest-first list), in the
/// same conditional, behind aliases of the last that only mark a release, before sentinel and
/// CURRENT.
std::size_t InsertionPoint(const Body& body, const RevisionList& list, const ListConfig& config);

/// Puts `item` before items[at]. Line breaks are made so that entries with lines of their own keep
/// them. `on_top`: what stood above items[at] stands above the new one (newest-first lists).
void Insert(Body& body, std::size_t at, Item item, bool on_top = false);

/// Takes items[at] out. Blank lines above it go with it where others follow below; comments and
/// directives stay.
Item TakeOut(Body& body, std::size_t at);

/// One preprocessor line of a gap.
struct GapLine {
  Span span;  ///< within the gap, with its line end
  Directive::Kind kind = Directive::Kind::Other;
};
/// The preprocessor lines of a gap, in order.
std::vector<GapLine> DirectivesIn(std::string_view gap);

/// `a::SR_OLD` gives `a::SR_NEW`: the initializer of an alias that is to name another entry.
std::string Renamed(const std::string& initializer, const std::string& old_name,
                    const std::string& new_name);

}  // namespace revctl::list::detail
