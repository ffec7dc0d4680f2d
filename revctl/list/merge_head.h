#pragma once
#include <optional>

#include "revctl/list/merge.h"

namespace revctl::list::detail {

/// The merge of three long lists whose upper part is the same everywhere, the target included, and
/// plain: `NAME = 12, // text`. That part is left out, the rest merged, and the part put back. So a
/// list of 10,000 entries costs as much as one of some hundred. Gives nothing where there is no
/// such part, where other text refers to it, or where the rest has a conflict. The caller then
/// merges the whole lists, with the same result, or with all that a conflict has to say.
std::optional<MergeOutput> MergeBehindSharedHead(const MergeInput& input,
                                                 const MergeContext& context,
                                                 const ListConfig& config);

}  // namespace revctl::list::detail
