#pragma once
#include <cstddef>
#include <string>
#include <vector>

#include "harness/commands/session.h"
#include "harness/history/landed.h"
#include "harness/recording/kept_goldens.h"
#include "harness/recording/recording.h"

namespace revctl::harness {

/// The goldens to record again.
struct RefreshSet {
  KeptRecords records;  ///< of pending revisions, in list order; their values are kept
  /// From FindInheritedCopies: upgrades of inherited goldens by the code of these revisions.
  std::vector<std::string> copies;
};

/// Opens the store, leaving out the records of `refresh_set` from index `first` on.
golden::Store OpenWithout(const Session& session, const RefreshSet& refresh_set,
                          std::size_t first = 0);

/// Finds the revisions to record again: those in `wanted`. A record describes changes since the one
/// before it, including those of its goldens, so records made on top of it have to be replaced as
/// well. Fails if one of them is not in `wanted`, or has landed.
Exit FindRefreshed(const Session& session, const std::vector<std::string>& wanted,
                   RefreshSet& refresh_set);

/// Like FindRefreshed, for all recorded pending revisions; succeeds if there are none.
Exit FindPending(const Session& session, RefreshSet& refresh_set);

/// Returns the old content of the record that is about to be written, even if an earlier `record`
/// was killed while replacing it.
KeptRecord KeptText(const Session& session, const std::string& revision);

/// True if the finding reports missing goldens, which recording adds.
bool IsUnrecorded(const Finding& finding);

/// Marks the records of `refresh_set` that are stale: those with errors, those that share a type
/// with a revision that landed since they were recorded, and those that refer to goldens of an
/// earlier stale one. `result`: of a check of the whole store.
void FindStale(const Session& session, const CheckResult& result, RefreshSet& refresh_set);

}  // namespace revctl::harness
