#pragma once
#include <fmt/core.h>
#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <unordered_map>
#include <vector>

#include "revctl/list/rules/rules.h"

namespace revctl::list::detail {

inline std::string Text(std::int64_t number) { return std::to_string(number); }

/// What the rules share: both lists by name, what is pending, and what was found so far.
class RuleCheck {
 public:
  RuleCheck(const CheckedLists& judged_lists, const ListConfig& list_config);

  const CheckedLists& lists;
  const RevisionList& merged;
  const ListConfig& config;
  std::unordered_map<std::string_view, const Entry*> here,
      there;  ///< first entry of each name, in `merged` and on the target
  std::map<std::int64_t, const Entry*> landed_by_number;
  const Entry* last_landed = nullptr;
  const Entry* oldest = nullptr;
  std::vector<const Entry*> pending;
  /// had landed and were purged; no rule about a place in line is theirs
  std::vector<const Entry*> returned;
  std::set<std::string> misplaced;  ///< already told to take another number
  std::set<std::string> renamed;    ///< landed ones in disguise
  std::vector<findings::Finding> found;

  /// The landed revision of that name, as the target has it; null where there is none.
  const Entry* Landed(const std::string& name) const;
  /// `src/list.h:7`.
  std::string At(const Entry& entry) const { return fmt::format("{}:{}", merged.path, entry.line); }
  /// `SR_STAMINA (42, line 13 on origin/main at 3f2c1d0abc)`: a landed entry as the target has it.
  std::string There(const Entry& entry) const;
  /// `entry`: where it is; null: the enum. The reference holds until the next one is added.
  findings::Finding& Add(std::string rule, const Entry* entry, std::string revision,
                         std::string message, std::string fix,
                         findings::Severity severity = findings::Severity::Error);
};

/// Gives pending revisions other numbers, without a name: by name, one goes behind the branch's
/// others. A release has none: what is new there has landed on the target. Where numbers are given
/// at landing, they become pending files instead.
inline std::string RenumberCommand(const RuleCheck& j) {
  if (j.lists.release) return "revctl resolve";
  return j.config.numbers == Numbers::AtLanding ? "revctl sync --adopt" : "revctl renumber";
}
/// Puts what has landed back. `renumber` does that first, and then confirms what is pending.
inline std::string MendLanded(const RuleCheck& j) {
  const bool numbered = std::any_of(j.pending.begin(), j.pending.end(),
                                    [](const Entry* entry) { return entry->pending_file.empty(); });
  const bool at_landing = j.config.numbers == Numbers::AtLanding;
  return j.lists.release || !numbered || at_landing ? "revctl resolve" : "revctl renumber";
}

void CheckLanded(
    RuleCheck& check);  ///< RV001 to RV006: what has landed stays, what is new stands behind it
void CheckOrder(RuleCheck& check);         ///< RV007
void CheckReservations(RuleCheck& check);  ///< RV011, RV012
void CheckWriting(RuleCheck& check);       ///< RV008, RV009, RV013, RV014: the list by itself
void CheckComments(RuleCheck& check);      ///< RV010

}  // namespace revctl::list::detail
