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

/// Which number is free, and what has landed: arithmetic over a list's three sources, without git
/// or disk.
struct Numbering {
  const list::RevisionList* landed = nullptr;   ///< the target's list; null: nothing has landed
  const list::RevisionList* working = nullptr;  ///< the work tree's list; null: none yet
  ledger::ListState ledger;                     ///< with what has landed already closed
  const list::Names* purged = nullptr;          ///< names that had landed once

  std::optional<std::int64_t> LastLanded() const;
  bool HasLanded(std::string_view name) const;
  /// It had landed, and is in the target's list no more: its number stays what it was, whatever
  /// branch still has it.
  bool WasPurged(std::string_view name) const {
    return purged != nullptr && purged->contains(name) && !HasLanded(name);
  }
  /// 1 + the highest of target, ledger and working list; 1 where there is none at all.
  base::Result<std::int64_t> Next() const;
  /// Revisions of the working list that never landed, ascending by number.
  std::vector<const list::Entry*> Pending() const;
  /// A landed or other pending revision that has `number`; null where it is free.
  const list::Entry* Holder(std::int64_t number, std::string_view but) const;
};

/// `ledger` without the reservations that have landed (or can never land: the landed list has
/// another number for the name), be they purged since.
ledger::ListState WithoutLanded(ledger::ListState ledger, const list::RevisionList* landed,
                                const list::Names& purged);

}  // namespace revctl::commands
