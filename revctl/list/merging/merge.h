#pragma once
#include <string_view>

#include "revctl/list/merging/conflict_markers.h"
#include "revctl/list/merging/input.h"
#include "revctl/list/reading/revision_list.h"

namespace revctl::list {

/// Merges three versions of a version list. If the sides are swapped, the result differs only
/// inside conflict markers. Returns an Error if a side cannot be parsed. The caller should then use
/// a plain text merge.
base::Result<MergeOutput> Merge(const MergeInput& input, const MergeContext& context,
                                const ListConfig& config);

/// Repairs a list in which a merge left conflict markers (merge or diff3 style): splits the text
/// into its sides and merges them. Also repairs a `text` without markers in which a clean text
/// merge has shifted numbers: landed entries get their landed numbers back, and pending entries get
/// the numbers after them.
base::Result<MergeOutput> Resolve(std::string_view text, std::string_view path,
                                  const MergeContext& context, const ListConfig& config);

/// Restores entries of `before` that are missing from `text`, which must not contain conflict
/// markers: landed revisions with their numbers and positions, and aliases, sentinel and `current`
/// if the target has them. A revision in `text` that has taken the number of a restored revision is
/// pending and gets a new number.
base::Result<MergeOutput> Restore(std::string_view text, std::string_view before,
                                  std::string_view path, const MergeContext& context,
                                  const ListConfig& config);

}  // namespace revctl::list
