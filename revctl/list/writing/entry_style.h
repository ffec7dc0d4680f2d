#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "revctl/list/writing/body.h"
#include "revctl/list/writing/comment_columns.h"

namespace revctl::list::detail {

/// A new entry, in the style of those around `at`: indentation, spacing of '=', implicit or written
/// number, hexadecimal, alignment and marker of the comment. The number is left implicit only where
/// the neighbours do so; whether its place yields it is for FixNumbers to see. `columns` are the
/// body's.
Item StyledItem(const Body& body, const CommentColumns& columns, bool newest_first, std::size_t at,
                std::string_view name, std::int64_t number, std::string_view comment);

/// Writes `number` into `item` in the style of the list, keeping what its initializer looks like
/// (hexadecimal).
void SetNumber(const Body& body, Item& item, std::int64_t number);

/// The number that a comment begins with where a list keeps numbers by hand (`// 832 + names`, `/*
/// 6: */`).
struct CommentNumber {
  Span span;  ///< of the digits, within the comment
  std::int64_t number = 0;
};
std::optional<CommentNumber> LeadingNumber(std::string_view comment);

/// `comment` with the old number replaced: the one it begins with, and any later one of three
/// digits or more that stands alone. Other numbers stay.
std::string WithNumberReplaced(std::string_view comment, std::int64_t old_number,
                               std::int64_t new_number);

/// That, in all comments of an entry.
void RenumberComments(Item& item, std::int64_t old_number, std::int64_t new_number);

}  // namespace revctl::list::detail
