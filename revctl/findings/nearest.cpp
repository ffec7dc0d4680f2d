#include "revctl/findings/nearest.h"

#include <fmt/core.h>
#include <algorithm>

#include "revctl/base/ascii.h"
#include "revctl/findings/printable.h"

namespace revctl::findings {
namespace {

/// Returns how many letters must be inserted, deleted, replaced, or swapped with a neighbor to turn
/// `a` into `b`.
std::size_t Distance(const std::string& a, const std::string& b) {
  std::vector<std::vector<std::size_t>> cost(a.size() + 1, std::vector<std::size_t>(b.size() + 1));
  for (std::size_t i = 0; i <= a.size(); ++i) {
    for (std::size_t j = 0; j <= b.size(); ++j) {
      if (i == 0 || j == 0) {
        cost[i][j] = i + j;
        continue;
      }
      const std::size_t differs = a[i - 1] == b[j - 1] ? 0 : 1;
      cost[i][j] = std::min({cost[i - 1][j] + 1, cost[i][j - 1] + 1, cost[i - 1][j - 1] + differs});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
        cost[i][j] = std::min(cost[i][j], cost[i - 2][j - 2] + 1);
    }
  }
  return cost[a.size()][b.size()];
}

}  // namespace

std::string Nearest(std::string_view word, const std::vector<std::string>& known) {
  // The distance table grows with the product of both lengths.
  constexpr std::size_t kLongest = 100;
  if (word.empty() || word.size() > kLongest) return "";
  const std::string wanted = base::Lower(word);
  // Accept a word if at most a third of its letters differ, or a single letter in a short word.
  std::size_t best = std::max<std::size_t>(1, wanted.size() / 3) + 1;
  std::string found;
  for (const std::string& candidate : known) {
    if (candidate.size() > kLongest) continue;
    const std::size_t distance = Distance(wanted, base::Lower(candidate));
    if (distance < best) {
      best = distance;
      found = candidate;
    }
  }
  return found;
}

std::string DidYouMean(std::string_view word, const std::vector<std::string>& known) {
  const std::string nearest = Nearest(word, known);
  return nearest.empty() ? "" : fmt::format("; did you mean {}?", OneLine(nearest));
}

}  // namespace revctl::findings
