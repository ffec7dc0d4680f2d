#pragma once
#include <optional>

#include "revctl/list/merge.h"

namespace revctl::list::detail {

/// The merge of three long lists whose upper part is the same everywhere, the target included, and
/// plain: `NAME = 12, // text`. That part is left out, the rest merged, and the part put back; a
/// list of 10,000 entries costs as much as one of some hundred. Nothing where there is no such
/// part, where anything else refers to what it has, or where the rest is no clean merge: then the
/// whole lists are merged, with the same result or the whole story of what contradicts what.
std::optional<MergeOutput> MergeBehindSharedHead(const MergeInput& input,
                                                 const MergeContext& context,
                                                 const ListConfig& config);

}  // namespace revctl::list::detail
