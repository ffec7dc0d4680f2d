#pragma once
#include <algorithm>
#include <cstddef>
#include <string>
#include <vector>

namespace revctl::base {

/// Number of similar items that a message lists before it only counts the rest.
inline constexpr std::size_t kFirstFew = 3;

/// Joins the first `most` items: "A", "A and B", "A, B and C" or "A, B, C and 4 more".
inline std::string FirstFew(const std::vector<std::string>& items, std::size_t most = kFirstFew) {
  const std::size_t named = std::min(most, items.size());
  const bool all = named == items.size();
  std::string text;
  for (std::size_t i = 0; i < named; ++i)
    text += (i == 0 ? "" : all && i + 1 == named ? " and " : ", ") + items[i];
  if (!all) text += " and " + std::to_string(items.size() - named) + " more";
  return text;
}

/// Returns the first `most` lines, followed by a line such as "and 4 more" if lines were omitted.
/// Each line ends with a newline.
inline std::string FirstLines(const std::vector<std::string>& lines, std::size_t most = kFirstFew) {
  std::string text;
  for (std::size_t i = 0; i < std::min(most, lines.size()); ++i) text += lines[i] + "\n";
  if (lines.size() > most) text += "and " + std::to_string(lines.size() - most) + " more\n";
  return text;
}

}  // namespace revctl::base
