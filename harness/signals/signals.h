#pragma once
#include <span>
#include <string>
#include <vector>

#include "harness/signals/check_context.h"
#include "harness/signals/decoded.h"

namespace revctl::harness {

class PendingEffect;

// Declares all signals and the helpers that they share. A signal adds its findings to
// `context.verdicts`.

/// GH001: checks that the current code has the recorded layout at every recorded revision, and that
/// reading visits the same fields as writing.
void CheckLayout(CheckContext& context, TypeRun& run);
/// GH001 for enums: checks that every recorded enumerator still has its name and its value. Must be
/// called after CheckLayout, because CheckLayout runs the revisions whose enums are checked.
void CheckEnums(CheckContext& context, TypeRun& run);
/// GH002: checks that both the tracer and the program's own reader decode a golden to its last
/// byte.
void CheckBytes(CheckContext& context, const RootType& root, const Decoded& decoded);
/// GH003: checks that the decoded values equal the recorded ones. Values are compared by path.
void CheckValue(CheckContext& context, const RootType& root, const Decoded& decoded);
/// GH003 for Load(): checks that the values are right in the caller's object, to which Load()
/// assigns the loaded object.
void CheckHandedOver(CheckContext& context, const RootType& root, const Decoded& decoded);
/// GH003 for later revisions that inherit the golden, although the current code distinguishes them
/// from the golden's own revision.
void CheckInherited(CheckContext& context, const RootType& root, const Decoded& decoded);
/// GH004: checks that the current code upgrades the golden to the recorded value, including the
/// changes of later revisions. Ignores the effect of pending revisions.
void CheckUpgrade(CheckContext& context, const RootType& root, const Decoded& decoded,
                  PendingEffect& pending);
/// GH004 for in-memory values of WireAs types: if the values in the file are the recorded ones,
/// checks that the values in memory are, too.
void CheckMemory(CheckContext& context, const RootType& root, const Decoded& decoded);
/// GH004 for later revisions that inherit the golden. Checks only those that the current code
/// distinguishes from the golden's own revision, although the code at recording did not.
void CheckInheritedUpgrade(CheckContext& context, const RootType& root, const Decoded& decoded);
/// GH005: checks that writing is deterministic and does not change the object, and that reading
/// restores it.
void CheckStability(CheckContext& context, const TypeRun& run);
/// GH005 for fresh objects: checks that every saved member has an initializer. Must be called after
/// CheckResaved, which reports members that are left uninitialized because an old file does not
/// contain them.
void CheckFresh(CheckContext& context, TypeRun& run);
/// GH005 for a golden: checks that the golden keeps its upgraded value when it is saved at the
/// latest revision and read back.
void CheckResaved(CheckContext& context, const RootType& root, const Decoded& decoded);
/// Adds the GH005 findings about comparisons with the latest revision that use `<=`, unless GH004
/// has already reported the comparison. Must be called after all of the type's goldens and samples
/// were checked.
void AddInclusive(CheckContext& context, const RootType& root);
/// Checks GH002 to GH006 for a large golden, and reports GH009 if its file is unreadable.
void CheckLarge(CheckContext& context, const RootType& root, const Golden& golden);
/// GH006: checks that truncated or damaged input causes an error, and never a crash.
void CheckRefusal(CheckContext& context, const RootType& root, const Decoded& decoded);
/// GH002 for whole files: checks that every recorded file can be opened and yields its recorded
/// parts.
void CheckFiles(CheckContext& context, const revctl::ListTable& list);
/// GH006 for file headers: checks that files of future revisions and files of other lists are
/// rejected.
void CheckHeaders(CheckContext& context, const revctl::ListTable& list);
/// GH007: reports code that neither a golden nor a sample reaches.
void CheckCoverage(CheckContext& context, TypeRun& run);
/// GH007 for upgrade code: checks that goldens cover all upgrade code and show its effect.
void CheckUpgradeCode(CheckContext& context, const TypeRun& run, const RevisionRun& now);
/// GH007: reports comparisons with the revision that have the same result for all files.
void CheckFixedComparisons(CheckContext& context, const RootType& root, const RevisionRun& now);
/// GH001: reports fields whose type, as spelled in the source, has a size that depends on the
/// platform.
void CheckPlatformTypes(CheckContext& context, const RevisionRun& now);
/// GH007: reports values of enums in a golden that match no enumerator.
void CheckNames(CheckContext& context, const RootType& root, const Decoded& decoded);
/// GH007: reports revisions without goldens.
void CheckRecorded(CheckContext& context);
/// GH008: reports goldens of unregistered types, registered types that are declared as retired, and
/// types without goldens.
void CheckTypes(CheckContext& context);
/// Returns the command that restores both files of a record.
std::string PutBack(const CheckContext& context, const std::string& file);
/// Returns the fix for a problem with the store: the command from PutBack() if a committed file
/// must be restored, or another fix otherwise.
std::string FixOfProblem(const CheckContext& context, const golden::Error& problem);
/// GH009: reports a golden that contains types without any recorded description.
void CheckDescribed(CheckContext& context, const RootType& root, const Decoded& decoded);
/// GH009: reports a record that contains goldens of a changed type, but does not describe the
/// change.
void CheckEmptied(CheckContext& context);
/// GH009: reports stale pending records: an earlier revision that changes one of their types was
/// inserted after they were made.
void CheckStale(CheckContext& context);
/// GH009: reports imported files of revisions that are older than the list's oldest revision.
void CheckUnreadImports(CheckContext& context);
/// GH009: reports damaged records, and records of revisions that are not in the list.
void CheckStore(CheckContext& context);

// Helpers of the GH002 signals.

/// Explains why a golden no longer fits the program's own streams, and adds a finding about it.
/// `symptom` describes how the golden fails. Returns false for types without such streams, or if no
/// cause is found.
bool AddShift(CheckContext& context, const RootType& root, const Decoded& decoded,
              const std::string& symptom);

// Helpers of the signals GH004 and GH005.

/// A comparison such as `r.revision <= SR_X`, which also applies to files of SR_X itself.
struct InclusiveComparison {
  const Revision* revision = nullptr;  ///< null if no such comparison explains the changes
  /// place of the comparison if the source text shows it; line 0 otherwise
  SourcePlace place{};
};

/// Finds a revision that the current code compares using `<=` or `>`, although `<` or `>=` would
/// yield the golden's recorded upgraded values. Use this only for messages, because it re-reads the
/// golden for each such comparison.
InclusiveComparison FindInclusive(const CheckContext& context, const RootType& root,
                                  const Decoded& decoded,
                                  const std::vector<golden::Change>& changes);

/// Finds the comparison `r.revision <= SR_LATEST` that changes a value each time it is loaded. If
/// the comparison used `<`, then `payload`, which was written at the latest revision, would stay
/// the same when it is read and written again.
InclusiveComparison FindInclusiveAtLatest(const CheckContext& context, const RootType& root,
                                          std::span<const std::byte> payload);

// Helpers of the GH007 signals.

/// Where a GH007 finding applies: the revision of the uncovered code, and the revisions that the
/// message mentions.
struct UncoveredAt {
  std::string at = {};  ///< revision at which the code is uncovered; the latest one if empty
  std::vector<std::string> mentioned = {};  ///< revisions that the message mentions
};
/// Adds a GH007 finding about `type`. Locates the finding at `field` if its place in the source is
/// known, or else at the HARNESS_TYPE. `follows` is the key of the finding that causes this one, or
/// "". Returns false if a baseline accepts the finding.
bool AddUncovered(CheckContext& context, const RootType& root, Severity severity,
                  const std::string& type, const revctl::LayoutField& field,
                  const std::string& message, const std::string& fix, const std::string& cause,
                  const UncoveredAt& where = {}, const std::string& follows = "");

/// Returns the command that imports a file as golden `name`.
std::string ImportCommand(const CheckContext& context, const RootType& root,
                          const std::string& name);

/// Returns the command that records goldens of older revisions. For an Opaque type, returns the
/// import command, because the current code cannot write older files.
std::string OlderGoldens(const CheckContext& context, const RootType& root);

}  // namespace revctl::harness
