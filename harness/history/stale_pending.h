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

/// Returns the file names of additions that contain copies of inherited goldens (see
/// RecordInherited) and whose upgrades were made by the code of one of the pending `revisions`. If
/// this code changes its results, `record` makes these additions again together with the revisions.
/// Leaves out additions that have landed.
std::vector<std::string> FindInheritedCopies(const History& history,
                                             std::span<const std::string> revisions,
                                             const Landed& landed);

/// Goldens of pending revisions that are stale (RV028). They were recorded without a revision that
/// now precedes them and changes a type that they share, so different code produced their values.
/// The stale records and all later ones are treated as unrecorded, so that `record` makes them
/// again and compares them with the old ones, as for any pending revision.
struct StalePending {
  struct Stale {
    std::string revision;
    std::string message;
    bool unfolded = false;  ///< true if a fold on the target will record the revision again
  };
  std::vector<Stale> stale;            ///< the stale revisions in list order
  std::vector<std::string> revisions;  ///< the first stale revision and all later recorded ones
  /// the store without the records of `revisions`; nullopt if there are none
  std::optional<golden::Store> store;
  /// Upgrades made by the removed records. They are effects of the records' own code, regardless of
  /// the revisions that precede them.
  golden::MadeOfOlder made;
  golden::OthersChanges others;  ///< changes made by revisions that the stale records do not know

  /// True if the record of this revision was left out of `store`.
  bool Holds(const std::string& revision) const;
};

/// Returns the elements of `names` whose records are stale (RV028).
std::set<std::string> FindStaleAmong(const revctl::ListTable& list, const golden::Store& store,
                                     const std::vector<std::string>& names);

/// Returns the elements of `names` that landed although they were stale. `revctl check` accepts new
/// goldens for these revisions (RV019). Includes records that were made on top of a stale one. Each
/// record must have `previous`.
std::set<std::string> FindLandedStale(const revctl::ListTable& list, const golden::Store& store,
                                      const std::vector<std::string>& names);

/// Finds the stale records of pending revisions. Runs git only if a record was made without a
/// revision that now precedes it.
StalePending FindStalePending(const revctl::ListTable& list, const golden::Store& store);

}  // namespace revctl::harness
