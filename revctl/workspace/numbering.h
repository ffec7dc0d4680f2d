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

/// Computes which number is free and which revisions have landed, from a list's three sources. Pure
/// arithmetic, without git or disk.
struct Numbering {
  const list::RevisionList* landed = nullptr;   ///< the target's list; null if nothing has landed
  const list::RevisionList* working = nullptr;  ///< the work tree's list; null if there is none yet
  ledger::ListState ledger;                     ///< with landed reservations already closed
  const list::Names* purged = nullptr;  ///< names that were removed from the list after they landed

  std::optional<std::int64_t> LastLanded() const;
  bool HasLanded(std::string_view name) const;
  /// True if the name landed once and is gone from the target's list. Its number never changes,
  /// even if some branch still has the entry.
  bool WasPurged(std::string_view name) const {
    return purged != nullptr && purged->contains(name) && !HasLanded(name);
  }
  /// Returns 1 + the highest number of target, ledger and list, or 1. Fails if none is left.
  base::Result<std::int64_t> Next() const;
  /// Returns the revisions of the working list that never landed, ascending by number.
  std::vector<const list::Entry*> Pending() const;
  /// Returns the landed or pending revision with `number`, except `but`; null if it is free.
  const list::Entry* Holder(std::int64_t number, std::string_view but) const;
};

/// Returns `ledger` without the reservations that have landed, including purged ones, and without
/// those that never can, because the landed list has another number for the name.
ledger::ListState WithoutLanded(ledger::ListState ledger, const list::RevisionList* landed,
                                const list::Names& purged);

}  // namespace revctl::commands
