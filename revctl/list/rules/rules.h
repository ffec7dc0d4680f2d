#pragma once
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "revctl/findings/finding.h"
#include "revctl/list/reading/revision_list.h"

namespace revctl::list {

/// An open or past reservation, as the ledger's tree gives it.
struct Reservation {
  std::string name;
  std::int64_t number = 0;
  std::string who;  ///< "Ann <ann@example.org>"
};

/// What the rules judge: lists as values, no git. Positions in findings are those of `merged`.
struct CheckedLists {
  const RevisionList* target = nullptr;  ///< tip of the target branch; null where it has no list
  const RevisionList* merged =
      nullptr;  ///< what a text merge with the target will give (or the working file)
  std::string target_label = "origin/main";
  std::string target_commit = {};  ///< its tip; empty: not known, or the label says it
  /// Ledger; nullopt where it is not known (RV011 is then an error only if
  /// `reservation_required`).
  std::optional<std::vector<Reservation>> reservations;
  std::int64_t high_water = std::numeric_limits<std::int64_t>::min();
  /// Of when the copy of the ledger is that was read; empty: it is the ledger as it stands.
  std::string ledger_copy = {};
  bool reservation_required = true;
  bool release = false;  ///< `target` is a release branch
  /// Names of pending revisions whose number is known to be provisional (taken offline). Those
  /// whose reservation has another number than the list are found without being named here.
  std::vector<std::string> provisional;
};

/// RV001 to RV014 over two lists; rule_check.cpp calls the other files of this room. Every finding
/// carries file:line, both revisions, and the command that mends it.
std::vector<findings::Finding> CheckRules(const CheckedLists& lists, const ListConfig& config);

}  // namespace revctl::list
