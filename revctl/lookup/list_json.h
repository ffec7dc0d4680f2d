#pragma once
#include <cstdint>
#include <functional>
#include <string_view>

#include "revctl/base/json.h"
#include "revctl/list/reading/revision_list.h"

namespace revctl::commands {

/// Returns a list in the format of `list --json`. `state_of` returns "landed", "pending" or
/// "provisional". If `state_of` is empty, for example for a list from the history, the states are
/// omitted. `root` is the list's lineage root.
base::Json ListJson(const list::RevisionList& list, const list::ListConfig& config,
                    std::uint64_t root,
                    const std::function<std::string_view(const list::Entry&)>& state_of);

base::Json ListsJson(base::Json::List lists);

}  // namespace revctl::commands
