#pragma once
#include <cstddef>
#include <cstdint>
#include <functional>
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

/// How a check runs, and how its findings name files and this program.
struct CheckOptions {
  std::uint64_t seed = 1;
  std::string program;                          ///< how a person calls this harness
  std::string source_root;                      ///< findings give files relative to it
  std::string build_root;                       ///< what a relative __FILE__ is relative to
  bool thorough = false;                        ///< hostile input at every byte
  const std::set<std::string>* only = nullptr;  ///< root types to look at; null: all of them
  bool store = true;                            ///< also what belongs to no single type
  bool in_process = false;                      ///< CheckIsolated runs no child: for a debugger
  TimeLimits limits;                            ///< with one golden or sample
  bool fold_only = false;                       ///< CheckResult::folded instead of findings
  /// Called by CheckIsolated meanwhile: how many goldens were looked at, of how many, and the type.
  std::function<void(std::size_t done, std::size_t all, const std::string& type)> watch;

  /// A file as __FILE__ gives it, so that it can be opened.
  std::string Whole(const std::string& file) const;
  /// The same, below the source root without it.
  std::string Relative(const std::string& file) const;
};

/// Files of this revision get upgrade code of their own, while all goldens of the root type are
/// older or newer ones.
struct UntestedUpgrade {
  std::string type;
  std::string revision;
};

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

  /// A finding about a golden, at the macro of `field` as the body read the golden.
  Finding AboutRead(const RootType& root, const Decoded& decoded, const char* rule,
                    const char* signal, const std::string& field) const;
  /// The same, at the macro as the body saved the golden again at the latest revision.
  Finding AboutSaved(const RootType& root, const Decoded& decoded, const char* rule,
                     const char* signal, const std::string& field) const;
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
  /// A revision's name that the list does not have: `SR_HERO_UPGRADE`.
  std::string FreeUpgradeName(const RootType& root) const;
  std::string Whole(const std::string& file) const { return options.Whole(file); }
  std::string Relative(const std::string& file) const { return options.Relative(file); }

  /// What git says is looked up when something is wrong.
  const Landed& landed() const;
  mutable std::optional<Landed> looked_up{};
};

}  // namespace revctl::harness
