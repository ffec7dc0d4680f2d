#include "revctl/list/entry_lines.h"

#include <algorithm>
#include <optional>

#include "revctl/base/ascii.h"

namespace revctl::list::detail {
namespace {

class LineFinder {
 public:
  LineFinder(RevisionList& list, const LineTable& lines)
      : list_(list), lines_(lines), text_(list.text) {}

  void Run() {
    std::size_t floor = list_.body.begin;  // nothing above belongs to the entry at hand
    for (std::size_t i = 0; i < list_.entries.size(); ++i) {
      Entry& entry = list_.entries[i];
      entry.lines.begin = Begin(entry, floor);
      const std::size_t next =
          i + 1 < list_.entries.size() ? list_.entries[i + 1].name_span.begin : list_.body.end;
      entry.lines.end = End(entry, next);
      floor = entry.lines.end;
    }
  }

 private:
  /// The comment that begins at `offset`, or null.
  const Span* CommentAt(std::size_t offset) const {
    if (offset >= text_.size() || text_[offset] != '/') {
      // Line continuations may stand in front of a comment's second sign, never of its first.
      return nullptr;
    }
    const auto found =
        std::lower_bound(list_.comments.begin(), list_.comments.end(), offset,
                         [](const Span& comment, std::size_t at) { return comment.begin < at; });
    return found != list_.comments.end() && found->begin == offset ? &*found : nullptr;
  }

  /// Behind blanks and comments from `begin`, but not beyond `end` and not beyond the line's end.
  std::size_t SkipOnLine(std::size_t begin, std::size_t end, const Span** last = nullptr) const {
    std::size_t i = begin;
    while (i < end) {
      if (base::IsBlank(text_[i])) {
        ++i;
      } else if (const Span* comment = CommentAt(i)) {
        if (last != nullptr) *last = comment;
        i = comment->end;
      } else {
        break;
      }
    }
    return std::min(i, end);
  }

  /// The line from `start` up to `end` holds nothing but blanks and comments, and at least one
  /// comment.
  bool IsCommentLine(std::size_t start, std::size_t end, const Span** comment) const {
    *comment = nullptr;
    const std::size_t stop = SkipOnLine(start, end, comment);
    return *comment != nullptr && (stop >= end || text_[stop] == '\n');
  }

  /// Only blanks, comments, and in lists that write their commas first one comma, stand between
  /// `start` and the name.
  bool LeadsTo(std::size_t start, std::size_t name) const {
    const std::size_t stop = SkipOnLine(start, name);
    return stop == name || (text_[stop] == ',' && SkipOnLine(stop + 1, name) == name);
  }

  /// Start of the line before the one that starts at `start`.
  std::size_t LineBefore(std::size_t start) const { return lines_.LineStart(start - 1); }

  std::size_t Begin(const Entry& entry, std::size_t floor) const {
    std::size_t start = lines_.LineStart(entry.name_span.begin);
    if (start < floor || !LeadsTo(start, entry.name_span.begin))
      return std::max(floor, entry.name_span.begin);
    // Upwards over comments. A block comment of several lines is met at its last line and taken
    // whole.
    while (start > floor) {
      std::size_t above = LineBefore(start);
      if (above < floor) break;
      if (const Span* block = BlockThatEndsOn(above, start)) above = lines_.LineStart(block->begin);
      const Span* comment = nullptr;
      if (above < floor || !IsCommentLine(above, start, &comment)) break;
      start = above;
    }
    return start;
  }

  /// A comment that begins on an earlier line and ends on the line from `start` to `end`.
  const Span* BlockThatEndsOn(std::size_t start, std::size_t end) const {
    const auto next =
        std::lower_bound(list_.comments.begin(), list_.comments.end(), start,
                         [](const Span& comment, std::size_t at) { return comment.begin < at; });
    if (next == list_.comments.begin()) return nullptr;
    const Span& before = *(next - 1);
    return before.end > start && before.end <= end ? &before : nullptr;
  }

