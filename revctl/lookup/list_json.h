#pragma once
#include <cstdint>
#include <functional>
#include <string_view>

#include "revctl/base/json.h"
#include "revctl/list/reading/revision_list.h"

namespace revctl::commands {

/// One list in the shape that `list --json` promises. `state_of`: "landed", "pending" or
/// "provisional"; where it is empty, as for a list out of the history, nothing is said of that.
/// Lineages begin at `root`.
base::Json ListJson(const list::RevisionList& list, const list::ListConfig& config,
                    std::uint64_t root,
                    const std::function<std::string_view(const list::Entry&)>& state_of);

/// The document around them.
base::Json ListsJson(base::Json::List lists);

}  // namespace revctl::commands
