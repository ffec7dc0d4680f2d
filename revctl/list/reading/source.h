#pragma once
#include <cstddef>
#include <string_view>
#include <vector>

#include "revctl/base/lexer.h"

/// Positions in a source file, shared by the steps that read it.
namespace revctl::list::detail {

using base::kByteOrderMark;
using base::Lex;
using base::LexedFile;
using base::Problem;
using base::Span;
using base::Token;
using base::TokenKind;

/// 1-based. Columns count bytes, as compilers do; a byte order mark counts for nothing.
struct Position {
  int line = 1, column = 1;
};

/// Finds the line of an offset: at once where it is near the one asked for before, else in
/// logarithmic time. Not for use by several threads at once.
class LineTable {
 public:
  explicit LineTable(std::string_view text);
  Position At(std::size_t offset) const;
  /// Start of the line that `offset` is on.
  std::size_t LineStart(std::size_t offset) const;
  /// End of the line that `offset` is on: behind its line ending, or the end of the file.
  std::size_t LineEnd(std::size_t offset) const;

 private:
  /// Index of the line that `offset` is on.
  std::size_t Line(std::size_t offset) const;

  std::size_t size_;
  bool byte_order_mark_;
  mutable std::size_t last_ = 0;
  std::vector<std::size_t> starts_;
};

}  // namespace revctl::list::detail
