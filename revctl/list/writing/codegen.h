#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "revctl/list/reading/revision_list.h"

namespace revctl::list {

/// Returns the C++ header that gives the library the names, numbers and lineages of a list (`revctl
/// codegen`, which CMake runs). Equal input gives equal bytes. `include_path` is the argument of
/// the `#include` of the list, such as `"master_version_list.h"` with its quotes. Fails with a
/// usage error if the list has no revisions or `oldest` does not name one.
base::Result<std::string> GenerateTable(const RevisionList& list, const ListConfig& config,
                                        const std::vector<Lineage>& lineages,
                                        std::string_view include_path);

}  // namespace revctl::list
