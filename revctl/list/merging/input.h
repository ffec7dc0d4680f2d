#pragma once
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace revctl::list {

/// Outcome of a plain three-way text merge.
struct MergedText {
  std::string text;
  bool conflict = false;  ///< `text` has markers
};

/// A three-way text merge by lines (libgit2's, passed in by the caller). Swapping the sides must
/// change nothing but their order inside markers. The list's merge uses it for text between the
/// entries, and for the comments of an entry that both sides edited.
using TextMerge = std::function<MergedText(std::string_view base, std::string_view ours,
                                           std::string_view theirs)>;

/// Context of a merge besides its three files. The caller gathers it, because the merge itself
/// reads neither git nor the disk.
struct MergeContext {
  /// The list at the tip of the target branch; empty if the target is unknown or has no list.
  std::string landed_text;
  bool landed_known = false;
  /// Names and numbers of the open reservations in the local copy of the ledger. `high_water` is
  /// the highest number that the ledger has ever given out.
  std::vector<std::pair<std::string, std::int64_t>> reservations;
  std::int64_t high_water = 0;
  bool ledger_known = false;
  /// Returns the number that a release branch has given to the revision `name`, and the branch for
  /// a message, or nullopt. Called for pending revisions only. Empty if there are no releases.
  std::function<std::optional<std::pair<std::int64_t, std::string>>(const std::string& name)>
      released;
  /// True if the commit of the side whose whole text is `side` was made after `landed` had landed
  /// as `number`, so that another number on that side is an edit and a conflict. Otherwise the
  /// other number is one that the revision had while it was pending, as in a branch that was landed
  /// by a squash and renumbered in a copy. False in a cherry-pick or a revert, whose commit git
  /// does not name. If empty, any other number is an edit.
  std::function<bool(std::string_view side, const std::string& landed, std::int64_t number)>
      knew_landed;
  /// True if the branch of the side whose whole text is `side` has replaced the landed revision
  /// `landed` by the unreserved `heir` in one change. Then a person decides whether `heir` is a new
  /// name or a new revision. If empty, it is a new revision.
  std::function<bool(std::string_view side, const std::string& landed, const std::string& heir)>
      renamed;
  /// True if the side whose whole text is `side` is a release. Called only if a side lacks a landed
  /// revision of the base: a release never had it, and a cherry-pick must not bring it. May be
  /// empty.
  std::function<bool(std::string_view side)> on_release;
  /// True if the caller confirms provisional numbers right away, so no message asks for it.
  bool confirms_numbers = false;
  /// If empty, any text that both sides changed in different ways is a conflict.
  TextMerge text_merge;
};

struct MergeInput {
  std::string_view base, ours, theirs;  ///< whole files
  std::string_view path;                ///< for messages
  int marker_size = 7;
  std::string_view ours_label = "ours", theirs_label = "theirs";
  /// `base` and `theirs` are the landed list, whose entries `ours` may not change (see Restore).
  bool restores = false;
};

struct MergeOutput {
  bool conflict = false;  ///< `text` has markers
  std::string text;
  std::vector<std::string> messages;  ///< decisions and contradictions, for stderr
};

}  // namespace revctl::list
