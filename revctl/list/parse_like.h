#pragma once
#include "revctl/list/revision_list.h"

namespace revctl::list::detail {

/// Parse(text), quicker where the file begins as `like`'s does: entries that both have at the top,
/// in the same bytes, are taken over instead of being read again. Versions of one list mostly
/// differ at their ends, and a merge reads four of them.
base::Result<RevisionList> ParseLike(std::string_view text, const ListConfig& config,
                                     std::string_view path, const RevisionList& like);

}  // namespace revctl::list::detail
