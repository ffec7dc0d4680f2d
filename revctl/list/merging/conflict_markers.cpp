#include "revctl/list/merging/conflict_markers.h"

namespace revctl::list {
namespace {

/// Returns the width of the conflict marker at the start of `line`, or 0. A marker has at least
/// seven characters, followed by a blank or the end of the line.
std::size_t MarkerWidth(std::string_view line, char marker) {
  std::size_t width = 0;
  while (width < line.size() && line[width] == marker) ++width;
  if (width < 7) return 0;
  const char next = width < line.size() ? line[width] : '\n';
  return next == ' ' || next == '\n' || next == '\r' ? width : 0;
}

std::string_view TakeLine(std::string_view& text) {
  const std::size_t newline = text.find('\n');
  const std::string_view line = text.substr(0, newline == text.npos ? text.size() : newline + 1);
  text.remove_prefix(line.size());
  return line;
}

}  // namespace

int ConflictMarkerLine(std::string_view text) {
  const auto nowhere = [text](std::string_view marker) { return text.find(marker) == text.npos; };
  if (nowhere("<<<<<<<") && nowhere(">>>>>>>") && nowhere("|||||||"))
    return 0;  // most texts contain no markers, so skip the slow loop below
  for (int number = 1; !text.empty(); ++number) {
    const std::string_view line = TakeLine(text);
    for (char marker : {'<', '>', '|'}) {
      if (MarkerWidth(line, marker) != 0) return number;
    }
  }
  return 0;
}

namespace detail {

std::optional<ConflictSides> SplitConflicts(std::string_view text) {
  enum class In { Both, Ours, Base, Theirs };
  ConflictSides sides;
  In in = In::Both;
  std::size_t width = 0;  // width of the markers of the current conflict
  bool any = false;
  while (!text.empty()) {
    const std::string_view line = TakeLine(text);
    const auto is = [&](char marker) { return MarkerWidth(line, marker) == width; };
    if (in == In::Both) {
      if (MarkerWidth(line, '>') != 0) return std::nullopt;
      width = MarkerWidth(line, '<');
      if (width != 0) {
        in = In::Ours;
        any = true;
        continue;
      }
    } else if (in == In::Ours && is('|')) {
      in = In::Base;
      continue;
    } else if ((in == In::Ours || in == In::Base) && is('=')) {
      in = In::Theirs;
      continue;
    } else if (in == In::Theirs && is('>')) {
      in = In::Both;
      continue;
    } else if (is('<')) {
      return std::nullopt;
    }
    if (in == In::Both || in == In::Ours) sides.ours += line;
    if (in == In::Both || in == In::Base) sides.base += line;
    if (in == In::Both || in == In::Theirs) sides.theirs += line;
  }
  if (!any || in != In::Both) return std::nullopt;
  return sides;
}

}  // namespace detail
}  // namespace revctl::list
