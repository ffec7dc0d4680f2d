#pragma once
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "revctl/list/revision_list.h"

namespace revctl::list {

/// Outcome of a plain three-way text merge.
struct MergedText {
  std::string text;
  bool conflict = false;  ///< markers stand in `text`
};

/// A plain three-way text merge by lines (libgit2's, given by the caller), symmetric in its sides
/// but for the order inside markers. Used for what is no entry of the list and for the comments of
/// one entry that both sides edited.
using TextMerge = std::function<MergedText(std::string_view base, std::string_view ours,
                                           std::string_view theirs)>;

/// What the merge knows besides its three files. Gathered by the caller; the merge itself knows
/// neither git nor disk.
struct MergeContext {
  /// The list at the tip of the target branch; empty text where the target is unknown or has no
  /// list.
  std::string landed_text;
  bool landed_known = false;
  /// Order and numbers of open reservations (ledger, local copy), by name; `high_water` is the
  /// highest number ever given.
  std::vector<std::pair<std::string, std::int64_t>> reservations;
  std::int64_t high_water = 0;
  bool ledger_known = false;
  /// The number with which a release line has a revision, and the line's name, for a message; empty
  /// where nothing is known of releases. Asked for pending revisions only.
  std::function<std::optional<std::pair<std::int64_t, std::string>>(const std::string& name)>
      released;
  /// True if the commit of the side whose whole text is `side` was made after `landed` had landed
  /// as `number`, so that another number on that side is an edit and a conflict. Otherwise the
  /// other number is one that the revision had while it was pending, as in a branch that was landed
  /// by a squash and renumbered in a copy. False in a cherry-pick or a revert, whose commit git
  /// does not name. If empty, any other number is an edit.
  std::function<bool(std::string_view side, const std::string& landed, std::int64_t number)>
      knew_landed;
  /// Whether the side whose whole text is `side` is a release's. Asked only where a side lacks a
  /// landed revision of the base: the release never had it, and a pick does not bring it. May be
  /// empty.
  std::function<bool(std::string_view side)> on_release;
  /// Where it is empty, text that both sides changed in different ways is a conflict as a whole.
  TextMerge text_merge;
};

struct MergeInput {
  std::string_view base, ours, theirs;  ///< whole files
  std::string_view path;                ///< for messages
  int marker_size = 7;
  std::string_view ours_label = "ours", theirs_label = "theirs";
  /// `base` and `theirs` are what has landed: of that, `ours` takes out and changes nothing.
  bool restores = false;
};

/// How a message about a provisional number ends.
inline constexpr std::string_view kToConfirm = "; `revctl renumber` confirms it";

struct MergeOutput {
  bool conflict = false;  ///< markers stand in `text`
  std::string text;
  std::vector<std::string> messages;  ///< what was decided, or what contradicts what; for stderr
};

/// Three-way merge of a version list (design section 6, "Merging"). Pure; symmetric in its sides
/// except for marker labels. An Error (a file that cannot be parsed) tells the caller to make the
/// plain text merge instead.
base::Result<MergeOutput> Merge(const MergeInput& input, const MergeContext& context,
                                const ListConfig& config);

/// Line (1-based) of the first conflict marker that git left in `text`; 0 where there is none.
int ConflictMarkerLine(std::string_view text);

/// Repairs a list that was left with conflict markers (merge or diff3 style): splits it into its
/// sides and merges those. `text` without markers gives the list as the merge would have written
/// it: a landed entry gets its landed number back and pending ones follow, which mends a clean text
/// merge that came out with wrong numbers.
base::Result<MergeOutput> Resolve(std::string_view text, std::string_view path,
                                  const MergeContext& context, const ListConfig& config);

/// Puts back what `text`, a list without markers, has lost of `before` since: landed revisions, as
/// they landed, at their place; other names, sentinel and `current` where the target has them. What
/// has taken the number of one is a new name for it, a pending revision that follows, or a
/// conflict, as in a merge.
base::Result<MergeOutput> Restore(std::string_view text, std::string_view before,
                                  std::string_view path, const MergeContext& context,
                                  const ListConfig& config);

}  // namespace revctl::list
