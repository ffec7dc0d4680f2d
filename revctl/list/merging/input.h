#pragma once
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace revctl::list {

/// The result of a plain three-way text merge.
struct MergedText {
  std::string text;
  bool conflict = false;  ///< true if `text` contains conflict markers
};

/// A line-based three-way text merge (callers pass libgit2's). If the sides are swapped, the result
/// must differ only in their order inside markers. The list's merge uses this function for text
/// between the entries, and for the comments of an entry that both sides edited.
using TextMerge = std::function<MergedText(std::string_view base, std::string_view ours,
                                           std::string_view theirs)>;

/// The inputs of a merge besides the three versions of the file. The caller gathers them, because
/// the merge itself reads neither git nor the disk.
struct MergeContext {
  /// The list at the tip of the target branch; empty if the target is unknown or has no list.
  std::string landed_text;
  bool landed_known = false;
  /// Names and numbers of the open reservations in the local copy of the ledger. `high_water` is
  /// the highest number that the ledger has ever assigned.
  std::vector<std::pair<std::string, std::int64_t>> reservations;
  std::int64_t high_water = 0;
  bool ledger_known = false;
  /// Returns the number under which the revision `name` landed on a release branch, and the name of
  /// that branch for use in messages. Returns nullopt if no release has the revision. Only called
  /// for pending revisions. The function is empty if there are no releases.
  std::function<std::optional<std::pair<std::int64_t, std::string>>(const std::string& name)>
      released;
  /// Called if `landed` has landed as `number` and one side has a different number for it. `side`
  /// is the full text of that side. Returns true if that side's commit was made after the landing:
  /// the different number is then an edit, which causes a conflict. Returns false if the revision
  /// had the different number while it was pending, for example because a copy of the branch was
  /// renumbered and landed as a squash. Also returns false in a cherry-pick or a revert, because
  /// git does not tell the driver which commit it is applying. If the function is empty, any
  /// different number is treated as an edit.
  std::function<bool(std::string_view side, const std::string& landed, std::int64_t number)>
      knew_landed;
  /// Called if one side lacks the landed revision `landed` and has the pending revision `heir` with
  /// the same number. `side` is the full text of that side. Returns true if a commit of that side
  /// renamed `landed` to `heir`, or if that commit is unknown. If the function is empty, no
  /// revision is treated as renamed.
  std::function<bool(std::string_view side, const std::string& landed, const std::string& heir)>
      renamed;
  /// Returns true if `side`, the full text of one side, comes from a release branch. Called only if
  /// that side lacks a landed revision of the base. A release may never have had the revision, and
  /// then a cherry-pick must not add it. If the function is empty, no side is treated as a release.
  std::function<bool(std::string_view side)> on_release;
  /// True if the caller confirms provisional numbers right away, so that no message needs to
  /// mention `revctl fix`.
  bool confirms_numbers = false;
  /// Merges text that both sides changed. If empty, any text that the sides changed in different
  /// ways is a conflict.
  TextMerge text_merge;
};

struct MergeInput {
  std::string_view base, ours, theirs;  ///< whole files
  std::string_view path;                ///< for messages
  int marker_size = 7;
  std::string_view ours_label = "ours", theirs_label = "theirs";
  /// True if `base` and `theirs` are the landed list, whose entries `ours` must not change (see
  /// Restore).
  bool restores = false;
};

struct MergeOutput {
  bool conflict = false;  ///< true if `text` contains conflict markers
  std::string text;
  std::vector<std::string> messages;  ///< decisions and contradictions, to be printed on stderr
};

}  // namespace revctl::list
