#pragma once
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "golden/store.h"
#include "harness/advice/code_lines.h"
#include "harness/history/history.h"
#include "harness/history/landed.h"
#include "harness/history/stale_pending.h"
#include "harness/isolation/supervisor.h"
#include "harness/layout/renames.h"
#include "harness/samples/type_run.h"
#include "harness/signals/verdicts.h"

namespace revctl::harness {

struct Decoded;

/// Options for a check, and what its findings need to name files and commands.
struct CheckOptions {
  std::uint64_t seed = 1;
  std::string program;  ///< command line that starts this harness, for commands in fixes
  /// folder to which file names in findings are relative
  std::string source_root;
  /// folder to which `__FILE__` is relative; unused if `__FILE__` is absolute
  std::string build_root;
  /// if true, the check truncates payloads at every byte, not only at the beginning of each field
  bool thorough = false;
  std::optional<std::set<std::string>> only;  ///< root types to check; nullopt means all
  bool store = true;  ///< if true, also checks everything that does not belong to a single type
  /// if true, checks only layouts and enums, without running any reader or writer of the program
  bool layouts_only = false;
  /// if true, CheckIsolated starts no child process, so that a debugger can be attached
  bool in_process = false;
  TimeLimits limits;       ///< limits for one golden or sample
  bool fold_only = false;  ///< if true, the check returns CheckResult::folded instead of findings
  /// CheckIsolated calls this function with the number of goldens checked so far, the total number
  /// of goldens, and the type.
  std::function<void(std::size_t done, std::size_t all, const std::string& type)> watch;

  /// Returns the path at which a file with this `__FILE__` can be opened.
  std::string Whole(const std::string& file) const;
  /// Returns the path relative to the source root, or the result of Whole() if the file is outside
  /// it.
  std::string Relative(const std::string& file) const;
};

/// Returns the fix for findings that are consequences of a changed layout.
std::string FixLayoutFirst();
/// A revision whose files are upgraded differently from older files, although no golden of the root
/// type shows the difference.
struct UntestedUpgrade {
  std::string type;
  std::string revision;
};

/// The input of every signal: the current program, the recorded data, and where the findings go.
struct CheckContext {
  const Registry& registry;
  const History& history;
  const StalePending& stale;  ///< pending records that are stale; `history` lacks them
  Verdicts& verdicts;
  const CheckOptions& options;
  Renames renames;  ///< approved renames
  const golden::Store& store = history.store();
  std::string list_prefix{};  ///< prefix of the list, such as `SR_`

  /// Root types and revisions with a changed layout, each with the key of the finding about the
  /// change. Findings of other signals about these goldens are consequences.
  std::map<std::pair<std::string, std::string>, std::string> broken_layouts{};
  /// The fields of a type that were removed without a REM, and the key of the first finding about
  /// them.
  struct Removed {
    std::set<std::string> fields;
    std::string key;
  };
  std::map<std::pair<std::string, std::string>, Removed> removed{};
  /// Changed fields, each as a root type and the name of a field anywhere inside it. The name ""
  /// stands for all fields.
  std::set<std::pair<std::string, std::string>> broken_fields{};

  /// Root types with unnamed fields that have moved, or with edited enums. One finding reports this
  /// change, and all findings that follow from it are omitted.
  std::set<std::string> displaced{};

  /// Root types and revisions with goldens that no longer yield their recorded values when read.
  std::set<std::pair<std::string, std::string>> misread{};

  /// Uninitialized members that a finding about a golden has already named, each as a root type and
  /// a place such as `units[].armour`.
  std::set<std::pair<std::string, std::string>> left_to_memory{};

