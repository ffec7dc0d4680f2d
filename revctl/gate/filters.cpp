#include <algorithm>
#include <ctime>
#include <map>
#include <set>

#include "revctl/findings/rule_table.h"
#include "revctl/gate/gate_rules.h"
#include "revctl/workspace/list_view.h"

namespace revctl::commands {
namespace {

using findings::Finding;
using findings::RuleId;
using findings::Severity;

/// Findings of the rule `cause` hide findings of the rules `hidden`, because one fix removes both.
struct Hides {
  RuleId cause;
  /// true if only causes that ask the user a question hide findings; false if only causes without a
  /// question do
  bool asks;
  /// true to hide only findings about the same revision, false to hide all findings about the list
  bool same_revision;
  std::vector<RuleId> hidden;
};

const std::vector<Hides>& FollowUps() {
  using enum RuleId;
  static const std::vector<Hides> table{
      // `revctl fix` turns a handwritten entry into a pending file, so findings about the entry's
      // number become irrelevant.
      {WrongFold, false, true, {NumberTwice, LandsLate, NotReserved, ProvisionalNumber}},
      // If this change and the target both added the revision, this change's entry, goldens and
      // pending file look like edits of landed files.
      {NumberTwice,
       true,
       true,
       {LandedRenumbered, LandsLate, NotReserved, ProvisionalNumber, LandedGolden, PendingGolden,
        OutdatedGoldens, PendingFile, WrongFold}},
      // A wrong entry also changes the lineages of all later entries.
      {NumberTwice, false, false, {LandedLineage}},
      {NameTwice, false, false, {LandedLineage}},
      {LandedRemoved, false, false, {LandedLineage}},
      {LandedRenumbered, false, false, {LandedLineage}},
      {LandedRenamed, true, false, {LandedLineage}},
      {LandedRenamed, false, false, {LandedLineage}},
  };
  return table;
}

std::string Today() { return DateText(std::time(nullptr)).substr(0, 10); }

}  // namespace

void HideFollowUps(Findings& found) {
  for (const Hides& row : FollowUps()) {
    std::set<std::string, std::less<>> revisions;  // revisions with a finding of the rule `cause`
    for (const Finding& one : found) {
      if (one.rule == row.cause && one.asks == row.asks) revisions.insert(one.revision);
    }
    if (revisions.empty()) continue;
    std::erase_if(found, [&](const Finding& one) {
      return !one.asks && (!row.same_revision || revisions.contains(one.revision)) &&
             std::find(row.hidden.begin(), row.hidden.end(), one.rule) != row.hidden.end();
    });
  }
}

void ApplyAllowances(const config::Config& policy, const std::string& file, bool complete,
                     Findings& found) {
  const std::string today = Today();
  // Index the allowances, because there may be many allowances and findings. The first matching
  // allowance applies.
  std::map<std::pair<std::string_view, std::string_view>, std::size_t> by_key;
  for (std::size_t i = 0; i < policy.allow.size(); ++i) {
    const config::Allowance& one = policy.allow[i];
    if (one.until.empty() || one.until >= today) by_key.try_emplace({one.rule, one.name}, i);
  }
  std::vector<bool> used(policy.allow.size());
  std::erase_if(found, [&](const Finding& f) {
    const std::string_view rule = findings::NameOf(f.rule);
    const auto any = by_key.find({rule, ""}), named = by_key.find({rule, f.revision});
    std::size_t first = used.size();
    for (const auto& place : {any, named}) {
      if (place != by_key.end()) first = std::min(first, place->second);
    }
    if (first != used.size()) used[first] = true;
    return first != used.size();
  });
  for (std::size_t i = 0; i < policy.allow.size(); ++i) {
    const config::Allowance& allowance = policy.allow[i];
    const std::string what =
        allowance.rule + (allowance.name.empty() ? "" : " for " + allowance.name);
    if (!allowance.until.empty() && allowance.until < today) {
      found.push_back({RuleId::UselessAllowance, Severity::Warning,
                       fmt::format("the `allow` for {} expired on {}", what, allowance.until), file,
                       allowance.line, allowance.name,
                       "fix the finding, or set a new date in `until`"});
    } else if (!used[i] && complete) {
      found.push_back({RuleId::UselessAllowance, Severity::Warning,
                       fmt::format("the `allow` for {} is no longer needed", what), file,
                       allowance.line, allowance.name, "remove it from `allow`"});
    }
  }
}

}  // namespace revctl::commands
