#include <map>
#include <string_view>
#include <tuple>

#include "revctl/base/first_few.h"
#include "revctl/findings/render_formats.h"

namespace revctl::findings::detail {
namespace {

using Key = std::tuple<RuleId, Severity, std::string_view, std::string>;

/// True if the finding can be grouped. The harness may report the same fix for different causes, so
/// findings of the harness are grouped by `cause` alone.
bool HasCause(const Finding& finding) {
  return !finding.cause.empty() || (finding.signal.empty() && !finding.fix.empty());
}

Key KeyOf(const Finding& finding) {
  return {finding.rule, finding.severity, finding.cause,
          finding.cause.empty() ? FixText(finding.fix) : ""};
}

/// Returns the index of each finding's root: the finding that it follows from, directly or
/// indirectly. A finding that follows from nothing, or from a finding outside `findings`, is its
/// own root.
std::vector<std::size_t> Roots(const Findings& findings) {
  std::map<std::string_view, std::size_t> places;
  for (std::size_t i = 0; i < findings.size(); ++i) {
    if (!findings[i].key.empty()) places.emplace(findings[i].key, i);
  }
  std::vector<std::size_t> roots(findings.size());
  for (std::size_t i = 0; i < findings.size(); ++i) {
    roots[i] = i;
    // Stop after as many steps as there are findings, because `follows` may form a cycle.
    for (std::size_t step = 0; step < findings.size(); ++step) {
      const auto cause = places.find(findings[roots[i]].follows);
      if (cause == places.end() || cause->second == roots[i]) break;
      roots[i] = cause->second;
    }
  }
  return roots;
}

}  // namespace

std::vector<CauseGroup> GroupByCause(const Findings& findings) {
  const std::vector<std::size_t> roots = Roots(findings);
  const auto follows = [&](std::size_t i) { return roots[i] != i && roots[roots[i]] == roots[i]; };
  std::map<Key, std::size_t> sizes;
  for (std::size_t i = 0; i < findings.size(); ++i) {
    if (!follows(i) && HasCause(findings[i])) ++sizes[KeyOf(findings[i])];
  }
  std::vector<CauseGroup> groups;
  std::vector<std::size_t> group_of(findings.size(), 0);
  std::map<Key, std::size_t> places;
  for (std::size_t i = 0; i < findings.size(); ++i) {
    if (follows(i)) continue;
    group_of[i] = groups.size();
    if (HasCause(findings[i]) && sizes[KeyOf(findings[i])] > base::kFirstFew)
      group_of[i] = places.emplace(KeyOf(findings[i]), groups.size()).first->second;
    if (group_of[i] == groups.size()) groups.emplace_back();
    groups[group_of[i]].same.push_back(i);
  }
  for (std::size_t i = 0; i < findings.size(); ++i) {
    if (follows(i)) groups[group_of[roots[i]]].following.push_back(i);
  }
  return groups;
}

}  // namespace revctl::findings::detail
