#pragma once
#include "harness/signals/check_context.h"
#include "harness/signals/decoded.h"

namespace revctl::harness {

class PendingEffect;

// One file each. They add to `context.verdicts` and never stop at the first finding.

/// GH001: today's layouts at every recorded revision against the recorded ones; writing and reading
/// visit the same.
void CheckLayout(CheckContext& context, TypeRun& run);
/// GH001 for enums: every recorded enumerator still has its name and value. After CheckLayout:
/// judged are the enums of all revisions that were run.
void CheckEnums(CheckContext& context, TypeRun& run);
/// GH002: a golden decodes to its last byte, with the tracer and with the program's own reader.
void CheckBytes(CheckContext& context, const RootType& root, const Decoded& decoded);
/// GH003: decoded values equal the recorded ones, by name.
void CheckValue(CheckContext& context, const RootType& root, const Decoded& decoded);
/// GH003 for the object as Load() hands it over: assigned to another one.
void CheckHandedOver(CheckContext& context, const RootType& root, const Decoded& decoded);
/// GH003 at the revisions that inherit the golden but that today's code tells apart.
void CheckInherited(CheckContext& context, const RootType& root, const Decoded& decoded);
/// GH004: today's upgraded value is what was recorded, changed in order by what later revisions
/// recorded, or what the code of a pending revision makes of it.
void CheckUpgrade(CheckContext& context, const RootType& root, const Decoded& decoded,
                  PendingEffect& pending);
/// GH004 in memory: values of WireAs types are what was recorded with the golden, where their own
/// values in the file are.
void CheckMemory(CheckContext& context, const RootType& root, const Decoded& decoded);
/// GH004 at the revisions that inherit the golden and that only today's code tells apart from its
/// own.
void CheckInheritedUpgrade(CheckContext& context, const RootType& root, const Decoded& decoded);
/// GH005: writing is deterministic and leaves the object alone; what is written is read back the
/// same.
void CheckStability(CheckContext& context, const TypeRun& run);
/// GH005 for a golden: saved again at the latest revision it has the upgraded value.
void CheckResaved(CheckContext& context, const RootType& root, const Decoded& decoded);
/// GH006: truncated and lying input is an error, never a crash.
void CheckRefusal(CheckContext& context, const RootType& root, const Decoded& decoded);
/// GH002 for whole files: each that was recorded is opened as it was made.
void CheckFiles(CheckContext& context, const revctl::ListTable& list);
/// GH006 for the file header: files from the future and of foreign lists are refused.
void CheckHeaders(CheckContext& context, const revctl::ListTable& list);
/// GH007: what no golden and no sample reaches.
void CheckCoverage(CheckContext& context, TypeRun& run);
/// GH007 for upgrade code: which files it is for, and whether goldens show what it makes of them.
void CheckUpgradeCode(CheckContext& context, const TypeRun& run, const RevisionRun& now);
/// GH007: values of enums in a golden that have no name.
void CheckNames(CheckContext& context, const RootType& root, const Decoded& decoded);
/// GH007: revisions without goldens.
void CheckRecorded(CheckContext& context);
/// GH008: types with goldens that no program registers, retired types that are registered,
/// unrecorded types.
void CheckTypes(CheckContext& context);
/// What puts a record's files back.
std::string PutBack(const CheckContext& context, const std::string& file);
/// GH009: a golden holds what no record describes.
void CheckDescribed(CheckContext& context, const RootType& root, const Decoded& decoded);
/// GH009: a record whose goldens are there because something changed, and that says nothing of it.
void CheckEmptied(CheckContext& context);
/// GH009: pending records that were made without a revision before them, and share a type with it.
void CheckStale(CheckContext& context);
/// GH009: damaged records, records of revisions that the list does not have.
void CheckStore(CheckContext& context);

}  // namespace revctl::harness
