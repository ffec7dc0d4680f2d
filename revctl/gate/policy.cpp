// Checks how a change edits the config.
#include <algorithm>
#include <set>

#include "revctl/findings/rule_table.h"
#include "revctl/gate/gate_rules.h"

namespace revctl::commands {
namespace {

using findings::Finding;
using findings::RuleId;
using findings::Severity;

/// A config key whose new value removes a protection, and what that protection covered.
struct EndOfProtection {
  std::string key, what;
  int line = 0;
};

/// True if the allowance is for a rule that protects landed revisions. Such an allowance would let
/// the next change edit them.
bool ProtectsLanded(const config::Allowance& allowance) {
  const findings::Rule* rule = findings::FindRule(allowance.rule);
  return rule != nullptr && rule->Is(findings::Rule::kProtectsLanded);
}

std::vector<EndOfProtection> RemovedProtections(const config::Config& before,
                                                const config::Config& after,
                                                const std::optional<std::string>& ledger) {
  const bool has_ledger = ledger.has_value();
  std::vector<EndOfProtection> out;
  if (before.target != after.target)
    out.push_back(
        {"target", fmt::format("the lists on {} would no longer be checked", before.target)});
  for (const std::string& glob : before.releases) {
    if (std::find(after.releases.begin(), after.releases.end(), glob) == after.releases.end())
      out.push_back({"releases", fmt::format("branches like {} would no longer be checked", glob)});
  }
  if (has_ledger && before.ledger != after.ledger)
    out.push_back({"ledger", before.ledger + " would no longer be protected"});
  if (has_ledger && !before.ledger_id.empty() && before.ledger_id != after.ledger_id)
    out.push_back(
        {"ledger_id",
         fmt::format(
             "a different ledger could reassign numbers that ledger {} has already assigned",
             before.ledger_id.substr(0, 12))});
  if (has_ledger && before.ledger_id.empty() && !after.ledger_id.empty() && !ledger->empty() &&
      after.ledger_id != *ledger)
    out.push_back(
        {"ledger_id", fmt::format("the existing ledger is {}, so no revision could be reserved",
                                  ledger->substr(0, 12))});
  for (const config::Allowance& one : after.allow) {
    const bool old =
        std::any_of(before.allow.begin(), before.allow.end(), [&](const config::Allowance& a) {
          return a.rule == one.rule && a.name == one.name &&
                 (a.until == one.until || a.until.empty());
        });
    if (old || !ProtectsLanded(one)) continue;
    out.push_back(
        {"allow",
         fmt::format("allowing {}{} would let the next change edit landed revisions or goldens",
                     one.rule, one.name.empty() ? "" : " for " + one.name),
         one.line});
  }
  return out;
}

}  // namespace

Result<Severity> WeakeningSeverity(const git::Repository& repository) {
  TRY(auto value, repository.ConfigValue("revctl.allowPolicyChange"));
  const bool allowed =
      value && (*value == "true" || *value == "yes" || *value == "on" || *value == "1");
  return allowed ? Severity::Warning : Severity::Error;
}

std::string AllowPolicyChange(const std::string& fix) {
  return fix +
         "\nif the team wants this change, allow it temporarily in the repository where the "
         "check runs (on the server or in CI): git config revctl.allowPolicyChange true";
}

Findings CheckPolicy(const PolicyChange& change, Severity weakening) {
  const config::Config &before = change.before, &after = change.after;
  Findings out;
  const auto add = [&](RuleId rule, Severity severity, int line, std::string message,
                       std::string fix) {
    out.push_back({.rule = rule,
                   .severity = severity,
                   .message = std::move(message),
                   .file = change.file,
                   .line = line,
                   .fix = std::move(fix)});
  };
  for (const auto& list : before.lists) {
    if (after.ListNamed(list.name) != nullptr) continue;
    add(RuleId::LandedRemoved, weakening, 0,
        fmt::format(
            "list `{}` ({}) was removed from .revctl.yaml, but its landed revisions must stay",
            list.name, list.path),
        AllowPolicyChange("restore it"));
  }
  std::set<std::string> reported;
  for (const EndOfProtection& end : RemovedProtections(before, after, change.ledger)) {
    reported.insert(end.key);
    add(RuleId::PolicyChange, weakening, end.line,
        fmt::format("this change removes a protection ({}): {}", end.key, end.what),
        AllowPolicyChange("restore the old value"));
  }
  for (const std::string& key : config::PolicyChanges(before, after)) {
    if (reported.contains(key)) continue;
    add(RuleId::PolicyChange, Severity::Warning, 0,
        fmt::format("this change edits the policy ({}); the edit takes effect after it has landed",
                    key),
        "land it as a separate change, reviewed by the list owners");
  }
  return out;
}

}  // namespace revctl::commands
