#include "revctl/config/glob.h"

#include <vector>

namespace revctl::config {

bool GlobMatches(std::string_view pattern, std::string_view name) {
  // reachable[i]: the pattern so far matches the first i characters. One row per pattern element,
  // never backtracking.
  std::vector<char> reachable(name.size() + 1, 0);
  reachable[0] = 1;
  for (std::size_t p = 0; p < pattern.size(); ++p) {
    std::vector<char> next(name.size() + 1, 0);
    if (pattern[p] == '*') {
      const bool crosses = p + 1 < pattern.size() && pattern[p + 1] == '*';
      if (crosses) ++p;
      bool running = false;
      for (std::size_t i = 0; i <= name.size(); ++i) {
        if (i > 0 && name[i - 1] == '/' && !crosses) running = false;
        running = running || reachable[i] != 0;
        next[i] = running ? 1 : 0;
      }
    } else {
      for (std::size_t i = 0; i < name.size(); ++i) {
        const bool fits = pattern[p] == '?' ? name[i] != '/' : pattern[p] == name[i];
        if (reachable[i] != 0 && fits) next[i + 1] = 1;
      }
    }
    reachable = std::move(next);
  }
  return reachable[name.size()] != 0;
}

}  // namespace revctl::config
