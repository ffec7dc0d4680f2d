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

/// What the rules read: lists indexed by name, and how the pending revisions compare with the
/// landed ones. No rule changes it or reads the findings of another.
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
  /// Revisions that landed, were purged, and are back. The rules about order do not apply to them.
  std::vector<const Entry*> returned;
  /// By name of a landed revision that is missing: see FindRenamed().
  std::map<std::string_view, const Entry*> heirs;
  /// By name of a landed revision that is missing: another revision that has its number.
  std::map<std::string_view, const Entry*> replaced;
  std::map<const Entry*, const Entry*> taken;  ///< pending revisions, and who has their number
  std::set<std::string> late;                  ///< pending revisions that would land behind another
  std::set<std::string> misplaced;             ///< names that need another number: taken or late
  std::set<std::string> renamed;               ///< names of `heirs` and `replaced`
  std::vector<findings::Finding> found;

  /// Returns the landed revision with that name as on the target, or null.
  const Entry* Landed(const std::string& name) const;
  /// True if the landed revision is still a revision of `merged`, or is below `oldest`.
  bool IsKeptOrPurged(const Entry& landed) const;
  /// Returns the place of an entry of `merged`: `src/list.h:7`.
  std::string At(const Entry& entry) const { return fmt::format("{}:{}", merged.path, entry.line); }
  /// Describes a landed entry: `SR_STAMINA (42, line 13 on origin/main at 3f2c1d0abc)`.
  std::string There(const Entry& entry) const;
  /// Adds a finding at `entry` (null: at the enum). The reference is valid until the next call.
  /// Outside of a repository, FixByHand() replaces `fix`.
  findings::Finding& Add(findings::RuleId rule, const Entry* entry, std::string revision,
                         std::string message, findings::Fix fix);

 private:
  /// True if the pending entry is no landed revision under a new name.
  bool IsOwn(const Entry& pending) const;
  void FindHeirs();
  void FindHeirsByPlace();
  void FindMisplaced();
  /// Returns the edit that fixes a finding of the rule, or `fix` if that is an edit already.
  findings::Fix FixByHand(findings::RuleId rule, findings::Fix fix) const;
};

/// Returns the fix that gives the pending revisions new numbers. On a release branch new entries
/// have landed on the target, and with numbers at landing they become pending files, so no number
/// is given there.
inline findings::Fix RenumberFix(const RuleCheck& j) {
  const bool gives = !j.lists.release && j.config.numbers == Numbers::AtReserve;
  return findings::Fix::Mechanical(gives ? findings::FixKind::Numbers : findings::FixKind::Repair);
}
/// Returns the fix that restores landed entries. If revisions are pending, their numbers are
/// confirmed as well.
inline findings::Fix RestoreFix(const RuleCheck& j) {
  const bool numbered = std::any_of(j.pending.begin(), j.pending.end(),
                                    [](const Entry* entry) { return entry->pending_file.empty(); });
  return numbered ? RenumberFix(j) : findings::Fix::Mechanical();
}

void CheckLanded(RuleCheck& check);  ///< RV001 to RV006: landed entries stay, pending ones follow
void CheckOrder(RuleCheck& check);   ///< RV007
void CheckReservations(RuleCheck& check);  ///< RV011, RV012
void CheckWriting(RuleCheck& check);       ///< RV008, RV009, RV013, RV014: the list on its own
void CheckComments(RuleCheck& check);      ///< RV010

}  // namespace revctl::list::detail
