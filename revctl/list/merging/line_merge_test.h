#pragma once
#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "revctl/list/merging/merge.h"

namespace revctl::list::testing {

/// A simple line-based three-way merge for tests; the program uses libgit2's. As in git, changes to
/// adjacent lines conflict.
inline MergedText LineMerge(std::string_view base, std::string_view ours, std::string_view theirs) {
  const auto lines = [](std::string_view text) {
    std::vector<std::string> out;
    while (!text.empty()) {
      const std::size_t newline = text.find('\n');
      out.emplace_back(text.substr(0, newline == text.npos ? text.size() : newline + 1));
      text.remove_prefix(out.back().size());
    }
    return out;
  };
  const auto b = lines(base), o = lines(ours), t = lines(theirs);
  // Matches the lines of the base with the lines of a side, by longest common subsequence.
  const auto match = [](const std::vector<std::string>& x, const std::vector<std::string>& y) {
    std::vector<std::vector<int>> length(x.size() + 1, std::vector<int>(y.size() + 1, 0));
    for (std::size_t i = x.size(); i-- > 0;) {
      for (std::size_t j = y.size(); j-- > 0;) {
        length[i][j] =
            x[i] == y[j] ? length[i + 1][j + 1] + 1 : std::max(length[i + 1][j], length[i][j + 1]);
      }
    }
    std::vector<std::ptrdiff_t> to(x.size(), -1);
    for (std::size_t i = 0, j = 0; i < x.size() && j < y.size();) {
      if (x[i] == y[j]) to[i++] = static_cast<std::ptrdiff_t>(j++);
      else if (length[i + 1][j] >= length[i][j + 1]) ++i;
      else ++j;
    }
    return to;
  };
  const auto to_ours = match(b, o), to_theirs = match(b, t);
  MergedText merged;
  std::size_t i = 0, j = 0, k = 0;
  const auto join = [](const std::vector<std::string>& from, std::size_t begin, std::size_t end) {
    std::string out;
    for (std::size_t n = begin; n < end; ++n) out += from[n];
    return out;
  };
  for (;;) {
    std::size_t next = i;
    while (next < b.size() && (to_ours[next] < 0 || to_theirs[next] < 0)) ++next;
    const std::size_t ours_end =
        next < b.size() ? static_cast<std::size_t>(to_ours[next]) : o.size();
    const std::size_t theirs_end =
        next < b.size() ? static_cast<std::size_t>(to_theirs[next]) : t.size();
    const std::string was = join(b, i, next), mine = join(o, j, ours_end),
                      other = join(t, k, theirs_end);
    if (mine == other || other == was) merged.text += mine;
    else if (mine == was) merged.text += other;
    else {
      merged.conflict = true;
      merged.text += "<<<<<<< ours\n" + mine + "=======\n" + other + ">>>>>>> theirs\n";
    }
    if (next == b.size()) break;
    merged.text += b[next];
    i = next + 1, j = ours_end + 1, k = theirs_end + 1;
  }
  return merged;
}

}  // namespace revctl::list::testing
