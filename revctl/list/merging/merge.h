#pragma once
#include <string_view>

#include "revctl/list/merging/conflict_markers.h"
#include "revctl/list/merging/input.h"
#include "revctl/list/reading/revision_list.h"

namespace revctl::list {

/// Merges three versions of a version list. Swapping the sides changes nothing but the labels of
/// markers. Returns an Error if a side cannot be parsed; the caller then makes a plain text merge.
base::Result<MergeOutput> Merge(const MergeInput& input, const MergeContext& context,
                                const ListConfig& config);

/// Repairs a list that a merge left with conflict markers (merge or diff3 style): splits it into
/// its sides and merges them. A `text` without markers is returned as the merge would have written
/// it: landed entries get their landed numbers back and pending ones follow, which fixes a text
/// merge that was clean but shifted numbers.
base::Result<MergeOutput> Resolve(std::string_view text, std::string_view path,
                                  const MergeContext& context, const ListConfig& config);

/// Restores the entries of `before` that `text`, a list without markers, has lost: landed revisions
/// unchanged and at their place; aliases, sentinel and `current` if the target has them. A revision
/// that has taken the number of one of them is pending and follows with a new number.
base::Result<MergeOutput> Restore(std::string_view text, std::string_view before,
                                  std::string_view path, const MergeContext& context,
                                  const ListConfig& config);

}  // namespace revctl::list
