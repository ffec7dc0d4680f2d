#pragma once
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "harness/advice/revision_names.h"
#include "harness/history/history.h"
#include "harness/history/landed.h"
#include "harness/history/stale_pending.h"
#include "harness/layout/renames.h"
#include "harness/samples/type_run.h"
#include "harness/signals/check_options.h"
#include "harness/signals/pending.h"
#include "harness/signals/verdicts.h"

namespace revctl::harness {

class PendingEffect;
struct Decoded;

/// What every signal is given: today's program, what is recorded, and where to say what is wrong.
struct CheckContext {
  const Registry& registry;
  const History& history;
  const golden::Store& store;
  Verdicts& verdicts;
  const CheckOptions& options;
  Renames renames;            ///< approved ones
  std::string list_prefix{};  ///< `SR_`

  /// Revisions at which a root type's layout is not what was recorded; what the other signals then
  /// say follows from it.
  std::set<std::pair<std::string, std::string>> broken_layouts{};
  /// Which fields that are, by root type, whatever type of it holds them; "" stands for any.
  std::set<std::pair<std::string, std::string>> broken_fields{};

  /// Root types in which fields without names stand at other places than recorded. One finding says
  /// so; what other signals find then follows from it, and is left out.
  std::set<std::string> displaced{};

  /// Revisions at which a root type's goldens are not read as they were recorded.
  std::set<std::pair<std::string, std::string>> misread{};

  /// Pending records that were made of other code; `store` and `history` are without them.
  const StalePending* stale = nullptr;

  /// What a person could accept.
  std::vector<Pending>* acceptable = nullptr;
  /// Places that nothing reaches, for a baseline; those of an earlier baseline are not among them.
  std::vector<std::string>* uncovered = nullptr;
  /// Revisions of which `record` adds goldens.
  std::vector<UntestedUpgrade>* untested = nullptr;
  bool Accepted(const std::string& place) const;
  void Offer(golden::Approval approval, const Finding& finding);

  /// Adds what a signal about a root type's goldens found at a revision. Where the layout there is
  /// broken, it follows from that: said once for the type, with the mend that counts.
  void AddOrFollow(const RootType& root, Finding finding, const std::string& cause);
  /// Whether the type's layout is broken at any revision.
  bool Broken(const RootType& root) const;
  /// Whether the layout is broken, and these changes of a golden's upgraded value may come from it:
  /// the golden is misread, or one of them is of a broken field. Else upgrade code was really lost.
  bool FollowsLayout(const RootType& root, const Decoded& decoded,
                     const std::vector<golden::Change>& changes) const;
  /// The same for what also depends on how the object is saved today, hence on its layout at every
  /// revision.
  void AddOrFollowAny(const RootType& root, Finding finding, const std::string& cause);

  /// Points a finding that names a field by its path at the macro that visits it, as a body that
  /// ran at `number` was noted; where none does any more, at its neighbour's; else at the
  /// HARNESS_TYPE.
  void PointAt(const RootType& root, const LayoutNotes& notes, std::int64_t number,
               Finding& finding) const;
  /// The newest revision where it is not recorded yet, and may still take changes; empty where it
  /// is.
  std::string pending() const { return history.latest().exists ? "" : history.latest().name; }
  /// The command that writes the goldens of the revision at `index` anew, and of those recorded
  /// behind it; empty where one of them has landed. Where git does not say, only the newest
  /// recorded one may be pending.
  std::string Refresh(std::size_t index) const;
  /// `fix`, and that command where there is one.
  std::string OrRefresh(std::string fix, std::size_t index) const;
  std::string Whole(const std::string& file) const { return options.Whole(file); }
  std::string Relative(const std::string& file) const { return options.Relative(file); }

  /// What git says is looked up when something is wrong.
  const Landed& landed() const;
  mutable std::optional<Landed> looked_up{};
};

/// A golden as today's code reads it.
struct Decoded {
  const Golden* golden = nullptr;
  std::int64_t number = 0;  ///< of the revision that it was read at
  Traced read;
  bool complete = false;    ///< read without an error to its last byte
  bool saved = false;       ///< and could be written again at the latest revision
  double milliseconds = 0;  ///< what both took
  Traced resaved;           ///< that writing; its leaves are the upgraded value
};
Decoded Decode(const RootType& root, const Golden& golden, std::int64_t number,
               std::int64_t latest);
/// Whether it was read to its end, as it was recorded. `renames`: approved ones.
bool ReadsAsRecorded(const History& history, const Decoded& decoded, Renames renames);
/// Path of the value whose bytes hold this offset; empty where nothing was read.
std::string LeafAt(const Decoded& decoded, std::size_t offset);
/// All goldens of a root type, each at its revision; notes which revisions are misread.
std::vector<Decoded> DecodeAll(CheckContext& context, const RootType& root);

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
