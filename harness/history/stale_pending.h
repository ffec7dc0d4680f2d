#pragma once
#include <optional>
#include <set>
#include <span>
#include <string>
#include <vector>

#include <revctl/list_table.h>

#include "golden/kept_values.h"
#include "golden/store.h"
#include "harness/history/history.h"
#include "harness/history/landed.h"

namespace revctl::harness {

/// Returns the text files of additions that are copies of inherited goldens (see RecordInherited)
/// and whose upgrades were made by the code of one of `revisions`, which are pending. They are
/// recorded again with these revisions if that code changes its results. Landed additions are left
/// out.
std::vector<std::string> FindInheritedCopies(const History& history,
                                             std::span<const std::string> revisions,
                                             const Landed& landed);

/// Goldens of pending revisions that are stale (RV028): recorded without a revision that precedes
/// them now and changes a type that they share. Their values come from different code. They and all
/// later records count as unrecorded, so that `record` makes them again and compares with the old
/// ones as for any pending revision.
struct StalePending {
  struct Stale {
    std::string revision;
    std::string message;
    bool unfolded = false;  ///< the fold on the target will record it again
  };
  std::vector<Stale> stale;            ///< in list order
  std::vector<std::string> revisions;  ///< the first stale one and all recorded ones after it
  /// the store without these records; nullopt if there are none
  std::optional<golden::Store> store;
  /// Upgrades by the removed records; the effect of their own code, whatever precedes them.
  golden::MadeOfOlder made;
  golden::OthersChanges others;  ///< changes by revisions that the stale records do not know

  /// True if the record of this revision is left out of `store`.
  bool Holds(const std::string& revision) const;
};

/// Returns those of `names` whose records are stale (RV028).
std::set<std::string> FindStaleAmong(const revctl::ListTable& list, const golden::Store& store,
                                     const std::vector<std::string>& names);

/// Returns those of `names` that landed although they were stale. `revctl check` accepts new
/// goldens for them (RV019). Records made on top of a stale one are included. Each record must have
/// `previous`.
std::set<std::string> FindLandedStale(const revctl::ListTable& list, const golden::Store& store,
                                      const std::vector<std::string>& names);

/// Runs git only if some record was made without a revision before it.
StalePending FindStalePending(const revctl::ListTable& list, const golden::Store& store);

}  // namespace revctl::harness
