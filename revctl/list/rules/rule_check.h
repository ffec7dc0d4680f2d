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

/// The input of the rules: lists indexed by name, and the pending revisions compared with the
/// landed revisions. Rules only add findings; no rule reads the findings of another rule.
class RuleCheck {
 public:
  RuleCheck(const CheckedLists& judged_lists, const ListConfig& list_config);

  const CheckedLists& lists;
  const RevisionList& merged;
  const ListConfig& config;
  std::unordered_map<std::string_view, const Entry*> here,
      there;  ///< first entry with each name, in `merged` (`here`) and on the target (`there`)
  std::map<std::int64_t, const Entry*> landed_by_number;
  const Entry* last_landed = nullptr;
  const Entry* oldest = nullptr;
  std::vector<const Entry*> pending;
  /// Purged landed revisions that are in `merged` again. The rules about order do not apply to
  /// them.
  std::vector<const Entry*> returned;
  /// Maps the name of a missing landed revision to the pending revision that has its number or
  /// position, and is probably the same revision under a new name.
  std::map<std::string_view, const Entry*> heirs;
  /// maps the name of a missing landed revision to the different revision that has taken its number
  std::map<std::string_view, const Entry*> replaced;
  /// maps a pending revision to another revision that already has its number
  std::map<const Entry*, const Entry*> taken;
  std::set<std::string> late;  ///< names of pending revisions that would land after a higher number
  /// names of pending revisions that need a new number, because their number is taken or too low
  std::set<std::string> misplaced;
  std::set<std::string> renamed;  ///< names of the revisions in `heirs` and `replaced`
  std::vector<findings::Finding> found;

  /// Returns the landed revision with this name from the target's list, or null.
  const Entry* Landed(const std::string& name) const;
  /// True if the landed revision is still a revision of `merged`, or was purged because it is below
  /// `oldest`.
  bool IsKeptOrPurged(const Entry& landed) const;
  /// Returns the position of an entry of `merged`, such as `src/list.h:7`.
  std::string At(const Entry& entry) const { return fmt::format("{}:{}", merged.path, entry.line); }
  /// Returns a description of a landed entry, such as `SR_STAMINA (42, line 13 on origin/main at
  /// 3f2c1d0abc)`.
  std::string There(const Entry& entry) const;
  /// Adds a finding at `entry`, or at the enum if `entry` is null. The returned reference is valid
  /// until the next call. Outside a repository, FixByHand() replaces `fix`.
  findings::Finding& Add(findings::RuleId rule, const Entry* entry, std::string revision,
                         std::string message, findings::Fix fix);

 private:
  /// True if the pending entry is certainly a new revision, not a landed revision under a new name.
  bool IsOwn(const Entry& pending) const;
  void FindHeirs();
  void FindHeirsByPlace();
  void FindMisplaced();
  /// Describes the edit that fixes a finding of the rule. Returns `fix` if it already describes an
  /// edit.
  findings::Fix FixByHand(findings::RuleId rule, findings::Fix fix) const;
};

/// Returns the fix that moves pending revisions to new numbers. In two cases, the fix assigns no
/// number: on a release branch, because the entries already have numbers on the target, and with
/// `numbers: at-landing`, because the entries become pending files.
inline findings::Fix RenumberFix(const RuleCheck& j) {
  const bool gives = !j.lists.release && j.config.numbers == Numbers::AtReserve;
  return findings::Fix::Mechanical(gives ? findings::FixKind::Numbers : findings::FixKind::Repair);
}
/// Returns the fix that restores landed entries. If there are pending revisions, the fix also
/// confirms their numbers.
inline findings::Fix RestoreFix(const RuleCheck& j) {
  const bool numbered = std::any_of(j.pending.begin(), j.pending.end(),
                                    [](const Entry* entry) { return entry->pending_file.empty(); });
  return numbered ? RenumberFix(j) : findings::Fix::Mechanical();
}

/// Checks RV001 to RV006: landed entries must stay, and pending entries must come after them.
void CheckLanded(RuleCheck& check);
void CheckOrder(RuleCheck& check);         ///< RV007
void CheckReservations(RuleCheck& check);  ///< RV011, RV012
/// Checks RV008, RV009, RV013 and RV014, most of which depend only on the list itself.
void CheckWriting(RuleCheck& check);
void CheckComments(RuleCheck& check);  ///< RV010

}  // namespace revctl::list::detail
