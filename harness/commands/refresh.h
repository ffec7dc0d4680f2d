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
  /// File names of the additions that FindInheritedCopies found for these records.
  std::vector<std::string> copies;
};

/// Opens the store without the records of `refresh_set` from index `first` on.
golden::Store OpenWithout(const Session& session, const RefreshSet& refresh_set,
                          std::size_t first = 0);

/// Finds the records of the revisions in `wanted`. A record describes changes since the previous
/// record, so the records on top of a wanted one must be recorded again, too. Fails if the revision
/// of such a record is not in `wanted` or has landed.
Exit FindRefreshed(const Session& session, const std::vector<std::string>& wanted,
                   RefreshSet& refresh_set);

/// Finds all recorded pending revisions. An empty result is not an error.
Exit FindPending(const Session& session, RefreshSet& refresh_set);

/// Returns the old content of a record that is about to be replaced, even if a previous `record`
/// was killed while replacing it.
KeptRecord KeptText(const Session& session, const std::string& revision);

/// True if the finding reports goldens that have not been recorded yet.
bool IsUnrecorded(const Finding& finding);

/// Marks the stale records of `refresh_set`: records with errors, records that share a type with a
/// revision that landed later, and records that refer to goldens of a stale record. `result` must
/// be the result of checking the whole store.
void FindStale(const Session& session, const CheckResult& result, RefreshSet& refresh_set);

}  // namespace revctl::harness
