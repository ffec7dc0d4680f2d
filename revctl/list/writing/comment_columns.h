#pragma once
#include <cstddef>
#include <map>
#include <string_view>
#include <vector>

#include "revctl/list/writing/body.h"

namespace revctl::list::detail {

/// Returns the display width of the last line of `text`, with a tab width of four.
std::size_t Column(std::string_view text);
/// Returns the offset of the trailing comment in an entry's tail, or npos.
std::size_t CommentIn(std::string_view tail);
/// Returns the display column of an entry's trailing comment.
std::size_t CommentColumn(const Item& item);

/// The display columns of a list's trailing comments. Must be updated for each new entry.
class CommentColumns {
 public:
  explicit CommentColumns(const Body& body);
  /// Updates the columns after a new entry was inserted at `at`.
  void Inserted(const Body& body, std::size_t at);

  /// Returns the revision nearest to `neighbour` (possibly `neighbour` itself) that has a trailing
  /// comment, or null. If most comments are in the same column, considers only revisions whose
  /// comment is in that column.
  const Item* Nearest(const Body& body, const Item* neighbour) const;
  /// True if the comment is aligned to a column: entries of different lengths have comments in that
  /// column, or several spaces precede the comment.
  bool IsAligned(const Item& item) const;

 private:
  struct Widths {
    std::size_t least, most;
  };
  using Places = std::vector<std::size_t>;
  void Add(const Item& item, std::size_t at);

  Places commented_;                       ///< indexes of revisions with a comment, ascending
  std::map<std::size_t, Places> columns_;  ///< the same indexes by column
  /// for each comment column, the range of widths of the code before the comments
  std::map<std::size_t, Widths> widths_;
  std::size_t fullest_ = 0;
};

}  // namespace revctl::list::detail
