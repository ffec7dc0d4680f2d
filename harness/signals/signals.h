#pragma once
#include "harness/signals/check_context.h"
#include "harness/signals/decoded.h"

namespace revctl::harness {

class PendingEffect;

// Each signal is in its own file. It adds all its findings to `context.verdicts`.

/// GH001: today's layouts at every recorded revision are the recorded ones, and writing and reading
/// visit the same.
void CheckLayout(CheckContext& context, TypeRun& run);
/// GH001 for enums: every recorded enumerator still has its name and value. Call it after
/// CheckLayout, which runs the revisions whose enums it checks.
void CheckEnums(CheckContext& context, TypeRun& run);
/// GH002: a golden is decoded to its last byte by the tracer and by the program's own reader.
void CheckBytes(CheckContext& context, const RootType& root, const Decoded& decoded);
/// GH003: decoded values equal the recorded ones, by path.
void CheckValue(CheckContext& context, const RootType& root, const Decoded& decoded);
/// GH003 for the object that Load() assigns to the caller's.
void CheckHandedOver(CheckContext& context, const RootType& root, const Decoded& decoded);
/// GH003 at revisions that inherit the golden but that today's code distinguishes.
void CheckInherited(CheckContext& context, const RootType& root, const Decoded& decoded);
/// GH004: today's upgraded value is the recorded one after the changes of later revisions, apart
/// from the effect of pending ones.
void CheckUpgrade(CheckContext& context, const RootType& root, const Decoded& decoded,
                  PendingEffect& pending);
/// GH004 for in-memory values of WireAs types: they are as recorded, if the values in the file are.
void CheckMemory(CheckContext& context, const RootType& root, const Decoded& decoded);
/// GH004 at revisions that inherit the golden and that only today's code distinguishes from the
/// golden's own.
void CheckInheritedUpgrade(CheckContext& context, const RootType& root, const Decoded& decoded);
/// GH005: writing is deterministic and leaves the object alone; what is written is read back the
/// same.
void CheckStability(CheckContext& context, const TypeRun& run);
/// GH005 for fresh objects: a member that is saved has an initializer. After CheckResaved, which
/// reports such members where an old file leaves them out.
void CheckFresh(CheckContext& context, TypeRun& run);
/// GH005 for a golden: saved again at the latest revision it has the upgraded value.
void CheckResaved(CheckContext& context, const RootType& root, const Decoded& decoded);
/// Adds the GH005 findings about `<=` and the latest revision, unless GH004 has reported that
/// comparison. After all goldens and samples of the type.
void AddInclusive(CheckContext& context, const RootType& root);
/// GH002 to GH006 for a large golden, and GH009 if its file is unreadable.
void CheckLarge(CheckContext& context, const RootType& root, const Golden& golden);
/// GH006: truncated and damaged input gives an error, never a crash.
void CheckRefusal(CheckContext& context, const RootType& root, const Decoded& decoded);
/// GH002 for whole files: today's program opens every recorded file with the same result.
void CheckFiles(CheckContext& context, const revctl::ListTable& list);
/// GH006 for file headers: files of future revisions and foreign lists are rejected.
void CheckHeaders(CheckContext& context, const revctl::ListTable& list);
/// GH007: code that no golden and no sample reaches.
void CheckCoverage(CheckContext& context, TypeRun& run);
/// GH007 for upgrade code: goldens must cover the files that it is for, and show its effect.
void CheckUpgradeCode(CheckContext& context, const TypeRun& run, const RevisionRun& now);
/// GH007: comparisons with the revision that have one outcome for all files.
void CheckFixedComparisons(CheckContext& context, const RootType& root, const RevisionRun& now);
/// GH001: types of fields whose size depends on the platform, as the body spells them.
void CheckPlatformTypes(CheckContext& context, const RevisionRun& now);
/// GH007: values of enums in a golden that have no name.
void CheckNames(CheckContext& context, const RootType& root, const Decoded& decoded);
/// GH007: revisions without goldens.
void CheckRecorded(CheckContext& context);
/// GH008: goldens of unregistered types, registered types that are retired, and types without
/// goldens.
void CheckTypes(CheckContext& context);
/// Returns the command that restores a record's files.
std::string PutBack(const CheckContext& context, const std::string& file);
/// Returns the fix for a problem of the store: PutBack() if a committed file has to be restored.
std::string FixOfProblem(const CheckContext& context, const golden::Error& problem);
/// GH009: a golden contains types that no record describes.
void CheckDescribed(CheckContext& context, const RootType& root, const Decoded& decoded);
/// GH009: a record with goldens of a changed type that does not contain the change.
void CheckEmptied(CheckContext& context);
/// GH009: pending records made without an earlier revision with which they share a type.
void CheckStale(CheckContext& context);
/// GH009: imported files of revisions below the oldest that is read.
void CheckUnreadImports(CheckContext& context);
/// GH009: damaged records, records of revisions that the list does not have.
void CheckStore(CheckContext& context);

}  // namespace revctl::harness
