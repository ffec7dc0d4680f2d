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

/// Additions, by the names of their text files, that are copies of what their revision inherits
/// (see RecordInherited) and say what the code of one of `revisions`, which are pending, made of
/// them: when it makes something else, they are to be written anew with its records. None that has
/// landed.
std::vector<std::string> FindInheritedCopies(const History& history,
                                             std::span<const std::string> revisions,
                                             const Landed& landed);

/// Goldens of pending revisions that `revctl check` calls stale (RV028): recorded without a
/// revision that stands before them now, which changes a type that they share. What they say is of
/// other code. With the records behind them they count as not recorded: that is how `record` writes
/// them anew, and what is lost beside them is found as it is beside any pending revision.
struct StalePending {
  struct Stale {
    std::string revision;
    std::string message;
    bool unfolded = false;  ///< the fold on the target writes it anew
  };
  std::vector<Stale> stale;            ///< in the list's order
  std::vector<std::string> revisions;  ///< the first of them, and all recorded behind it
  std::optional<golden::Store> store;  ///< without those; nothing where there are none
  /// What those records made of older goldens: their own code's doing, whatever stands before them.
  golden::MadeOfOlder made;
  golden::OthersChanges others;  ///< what the stale ones were recorded without

  /// Whether the record of this revision was taken out.
  bool Holds(const std::string& revision) const;
};

/// Those of `names` whose records were made without a revision that stands before them now and
/// shares a type with them (RV028).
std::set<std::string> FindStaleAmong(const revctl::ListTable& list, const golden::Store& store,
                                     const std::vector<std::string>& names);

/// Those of `names` that landed stale all the same: `revctl check` takes their goldens when they
/// are written anew (RV019). Each record must say when it was made. Records behind a stale one,
/// made on top of it, go with it.
std::set<std::string> FindLandedStale(const revctl::ListTable& list, const golden::Store& store,
                                      const std::vector<std::string>& names);

/// What git says is looked up only where a record was made without one before it.
StalePending FindStalePending(const revctl::ListTable& list, const golden::Store& store);

}  // namespace revctl::harness
