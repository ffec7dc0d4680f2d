#include "revctl/base/glob.h"

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

namespace revctl::base {
namespace {

/// Returns the length of the first element of `pattern`: a set in brackets, a backslash and the
/// character after it, or any other single character. `pattern` must not be empty or begin with
/// '*'.
std::size_t ElementLength(std::string_view pattern) {
  if (pattern[0] == '\\' && pattern.size() > 1) return 2;
  if (pattern[0] != '[') return 1;
  const bool negated = pattern.size() > 1 && (pattern[1] == '!' || pattern[1] == '^');
  // A ']' directly after the `[` or `[!` is a member of the set.
  const std::size_t end = pattern.find(']', negated ? 3 : 2);
  return end == std::string_view::npos ? 1 : end + 1;
}

/// True if `element`, the first element of some pattern, matches `c`. See ElementLength.
bool ElementMatches(std::string_view element, char c) {
  if (element == "?") return c != '/';
  if (element.size() == 1) return element[0] == c;
  if (element[0] == '\\') return element[1] == c;
  const bool negated = element[1] == '!' || element[1] == '^';
  const std::string_view members = element.substr(0, element.size() - 1);
  bool member = false;
  for (std::size_t i = negated ? 2 : 1; i < members.size(); ++i) {
    const bool range = i + 2 < members.size() && members[i + 1] == '-';
    const char last = range ? members[i + 2] : members[i];
    member = member || (members[i] <= c && c <= last);
    if (range) i += 2;
  }
  return member != negated && c != '/';
}

}  // namespace

bool GlobMatches(std::string_view pattern, std::string_view name) {
  // Compare the literal prefix first: most names that do not match already differ there.
  const std::size_t literal = std::min(pattern.find_first_of("*?[\\"), pattern.size());
  if (!name.starts_with(pattern.substr(0, literal))) return false;
  pattern.remove_prefix(literal);
  name.remove_prefix(literal);
  // reachable[i] is true if the elements processed so far can match exactly the first i characters.
  // Tracking all i avoids backtracking.
  std::vector<bool> reachable(name.size() + 1, false);
  reachable[0] = true;
  while (!pattern.empty()) {
    std::vector<bool> next(name.size() + 1, false);
    if (pattern[0] == '*') {
      const bool crosses = pattern.starts_with("**");
      bool running = false;
      for (std::size_t i = 0; i <= name.size(); ++i) {
        if (i > 0 && name[i - 1] == '/' && !crosses) running = false;
        running = running || reachable[i];
        next[i] = running;
      }
      pattern.remove_prefix(crosses ? 2 : 1);
    } else {
      const std::size_t length = ElementLength(pattern);
      for (std::size_t i = 0; i < name.size(); ++i)
        next[i + 1] = reachable[i] && ElementMatches(pattern.substr(0, length), name[i]);
      pattern.remove_prefix(length);
    }
    if (std::find(next.begin(), next.end(), true) == next.end()) return false;
    reachable = std::move(next);
  }
  return reachable[name.size()];
}

}  // namespace revctl::base
