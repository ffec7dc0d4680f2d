#pragma once
#include <cstddef>
#include <string>
#include <vector>

#include "harness/commands/session.h"
#include "harness/history/landed.h"
#include "harness/recording/kept_goldens.h"
#include "harness/recording/recording.h"

namespace revctl::harness {

/// The goldens that will be recorded again.
struct RefreshSet {
  /// Records of pending revisions, in list order; recording keeps their values.
  KeptRecords records;
  /// Additions found by FindInheritedCopies. They record how the code of these revisions upgrades
  /// inherited goldens.
  std::vector<std::string> copies;
};

/// Opens the store without the records of `refresh_set` that begin at index `first`.
golden::Store OpenWithout(const Session& session, const RefreshSet& refresh_set,
                          std::size_t first = 0);

/// Finds the revisions to record again, which are those in `wanted`. A record describes the changes
/// since the previous record, including changes to its goldens, so records made on top of it must
/// be replaced as well. Fails if the revision of such a record is not in `wanted` or has landed.
Exit FindRefreshed(const Session& session, const std::vector<std::string>& wanted,
                   RefreshSet& refresh_set);

/// Finds all recorded pending revisions, like FindRefreshed. An empty result is not an error.
Exit FindPending(const Session& session, RefreshSet& refresh_set);

/// Returns the old content of the record that is about to be written, even if an earlier `record`
/// was killed while it was replacing the record.
KeptRecord KeptText(const Session& session, const std::string& revision);

/// True if the finding reports goldens that are missing until they are recorded.
bool IsUnrecorded(const Finding& finding);

/// Marks the stale records of `refresh_set`: those with errors, those that share a type with a
/// revision that landed after they were recorded, and those that refer to goldens of an earlier
/// stale record. `result` is the result of a check of the whole store.
void FindStale(const Session& session, const CheckResult& result, RefreshSet& refresh_set);

}  // namespace revctl::harness
