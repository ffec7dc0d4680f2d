#pragma once
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>

#include "revctl/list/merging/entry.h"
#include "revctl/list/merging/sides.h"

namespace revctl::list::detail {

/// The versions of the list in a merge, each split into its frame and its pending revisions, and
/// the properties that they share. Immutable after ReadSides().
struct MergeSides {
  Landed landed;
  /// `target` may point to the same object as one of the other pointers
  std::shared_ptr<const Side> base, ours, theirs, target;
  std::string line_end = "\n";
  bool newest_first = false;
  /// name of the alias for the latest revision; empty if there is none or the sides disagree
  std::string current;
  bool follows_latest = false;  ///< true if the merge must update `current` to the latest revision
  /// Names of other aliases that have the latest revision's number as a literal in every version.
  std::set<std::string> latest_numbers;

  /// Returns the base's version of a frame entry, or else the target's version, or null.
  const Item* BaseItem(const std::string& name) const;
  std::int64_t LandedNumber(const std::string& name) const {
    return landed.order[landed.index.at(name)].second;
  }
  /// True if a side has removed a pending revision of the base, and the other side did not change
  /// it.
  bool IsGone(const std::string& pending) const;
  /// Returns the position of a frame entry that is not a landed revision.
  Anchor MergedAnchor(const std::string& name) const;
};

/// Parses and splits the versions. Returns an Error if a side or the target's list cannot be
/// parsed. A base that cannot be parsed is treated as empty.
base::Result<MergeSides> ReadSides(const MergeInput& input, const MergeContext& context,
                                   const ListConfig& config);

/// Texts with conflict markers. They replace parts of the merged list once its numbers are final,
/// because a list with markers cannot be evaluated.
struct MarkedTexts {
  std::map<std::string, std::string> entries, gaps;  ///< by the entry's name
  std::string before, end_gap, after;
};

/// The state of one merge, shared by its steps.
struct MergeWork {
  const MergeInput& input;
  const MergeContext& context;
  const ListConfig& config;
  const MergeSides sides;
  const Marking marking;
  Body body;  ///< the merged list so far, without markers
  MarkedTexts marked;
  /// Pending revisions that one side has in place of a landed revision. They remain inside conflict
  /// markers.
  std::set<std::string> renamed;
  MergeOutput out;

  EntryRules Rules() const { return {context.text_merge, marking}; }
  void Say(const std::string& message);
  void Conflict(const std::string& message);
};

base::Error Impossible(const MergeInput& input, const std::string& why);

/// Fills `work.body` with the merged frame (frame.cpp): landed revisions in the target's order, and
/// the aliases and texts between them.
void MergeFrame(MergeWork& work);

/// Adds the pending revisions of both sides after the frame, and assigns their numbers
/// (pending.cpp).
std::optional<base::Error> MergePending(MergeWork& work);

}  // namespace revctl::list::detail
