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

/// Options of a check, and paths for its findings.
struct CheckOptions {
  std::uint64_t seed = 1;
  std::string program;                          ///< command line that starts this harness
  std::string source_root;                      ///< findings contain file names relative to it
  std::string build_root;                       ///< base of a relative __FILE__
  bool thorough = false;                        ///< cut hostile input at every byte
  const std::set<std::string>* only = nullptr;  ///< root types to check; null: all
  bool store = true;                            ///< also check what does not belong to a type
  /// Check only layouts and enums, and run no reader and no writer of the program.
  bool layouts_only = false;
  bool in_process = false;  ///< CheckIsolated starts no child, for debuggers
  TimeLimits limits;        ///< for one golden or sample
  bool fold_only = false;   ///< return CheckResult::folded instead of findings
  /// Called during CheckIsolated with the number of goldens checked, their total, and the type.
  std::function<void(std::size_t done, std::size_t all, const std::string& type)> watch;

  /// Returns a path that can be opened for a file from __FILE__.
  std::string Whole(const std::string& file) const;
  /// Returns the path relative to the source root, if the file is below it.
  std::string Relative(const std::string& file) const;
};

/// Returns the fix of a finding that follows from one about the layout.
std::string FixLayoutFirst();

/// Upgrade code distinguishes files of this revision, but all goldens of the root type are older or
/// newer.
struct UntestedUpgrade {
  std::string type;
  std::string revision;
};

/// The input of every signal: today's program, the recorded data, and the place for findings.
struct CheckContext {
  const Registry& registry;
  const History& history;
  const golden::Store& store;
  Verdicts& verdicts;
  const CheckOptions& options;
  Renames renames;            ///< approved renames
  std::string list_prefix{};  ///< prefix of the list: `SR_`

  /// Root types and revisions with a changed layout, and the key of the finding about it. Findings
  /// of other signals there are consequences.
  std::map<std::pair<std::string, std::string>, std::string> broken_layouts{};
  /// Fields that are no longer visited and have no REM, with the key of the finding about them, by
  /// root type and type. Their members, if they stay, are consequences.
  struct Removed {
    std::set<std::string> fields;
    std::string key;
  };
  std::map<std::pair<std::string, std::string>, Removed> removed{};
  /// Root types and changed fields, in whatever type; "" means any field.
  std::set<std::pair<std::string, std::string>> broken_fields{};

  /// Root types in which fields without names are at other places than recorded, or whose enums
  /// were edited. One finding reports that, and the findings of other signals that follow from it
  /// are left out.
  std::set<std::string> displaced{};

  /// Root types and revisions whose goldens are not read as recorded.
  std::set<std::pair<std::string, std::string>> misread{};

  /// Members that no initializer sets and that a finding about a golden has named: root type and
  /// place (`units[].armour`).
  std::set<std::pair<std::string, std::string>> left_to_memory{};

  /// Root types and revisions for which GH004 or GH005 has reported that `<=` takes their files,
  /// too.
  std::set<std::pair<std::string, std::int64_t>> inclusive{};
  /// GH005 findings about `<=` with the latest revision. They wait until all goldens are
  /// checked, because a GH004 finding about the same comparison makes them redundant.
  std::vector<Finding> inclusive_at_latest{};
  /// Root types and revisions with a finding that says which bytes of a golden came or went, and
  /// the key of that finding. Findings of other signals there are consequences.
  std::map<std::pair<std::string, std::string>, std::string> shifted{};
  /// How many goldens were searched for bytes that came or went, and whether some were found, by
  /// root type and revision.
  struct Explained {
    std::size_t tried = 0;
    bool any = false;
  };
  std::map<std::pair<std::string, std::int64_t>, Explained> explained{};

  /// Pending records that were made of other code; `store` and `history` are without them.
  const StalePending* stale = nullptr;

  /// Receives the changes that can be approved.
  std::vector<Pending>* acceptable = nullptr;
  /// Receives the uncovered places for a baseline, except those in an earlier baseline.
  std::vector<std::string>* uncovered = nullptr;
  /// Receives the revisions for which `record` adds goldens.
  std::vector<UntestedUpgrade>* untested = nullptr;
  bool Accepted(const std::string& place) const;
  void Offer(golden::Approval approval, const Finding& finding);

  /// Adds a finding about a root type's goldens at a revision. If the layout there is broken, adds
  /// it as a consequence: reported once per type, with the fix for the layout. Returns its key, or
  /// "" if it was left out.
  std::string AddOrFollow(const RootType& root, Finding finding, const std::string& cause);
  bool Broken(const RootType& root) const;
  /// True if the layout is broken and may cause these changes of a golden's upgraded value, because
  /// the golden is misread or one of the fields is broken. Otherwise upgrade code was lost.
  bool FollowsLayout(const RootType& root, const Decoded& decoded,
                     const std::vector<golden::Change>& changes) const;
  /// Like AddOrFollow, for findings that also depend on saving the object today, and thus on its
  /// layout at every revision.
  void AddOrFollowAny(const RootType& root, Finding finding, const std::string& cause);

  /// Returns a finding about a golden, located at the macro that read `field`.
  Finding AboutRead(const RootType& root, const Decoded& decoded, RuleId rule, const char* signal,
                    const std::string& field) const;
  /// Returns a finding about a golden, located at the macro that wrote `field` when the object was
  /// saved again at the latest revision.
  Finding AboutSaved(const RootType& root, const Decoded& decoded, RuleId rule, const char* signal,
                     const std::string& field) const;
  /// Sets the place of a finding about a field to the macro that visited it at `number`. If there
  /// is none, uses that of a neighbor, else the HARNESS_TYPE.
  void PointAt(const RootType& root, const LayoutNotes& notes, std::int64_t number,
               Finding& finding) const;
  /// Returns the newest revision if it is not recorded, so that it can still carry changes, or else
  /// "".
  std::string pending() const { return history.latest().exists ? "" : history.latest().name; }
  /// Returns the command that records the revision at `index` and all later ones again, or "" if
  /// one of them has landed. Without git, only the newest recorded revision can be pending.
  std::string Refresh(std::size_t index) const;
  /// Returns `fix` with that command as an alternative.
  std::string OrRefresh(std::string fix, std::size_t index) const;
  /// Returns an unused name for a revision: `SR_HERO_UPGRADE`.
  std::string FreeUpgradeName(const RootType& root) const;
  std::string Whole(const std::string& file) const { return options.Whole(file); }
  std::string Relative(const std::string& file) const { return options.Relative(file); }

  /// Asks git at the first call, which only happens if something is wrong.
  const Landed& landed() const;
  mutable std::optional<Landed> looked_up{};
};

}  // namespace revctl::harness
