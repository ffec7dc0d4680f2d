#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "revctl/list/writing/body.h"
#include "revctl/list/writing/comment_columns.h"

namespace revctl::list::detail {

/// Returns a new entry in the style of those around `at`: indentation, spacing of '=', implicit or
/// explicit number, hexadecimal, alignment and marker of the comment. The number is implicit if the
/// neighbors' are, even if the place does not yield it; RenderNumbered() corrects that. `columns`
/// belongs to `body`.
Item StyledItem(const Body& body, const CommentColumns& columns, bool newest_first, std::size_t at,
                std::string_view name, std::int64_t number, std::string_view comment);

/// Gives `item` an explicit number in the list's style. Hexadecimal numbers stay hexadecimal.
void SetNumber(const Body& body, Item& item, std::int64_t number);

/// The number at the beginning of a comment: `// 832 + names`, `/* 6: */`.
struct CommentNumber {
  Span span;  ///< the digits, within the comment
  std::int64_t number = 0;
};
std::optional<CommentNumber> LeadingNumber(std::string_view comment);

/// Returns `comment` with the old number replaced at its beginning, and later if it has at least
/// three digits and is not part of a longer number.
std::string WithNumberReplaced(std::string_view comment, std::int64_t old_number,
                               std::int64_t new_number);

/// Replaces the number in all comments of an entry.
void RenumberComments(Item& item, std::int64_t old_number, std::int64_t new_number);

}  // namespace revctl::list::detail
