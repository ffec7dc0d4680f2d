#pragma once
#include <cstddef>
#include <map>
#include <optional>
#include <string_view>
#include <vector>

#include "revctl/list/writing/body.h"

namespace revctl::list::detail {

/// Width of the last line of `text` on the screen, with tabs of four.
std::size_t Column(std::string_view text);
/// Start of the trailing comment in a tail, or npos.
std::size_t CommentIn(std::string_view tail);
/// Column of a trailing comment on the screen.
std::size_t CommentColumn(const Item& item);

/// Where a list's trailing comments stand. Counted once for many new entries.
class CommentColumns {
 public:
  explicit CommentColumns(const Body& body);
  /// body.items[at] is new.
  void Inserted(const Body& body, std::size_t at);

  /// The revision with a trailing comment that is nearest to `neighbour`, which may be the one
  /// without; of those in the column of most, where there is one. nullptr: none.
  const Item* Nearest(const Body& body, const Item* neighbour) const;
  /// Its comment stands where it does for the column's sake: another entry of another length has
  /// the same, or it stands far out.
  bool IsAligned(const Item& item) const;

 private:
  struct Widths {
    std::size_t least, most;
  };
  using Places = std::vector<std::size_t>;
  void Add(const Item& item, std::size_t at);

  Places commented_;                       ///< revisions with a comment, ascending
  std::map<std::size_t, Places> columns_;  ///< the same by column
  std::map<std::size_t, Widths> widths_;   ///< of the code before comments, of all entries
  std::size_t fullest_ = 0;                ///< the column with the most comments
};

}  // namespace revctl::list::detail
