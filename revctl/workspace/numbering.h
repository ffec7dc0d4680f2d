#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "revctl/base/result.h"
#include "revctl/ledger/state.h"
#include "revctl/list/reading/list_config.h"
#include "revctl/list/reading/revision_list.h"

namespace revctl::commands {

/// Computes the next free number and determines which revisions have landed, based on the landed
/// list, the working list and the ledger. Uses neither git nor the disk.
struct Numbering {
  const list::RevisionList* landed;   ///< the target's list; null if nothing has landed
  const list::RevisionList* working;  ///< the work tree's list
  ledger::ListState ledger;           ///< reservations of the list, without those that have landed
  const list::Names* purged;          ///< names removed from the list after they had landed

  std::optional<std::int64_t> LastLanded() const;
  bool HasLanded(std::string_view name) const;
  /// True if the name has landed and has since been removed from the target's list. Its number
  /// never changes, even if a branch still has the entry.
  bool WasPurged(std::string_view name) const { return purged->contains(name) && !HasLanded(name); }
  /// Returns one more than the highest number in the target, the ledger and the list, or 1 if there
  /// are no numbers. Fails if no number is left.
  base::Result<std::int64_t> Next() const;
  /// Returns the revisions of the working list that have never landed, sorted by number.
  std::vector<const list::Entry*> Pending() const;
  /// Returns the landed or pending revision with `number`, ignoring the revision named `but`.
  /// Returns null if the number is free.
  const list::Entry* Holder(std::int64_t number, std::string_view but) const;
};

/// Returns `ledger` without the reservations that have landed, including those of purged revisions.
/// Also drops reservations that can never land because the landed list has a different number for
/// the name.
ledger::ListState WithoutLanded(ledger::ListState ledger, const list::RevisionList* landed,
                                const list::Names& purged);

}  // namespace revctl::commands
