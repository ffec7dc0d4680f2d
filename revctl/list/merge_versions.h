#pragma once
#include "revctl/list/merge.h"

namespace revctl::list::detail {

/// The merge proper: three versions that can all be parsed (an empty base: both sides added the
/// file), entry by entry. Runs even where a side did not change, which is how a list that came out
/// wrong is mended.
base::Result<MergeOutput> MergeVersions(const MergeInput& input, const MergeContext& context,
                                        const ListConfig& config);

}  // namespace revctl::list::detail
