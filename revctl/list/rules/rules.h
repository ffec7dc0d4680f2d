#pragma once
#include <cstdint>
#include <limits>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "revctl/findings/finding.h"
#include "revctl/list/reading/revision_list.h"

namespace revctl::list {

struct Reservation {
  std::string name;
  std::int64_t number = 0;
  std::string who;  ///< such as "Ann <ann@example.org>"
};

/// The input of CheckRules(). Positions in findings refer to `merged`.
struct CheckedLists {
  /// list at the tip of the target branch; null if the target has no list
  const RevisionList* target = nullptr;
  const RevisionList* merged =
      nullptr;  ///< the result of a text merge with the target, or the file in the work tree
  std::string target_label = "origin/main";
  /// id of the target's tip; empty if it is unknown or the label contains it
  std::string target_commit = {};
  /// The ledger's open reservations; nullopt if the ledger is unknown. In that case, RV011 is
  /// reported only if `reservation_required` is true.
  std::optional<std::vector<Reservation>> reservations;
  std::int64_t high_water = std::numeric_limits<std::int64_t>::min();
  /// Date of the local ledger copy if the reservations come from it; empty if they come from the
  /// ledger itself.
  std::string ledger_copy = {};
  bool reservation_required = true;
  bool release = false;  ///< true if `target` is a release branch
  /// False if the lists come from files outside a repository. In that case, fixes describe the
  /// edit, because commands need a repository.
  bool in_repository = true;
  /// Names of pending revisions that are certainly new, not landed revisions under a new name. May
  /// omit reserved revisions.
  std::set<std::string> own = {};
  /// New names of landed revisions, if code uses the new name exactly where it used the old one.
  std::set<std::string> moved_in_code = {};
  /// Names of pending revisions with a provisional number (reserved offline). May omit revisions
  /// whose number in the list differs from their reservation.
  std::vector<std::string> provisional;
};

/// A landed revision that a list lacks, and the pending revision in its place, which is probably
/// the landed revision under a new name. The pointers point into the two lists.
struct Renamed {
  const Entry* landed = nullptr;
  const Entry* heir = nullptr;
};
/// Returns the revisions that were probably renamed (RV005). In each pair, the pending entry has
/// the missing revision's number, or is the only pending entry between the missing revision's
/// neighbors.
std::vector<Renamed> FindRenamed(const CheckedLists& lists, const ListConfig& config);

/// Returns the pending revisions that would land after a revision with a higher number (RV006).
std::set<std::string> LateRevisions(const CheckedLists& lists, const ListConfig& config);

/// Checks RV001 to RV014. Each finding has a file and line, names both revisions, and has a fix.
std::vector<findings::Finding> CheckRules(const CheckedLists& lists, const ListConfig& config);

}  // namespace revctl::list
