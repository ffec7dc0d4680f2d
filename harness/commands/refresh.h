#pragma once
#include <cstddef>
#include <string>
#include <vector>

#include "harness/commands/session.h"
#include "harness/history/landed.h"
#include "harness/recording/kept_goldens.h"
#include "harness/recording/recording.h"

namespace revctl::harness {

/// What is written once more.
struct RefreshSet {
  KeptRecords records;  ///< of pending revisions, in the list's order; their values are kept
  /// FindInheritedCopies: what their code made of goldens of older revisions
  std::vector<std::string> copies;
};

/// The store without what is to be written anew, of revisions from the one at `first` on.
golden::Store OpenWithout(const Session& session, const RefreshSet& refresh_set,
                          std::size_t first = 0);

/// The revisions to write anew: those that `wanted` names. Each record says what changed since the
/// one before it, about its goldens too, so that those recorded behind one go with it: what they
/// said would be about goldens that are no more. No record is rewritten unasked, and none that has
/// landed.
Exit FindRefreshed(const Session& session, const std::vector<std::string>& wanted,
                   RefreshSet& refresh_set);

/// The same with all that are recorded and have not landed; none is fine.
Exit FindPending(const Session& session, RefreshSet& refresh_set);

/// What the record of a revision said that is about to be written: where `record` was killed while
/// it replaced one, its values are kept as well.
KeptRecord KeptText(const Session& session, const std::string& revision);

/// Whether a finding is that a revision has no goldens, which recording is for.
bool IsUnrecorded(const Finding& finding);

/// Marks those of `refresh_set` that must be written anew. `result` is what a check of the whole
/// store found. Stale is a record that has errors; one of whose types something has landed since it
/// was recorded; and one behind a stale one whose goldens it speaks of.
void FindStale(const Session& session, const CheckResult& result, RefreshSet& refresh_set);

}  // namespace revctl::harness
