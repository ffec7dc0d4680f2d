#include "revctl/list/reading/source.h"

#include <algorithm>

namespace revctl::list::detail {

LineTable::LineTable(std::string_view text)
    : size_(text.size()), byte_order_mark_(text.substr(0, 3) == kByteOrderMark), starts_{0} {
  for (std::size_t i = text.find('\n'); i != text.npos; i = text.find('\n', i + 1))
    starts_.push_back(i + 1);
}

std::size_t LineTable::Line(std::size_t offset) const {
  const auto on = [&](std::size_t line) {
    return line < starts_.size() && starts_[line] <= offset &&
           (line + 1 == starts_.size() || offset < starts_[line + 1]);
  };
  for (const std::size_t line : {last_, last_ + 1, last_ - 1}) {
    if (on(line)) return last_ = line;
  }
  last_ = static_cast<std::size_t>(std::upper_bound(starts_.begin(), starts_.end(), offset) -
                                   starts_.begin()) -
          1;
  return last_;
}

Position LineTable::At(std::size_t offset) const {
  const std::size_t line = Line(offset);
  std::size_t column = offset - starts_[line];
  if (line == 0 && byte_order_mark_) column = column < 3 ? 0 : column - 3;
  return {static_cast<int>(line) + 1, static_cast<int>(column) + 1};
}

std::size_t LineTable::LineStart(std::size_t offset) const { return starts_[Line(offset)]; }

std::size_t LineTable::LineEnd(std::size_t offset) const {
  const std::size_t next = Line(offset) + 1;
  return next == starts_.size() ? size_ : starts_[next];
}

}  // namespace revctl::list::detail
