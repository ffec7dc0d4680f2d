#pragma once
#include <cstdint>
#include <optional>
#include <string_view>

#include "revctl/list/writing/body.h"
#include "revctl/list/writing/comment_columns.h"

namespace revctl::list::detail {

/// Returns a new entry in the style of the entries around `at`: indentation, spacing of '=',
/// implicit or explicit number, hexadecimal, and the comment's alignment and marker. If the
/// neighbors' numbers are implicit, the new number is implicit, too, even if its position implies a
/// different number; RenderNumbered() then corrects it. `columns` must belong to `body`.
Item StyledItem(const Body& body, const CommentColumns& columns, bool newest_first, std::size_t at,
                std::string_view name, std::int64_t number, std::string_view comment);

/// Sets an explicit number for `item`, in the list's style. A hexadecimal number stays hexadecimal.
void SetNumber(const Body& body, Item& item, std::int64_t number);

/// The number at the beginning of a comment such as `// 832 + names` or `/* 6: */`.
struct CommentNumber {
  Span span;  ///< position of the digits within the comment
  std::int64_t number = 0;
};
std::optional<CommentNumber> LeadingNumber(std::string_view comment);

/// Replaces the old number at the beginning of each comment of an entry. Also replaces it later in
/// a comment if it has at least three digits and is not part of a longer number.
void RenumberComments(Item& item, std::int64_t old_number, std::int64_t new_number);

}  // namespace revctl::list::detail
