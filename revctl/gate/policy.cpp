// The policy itself under the gate: what the target allows for a time, and changes to it in the
// change that is judged.
#include <algorithm>
#include <ctime>
#include <iterator>
#include <map>
#include <set>

#include "revctl/gate/rules.h"
#include "revctl/workspace/list_view.h"

namespace revctl::commands {
namespace {

using findings::Finding;
using findings::Severity;

std::string Today() {
  const std::time_t now = std::time(nullptr);
  return DateText(now).substr(0, 10);
}

/// A key of the policy after whose change something would be judged no more.
struct EndOfProtection {
  std::string key, what;
  int line = 0;
};

/// Rules that keep what has landed: an allowance for one lets the next change edit it. Behind a
/// list that cannot be read any more nothing is known to have landed.
bool KeepsLanded(const std::string& rule) {
  static constexpr std::string_view kRules[] = {"RV001", "RV002", "RV003", "RV004", "RV005",
                                                "RV015", "RV016", "RV018", "RV019", "RV023",
                                                "RV024", "RV029", "RV030"};
  return std::find(std::begin(kRules), std::end(kRules), rule) != std::end(kRules);
}

std::vector<EndOfProtection> Ends(const config::Config& before, const config::Config& after,
                                  const std::optional<std::string>& ledger) {
  const bool has_ledger = ledger.has_value();
  std::vector<EndOfProtection> out;
  if (before.target != after.target)
    out.push_back(
        {"target", fmt::format("the lists of {} would be judged by nothing", before.target)});
  for (const std::string& glob : before.releases) {
    if (std::find(after.releases.begin(), after.releases.end(), glob) == after.releases.end())
      out.push_back({"releases", fmt::format("branches like {} would be judged by nothing", glob)});
  }
  if (has_ledger && before.ledger != after.ledger)
    out.push_back({"ledger", before.ledger + " would be guarded by nothing"});
  if (has_ledger && !before.ledger_id.empty() && before.ledger_id != after.ledger_id)
    out.push_back(
        {"ledger_id", fmt::format("another ledger would give numbers again that {} has given",
                                  before.ledger_id.substr(0, 12))});
  if (has_ledger && before.ledger_id.empty() && !after.ledger_id.empty() && !ledger->empty() &&
      after.ledger_id != *ledger)
    out.push_back(
        {"ledger_id", fmt::format("the ledger there is {}, and no revision could be reserved",
                                  ledger->substr(0, 12))});
  for (const config::Allowance& one : after.allow) {
    const bool old =
        std::any_of(before.allow.begin(), before.allow.end(), [&](const config::Allowance& a) {
          return a.rule == one.rule && a.name == one.name &&
                 (a.until == one.until || a.until.empty());
        });
    if (old || !KeepsLanded(one.rule)) continue;
    out.push_back({"allow",
                   fmt::format("{}{} would let the next change edit what has landed", one.rule,
                               one.name.empty() ? "" : " for " + one.name),
                   one.line});
  }
  return out;
}

}  // namespace

void ApplyAllowances(const config::Config& policy, const std::string& file, bool complete,
                     std::vector<Finding>& found) {
  const std::string today = Today();
  // Each finding is taken out by the first allowance that covers it: both may be many.
  const auto key = [](const std::string& rule, const std::string& name) {
    return rule + '\n' + name;
  };
  std::map<std::string, std::size_t> by_key;
  for (std::size_t i = 0; i < policy.allow.size(); ++i) {
    const config::Allowance& one = policy.allow[i];
    if (one.until.empty() || one.until >= today) by_key.emplace(key(one.rule, one.name), i);
  }
  std::vector<bool> used(policy.allow.size());
  std::erase_if(found, [&](const Finding& f) {
    const auto any = by_key.find(key(f.rule, "")), named = by_key.find(key(f.rule, f.revision));
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
      found.push_back({"RV025", Severity::Warning,
                       fmt::format("the allowance of {} ended on {}", what, allowance.until), file,
                       allowance.line, allowance.name,
                       "mend the finding, or agree on a new date, and edit `allow`"});
    } else if (!used[i] && complete) {
      found.push_back({"RV025", Severity::Warning,
                       fmt::format("nothing needs the allowance of {} any more", what), file,
                       allowance.line, allowance.name, "take it out of `allow`"});
    }
  }
}

Result<Severity> SeverityOfEnds(const git::Repository& repository) {
  TRY(auto value, repository.ConfigValue("revctl.allowPolicyChange"));
  const bool allowed =
      value && (*value == "true" || *value == "yes" || *value == "on" || *value == "1");
  return allowed ? Severity::Warning : Severity::Error;
}

std::string AllowPolicyChange(const std::string& mend) {
  return mend +
         "; where the team means it, in the repository that judges (the server's, or CI's clone): "
         "git config revctl.allowPolicyChange true, for this change alone";
}

void CheckPolicy(const PolicyChange& change, Severity ends, std::vector<Finding>& out) {
  const config::Config &before = change.before, &after = change.after;
  for (const auto& list : before.lists) {
    if (after.ListNamed(list.name) != nullptr) continue;
    out.push_back(
        {"RV003", ends,
         fmt::format(
             "list `{}` ({}) is taken out of .revctl.yaml: its landed revisions stay for good",
             list.name, list.path),
         change.file, 0, "", AllowPolicyChange("put it back")});
  }
  std::set<std::string> told;
  for (const EndOfProtection& end : Ends(before, after, change.ledger)) {
    told.insert(end.key);
    out.push_back({"RV024", ends,
                   fmt::format("this change ends protection ({}): {}", end.key, end.what),
                   change.file, end.line, "", AllowPolicyChange("leave it as it was")});
  }
  for (const std::string& key : config::PolicyChanges(before, after)) {
    if (told.contains(key)) continue;
    out.push_back(
        {"RV024", Severity::Warning,
         fmt::format("this change edits the policy ({}); it counts once it has landed", key),
         change.file, 0, "", "land it on its own, seen by those who own the list"});
  }
}

}  // namespace revctl::commands
