// The policy itself under the gate: what the target allows for a time, and changes to it in the
// change that is judged.
#include <algorithm>
#include <ctime>

#include "revctl/commands/gate_parts.h"
#include "revctl/commands/views.h"

namespace revctl::commands {
namespace {

using findings::Finding;
using findings::Severity;

std::string Today() {
  const std::time_t now = std::time(nullptr);
  return DateText(now).substr(0, 10);
}

}  // namespace

void ApplyAllowances(const config::Config& policy, const std::string& file, bool complete,
                     std::vector<Finding>& found) {
  const std::string today = Today();
  for (const config::Allowance& allowance : policy.allow) {
    const std::string what =
        allowance.rule + (allowance.name.empty() ? "" : " for " + allowance.name);
    if (!allowance.until.empty() && allowance.until < today) {
      found.push_back(
          {"RV025", Severity::Warning, "the allowance of " + what + " ended on " + allowance.until,
           file, allowance.line, allowance.name,
           "mend the finding, or agree on a new date, and edit `allow`", "", "", "", ""});
      continue;
    }
    const auto gone = std::erase_if(found, [&](const Finding& f) {
      return f.rule == allowance.rule && (allowance.name.empty() || allowance.name == f.revision);
    });
    if (gone == 0 && complete) {
      found.push_back({"RV025", Severity::Warning,
                       "nothing needs the allowance of " + what + " any more", file, allowance.line,
                       allowance.name, "take it out of `allow`", "", "", "", ""});
    }
  }
}

void JudgePolicy(const config::Config& target, const std::optional<config::Config>& base,
                 const config::Config& ours, const std::string& file,
                 std::vector<findings::Finding>& out) {
  // What the target has changed since is the target's doing, not this change's.
  const config::Config& before = base ? *base : target;
  for (const auto& list : before.lists) {
    const bool kept = std::any_of(ours.lists.begin(), ours.lists.end(),
                                  [&](const auto& l) { return l.name == list.name; });
    if (kept) continue;
    out.push_back({"RV003", Severity::Error,
                   "list `" + list.name + "` (" + list.path +
                       ") is taken out of .revctl.yaml: its landed revisions stay for good",
                   file, 0, "", "put it back", "", "", "", ""});
  }
  for (const std::string& key : config::PolicyChanges(before, ours)) {
    out.push_back({"RV024", Severity::Warning,
                   "this change edits the policy (" + key + "); it counts once it has landed", file,
                   0, "", "land it on its own, seen by those who own the list", "", "", "", ""});
  }
}

}  // namespace revctl::commands