  /// Root types and revisions for which GH004 or GH005 has already reported a comparison with `<=`
  /// that wrongly includes files of the revision itself.
  std::set<std::pair<std::string, std::int64_t>> inclusive{};
  /// GH005 findings about comparisons with the latest revision that use `<=`. AddInclusive()
  /// reports them after all goldens have been checked, because a GH004 finding about the same
  /// comparison makes them redundant.
  std::vector<Finding> inclusive_at_latest{};
  /// Root types and revisions whose goldens no longer load because the code added or dropped bytes,
  /// each with the key of the finding about that. Findings of other signals about these goldens are
  /// consequences.
  std::map<std::pair<std::string, std::string>, std::string> shifted{};
  /// For each root type and revision, the number of goldens that were searched for added or dropped
  /// bytes, and whether the search found any.
  struct Explained {
    std::size_t tried = 0;
    bool any = false;
  };
  std::map<std::pair<std::string, std::int64_t>, Explained> explained{};
  double explaining = 0;  ///< CPU time spent on these searches so far, in milliseconds

  std::vector<Pending> acceptable{};  ///< changes that a person can approve
  /// uncovered places for a new baseline, without those that the current baseline accepts
  std::vector<std::string> uncovered{};
  std::vector<UntestedUpgrade> untested{};  ///< revisions for which `record` adds goldens

  bool Accepted(const std::string& place) const;
  void Offer(golden::Approval approval, const Finding& finding);

  /// Adds a finding about a root type's goldens at a revision. If the layout at that revision is
  /// broken, adds the finding as a consequence of the layout change. Consequences are reported once
  /// per type, with the fix for the layout. Returns the finding's key, or "" if the finding was
  /// omitted.
  std::string AddOrFollow(const RootType& root, Finding finding, const std::string& cause,
                          std::vector<std::string> mentioned = {});
  bool Broken(const RootType& root) const;
  /// True if a broken layout may have caused these changes to a golden's upgraded value, because
  /// the golden is misread or one of the changed fields is broken. Otherwise, upgrade code was
  /// lost.
  bool FollowsLayout(const RootType& root, const Decoded& decoded,
                     const std::vector<golden::Change>& changes) const;
  /// Like AddOrFollow, but for findings that also depend on how the current code saves the object.
  /// Such a finding may be a consequence of a broken layout at any revision.
  void AddOrFollowAny(const RootType& root, Finding finding, const std::string& cause,
                      std::vector<std::string> mentioned = {});

  /// Returns a finding about a golden, located at the macro that read `field`.
  Finding AboutRead(const RootType& root, const Decoded& decoded, RuleId rule, const char* signal,
                    const std::string& field) const;
  /// Returns a finding about a golden, located at the macro that wrote `field` when the object was
  /// saved at the latest revision.
  Finding AboutSaved(const RootType& root, const Decoded& decoded, RuleId rule, const char* signal,
                     const std::string& field) const;
  /// Sets the place of a finding to the macro that visited its field at `number`. If no macro
  /// visited the field, uses the macro of a neighbor, or else the HARNESS_TYPE.
  void PointAt(const RootType& root, const LayoutNotes& notes, std::int64_t number,
               Finding& finding) const;
  /// Sets the place of a finding to `place`, unless `place` is unknown.
  void PointAt(const SourcePlace& place, Finding& finding) const;
  /// Returns the newest revision if it has not been recorded yet and can therefore still change.
  /// Returns "" otherwise.
  std::string pending() const { return history.latest().exists ? "" : history.latest().name; }
  /// Returns the command that re-records the revision at `index` and all later revisions. Returns
  /// "" if one of them has landed. Without git, assumes that only the newest recorded revision is
  /// pending.
  std::string Refresh(std::size_t index) const;
  /// Returns `fix`, with the command from Refresh() added as an alternative.
  std::string OrRefresh(std::string fix, std::size_t index) const;
  /// Returns an unused name for a revision, such as `SR_HERO_UPGRADE`.
  std::string FreeUpgradeName(const RootType& root) const;
  std::string Whole(const std::string& file) const { return options.Whole(file); }
  std::string Relative(const std::string& file) const { return options.Relative(file); }

  /// Returns the landed revisions. The first call runs git, so call this only to report a problem.
  const Landed& landed() const;
  mutable std::optional<Landed> looked_up{};
};

}  // namespace revctl::harness
