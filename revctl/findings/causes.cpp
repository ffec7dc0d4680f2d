#include "revctl/findings/causes.h"

#include <map>
#include <string_view>
#include <tuple>

#include "revctl/base/first_few.h"

namespace revctl::findings {
namespace {

using Key = std::tuple<RuleId, Severity, std::string_view, std::string>;

/// A harness's fix repeats for different causes, so its findings are grouped by `cause` alone.
bool HasCause(const Finding& finding) {
  return !finding.cause.empty() || (finding.signal.empty() && !finding.fix.empty());
}

Key KeyOf(const Finding& finding) {
  return {finding.rule, finding.severity, finding.cause,
          finding.cause.empty() ? FixText(finding.fix) : ""};
}

}  // namespace

std::vector<CauseGroup> GroupByCause(const std::vector<Finding>& findings) {
  std::map<Key, std::size_t> sizes;
  for (const Finding& finding : findings) {
    if (HasCause(finding)) ++sizes[KeyOf(finding)];
  }
  std::vector<CauseGroup> groups;
  std::map<Key, std::size_t> places;
  for (std::size_t i = 0; i < findings.size(); ++i) {
    const bool folds = HasCause(findings[i]) && sizes[KeyOf(findings[i])] > base::kFirstFew;
    if (!folds) {
      groups.push_back({i});
      continue;
    }
    const auto [place, fresh] = places.emplace(KeyOf(findings[i]), groups.size());
    if (fresh) groups.emplace_back();
    groups[place->second].push_back(i);
  }
  return groups;
}

}  // namespace revctl::findings
