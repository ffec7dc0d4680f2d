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

/// The code of the pending `revisions` may have required additions with copies of inherited goldens
/// (see RecordInherited). Returns their file names, because these additions must be recorded again
/// together with the revisions. Leaves out landed additions.
std::vector<std::string> FindInheritedCopies(const History& history,
                                             std::span<const std::string> revisions,
                                             const Landed& landed);

/// The stale goldens of pending revisions (RV028). After these goldens were recorded, a revision
/// that changes one of their types was inserted before them, so different code produced their
/// values. The stale records and all later records are treated as unrecorded, so that `record`
/// makes them again.
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
  /// upgrades in the removed records, which do not depend on the inserted revisions
  golden::MadeOfOlder made;
  golden::OthersChanges others;  ///< changes made by the inserted revisions

  /// True if the record of this revision was left out of `store`.
  bool Holds(const std::string& revision) const;
};

/// Returns the elements of `names` whose records are stale (RV028).
std::set<std::string> FindStaleAmong(const revctl::ListTable& list, const golden::Store& store,
                                     const std::vector<std::string>& names);

/// Returns the elements of `names` that landed while they were stale. `revctl check` accepts new
/// goldens for these revisions (RV019). Also includes revisions whose records are based on a stale
/// record. Each record must have `previous`.
std::set<std::string> FindLandedStale(const revctl::ListTable& list, const golden::Store& store,
                                      const std::vector<std::string>& names);

/// Finds the stale records of pending revisions. Runs git only if a revision was inserted before a
/// record.
StalePending FindStalePending(const revctl::ListTable& list, const golden::Store& store);

}  // namespace revctl::harness
