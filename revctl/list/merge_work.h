#pragma once
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "revctl/list/merge_entry.h"
#include "revctl/list/merge_numbers.h"
#include "revctl/list/merge_sides.h"

namespace revctl::list::detail {

/// What the steps of one merge hand to each other: the versions taken apart, what is known, and the
/// list as it grows.
struct MergeWork {
  MergeWork(const MergeInput& merge_input, const MergeContext& merge_context,
            const ListConfig& list_config);

  const MergeInput& input;
  const MergeContext& context;
  const ListConfig& config;
  Reservations reservations;
  Marking marking;
  std::string line_end = "\n";

  Landed landed;
  std::shared_ptr<const Side> base, ours, theirs, target;
  bool newest_first = false;
  std::string current;  ///< the entry that follows the latest revision; empty where the sides do
                        ///< not agree on one
  bool follows_latest = false;  ///< and it is kept that way
  /// names for something else that have the latest number in every version
  std::set<std::string> latest_numbers;

  Body body;  ///< the merged list, without markers
  /// Texts with markers, by the entry's name, that replace what `body` was evaluated with.
  std::map<std::string, std::string> marked, gaps_marked;
  std::string before_marked, end_gap_marked, after_marked;
  MergeOutput out;

  EntryRules Rules() const {
    return {context.text_merge, marking, line_end, {}, false, false, false};
  }
  /// The base's version of a frame entry; the target's where both sides have it from there.
  const Item* BaseItem(const std::string& name) const;
  /// The number that `name` landed with.
  std::int64_t LandedNumber(const std::string& name) const {
    return landed.order[landed.index.at(name)].second;
  }
  /// One side has taken a pending revision out that the other did not touch.
  bool IsGone(const std::string& pending) const;
  /// Where an entry of the frame goes that is no landed revision.
  Anchor MergedAnchor(const std::string& name) const;

  void Say(std::string message);
  void Conflict(const std::string& message);
  base::Error Impossible(const std::string& why) const;
};

/// Reads the three versions and what has landed (merge_work.cpp). A side that cannot be read is an
/// error; such a base is taken for none.
std::optional<base::Error> ReadVersions(MergeWork& work);

/// Fills `work.body` with the frame (merge_frame.cpp): landed revisions in the target's order, and
/// what stands among them.
void MergeFrame(MergeWork& work);

/// Adds pending revisions of either side behind it, with their numbers (merge_pending.cpp).
std::optional<base::Error> MergePending(MergeWork& work);

}  // namespace revctl::list::detail
