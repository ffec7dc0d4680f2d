#pragma once
#include <cstddef>
#include <string_view>
#include <vector>

#include "revctl/base/lexer.h"

namespace revctl::list::detail {

using base::kByteOrderMark;
using base::Lex;
using base::LexedFile;
using base::Problem;
using base::Span;
using base::Token;
using base::TokenKind;

/// A 1-based position. As in compiler messages, columns count bytes. A byte order mark is not
/// counted.
struct Position {
  int line = 1, column = 1;
};

/// Maps offsets to lines. A lookup near the previous one takes constant time, and any other lookup
/// takes logarithmic time. Not thread-safe, because the table caches the last line.
class LineTable {
 public:
  explicit LineTable(std::string_view text);
  Position At(std::size_t offset) const;
  /// Returns the start of the line that contains `offset`.
  std::size_t LineStart(std::size_t offset) const;
  /// Returns the end of the line that contains `offset`, after its line ending.
  std::size_t LineEnd(std::size_t offset) const;

 private:
  std::size_t Line(std::size_t offset) const;

  std::size_t size_;
  bool byte_order_mark_;
  mutable std::size_t last_ = 0;
  std::vector<std::size_t> starts_;
};

}  // namespace revctl::list::detail