  std::size_t End(Entry& entry, std::size_t next) const {
    std::size_t end = entry.explicit_number ? entry.initializer_span.end : entry.head_end;
    const Span* comment = nullptr;
    if (entry.comma && SkipOnLine(end, *entry.comma, &comment) == *entry.comma &&
        (comment == nullptr || text_.substr(end, *entry.comma - end).find('\n') == text_.npos)) {
      end = *entry.comma + 1;
    } else {
      comment = nullptr;
    }
    const Span* behind = nullptr;
    const std::size_t stop = SkipOnLine(end, next, &behind);
    const bool line_ends = stop < text_.size() && text_[stop] == '\n' && stop < next;
    // In front of the closing brace a comment can be no other entry's.
    const bool list_ends = stop == next && next == list_.body.end;
    if (behind != nullptr && (line_ends || list_ends)) comment = behind;
    if (comment != nullptr) {
      const std::size_t first = comment == behind ? FirstComment(end) : comment->begin;
      entry.comment_span = {first, comment->end};
      entry.comment = CommentText(text_.substr(comment->begin, comment->end - comment->begin));
    }
    if (!line_ends) {
      // The closing brace, or another entry, follows on this line; so does a comment that may well
      // be the other's.
      return list_ends && behind != nullptr ? behind->end : end;
    }
    return Continuations(entry, stop + 1, next);
  }

  std::size_t FirstComment(std::size_t end) const {
    while (base::IsBlank(text_[end])) ++end;
    return end;
  }

  /// Behind comment lines that are aligned with the trailing comment, or deeper.
  std::size_t Continuations(const Entry& entry, std::size_t end, std::size_t next) const {
    if (entry.comment_span.end == 0 || entry.comment_span.begin < entry.name_span.end) return end;
    std::optional<std::size_t> column;  // seldom asked for
    while (end < next) {
      const std::size_t first = FirstComment(end);
      const Span* comment = nullptr;
      if (CommentAt(first) == nullptr) break;
      const std::size_t line_end = std::min(lines_.LineEnd(end), next);
      if (!column) column = Column(entry.comment_span.begin);
      if (Column(first) < *column || !IsCommentLine(end, next, &comment)) break;
      if (comment->end > line_end) break;
      end = line_end;
    }
    return end;
  }

  /// Where an editor shows it, with tabs of four.
  std::size_t Column(std::size_t offset) const {
    std::size_t column = 0;
    for (std::size_t i = lines_.LineStart(offset); i < offset; ++i)
      column = text_[i] == '\t' ? (column / 4 + 1) * 4 : column + 1;
    return column;
  }

  RevisionList& list_;
  const LineTable& lines_;
  std::string_view text_;
};

}  // namespace

std::string_view CommentText(std::string_view comment) {
  if (comment.substr(0, 2) == "/*" && comment.size() >= 4) {
    comment = comment.substr(2, comment.size() - 4);
  } else {
    comment = comment.substr(std::min<std::size_t>(2, comment.size()));
  }
  // Doxygen: `///<`, `//!`, `/**<`.
  while (!comment.empty() && (comment.front() == '/' || comment.front() == '!' ||
                              comment.front() == '*' || comment.front() == '<')) {
    comment.remove_prefix(1);
  }
  const auto blank = [](char c) { return base::IsBlank(c) || c == '\n'; };
  while (!comment.empty() && blank(comment.front())) comment.remove_prefix(1);
  while (!comment.empty() &&
         (blank(comment.back()) ||
          (comment.back() == '*' && comment.size() > 1 && blank(comment[comment.size() - 2])))) {
    comment.remove_suffix(1);
  }
  return comment;
}

void AssignLines(RevisionList& list, const LineTable& lines) { LineFinder(list, lines).Run(); }

}  // namespace revctl::list::detail
