#include "revctl/list/source.h"

#include <algorithm>

namespace revctl::list::detail {

LineTable::LineTable(std::string_view text)
    : size_(text.size()), byte_order_mark_(text.substr(0, 3) == kByteOrderMark), starts_{0} {
  for (std::size_t i = text.find('\n'); i != text.npos; i = text.find('\n', i + 1)) starts_.push_back(i + 1);
}

Position LineTable::At(std::size_t offset) const {
  const auto next = std::upper_bound(starts_.begin(), starts_.end(), offset);
  const auto line = static_cast<std::size_t>(next - starts_.begin());
  std::size_t column = offset - starts_[line - 1];
  if (line == 1 && byte_order_mark_) column = column < 3 ? 0 : column - 3;
  return {static_cast<int>(line), static_cast<int>(column) + 1};
}

std::size_t LineTable::LineStart(std::size_t offset) const {
  return *(std::upper_bound(starts_.begin(), starts_.end(), offset) - 1);
}

std::size_t LineTable::LineEnd(std::size_t offset) const {
  const auto next = std::upper_bound(starts_.begin(), starts_.end(), offset);
  return next == starts_.end() ? size_ : *next;
}

}  // namespace revctl::list::detail
