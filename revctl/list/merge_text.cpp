#include "revctl/list/merge_text.h"

#include <algorithm>

#include "revctl/list/source.h"

namespace revctl::list::detail {
namespace {

/// `text` with a line end behind it, unless it has one or is empty.
std::string WholeLines(std::string_view text, std::string_view line_end) {
  std::string whole(text);
  if (!whole.empty() && whole.back() != '\n') whole += line_end;
  return whole;
}

std::string MarkerLine(char marker, std::string_view label, const Marking& marking,
                       std::string_view line_end) {
  std::string line(static_cast<std::size_t>(std::max(marking.size, 1)), marker);
  if (!label.empty()) line += " " + std::string(label);
  return line + std::string(line_end);
}

}  // namespace

std::string Marked(std::string_view ours, std::string_view theirs, const Marking& marking,
                   std::string_view line_end) {
  return MarkerLine('<', marking.ours, marking, line_end) + WholeLines(ours, line_end) +
         MarkerLine('=', {}, marking, line_end) + WholeLines(theirs, line_end) +
         MarkerLine('>', marking.theirs, marking, line_end);
}

Piece MergePiece(const Versions& versions, const TextMerge& text_merge, const Marking& marking,
                 std::string_view line_end) {
  const auto [base, ours, theirs] = versions;
  if (ours == theirs || theirs == base) return {std::string(ours), false, {}};
  if (ours == base) return {std::string(theirs), false, {}};
  Piece piece{std::string(std::min(ours, theirs)), true, {}};
  if (text_merge) {
    MergedText merged = text_merge(base, ours, theirs);
    if (!merged.conflict) return {std::move(merged.text), false, {}};
    piece.marked = std::move(merged.text);
  } else {
    piece.marked = Marked(ours, theirs, marking, line_end);
  }
  return piece;
}

FileStyle StyleOf(std::string_view text) {
  const bool byte_order_mark = text.starts_with(kByteOrderMark);
  if (text.find('\r') == text.npos) return {false, byte_order_mark};
  const auto lines = std::count(text.begin(), text.end(), '\n');
  std::ptrdiff_t with_carriage = 0;
  for (std::size_t i = text.find("\r\n"); i != text.npos; i = text.find("\r\n", i + 2))
    ++with_carriage;
  return {with_carriage * 2 > lines, byte_order_mark};
}

std::string InStyle(std::string_view text, FileStyle style) {
  const FileStyle now = StyleOf(text);
  if (now == style || text.empty()) return std::string(text);
  if (now.byte_order_mark) text.remove_prefix(3);
  std::string out(style.byte_order_mark ? kByteOrderMark : std::string_view());
  out.reserve(text.size() + text.size() / 16);
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '\r' && i + 1 < text.size() && text[i + 1] == '\n' && !style.carriage_returns)
      continue;
    if (text[i] == '\n' && style.carriage_returns && (i == 0 || text[i - 1] != '\r')) out += '\r';
    out += text[i];
  }
  return out;
}

}  // namespace revctl::list::detail
