#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "revctl/list/reading/revision_list.h"

namespace revctl::list {

/// Returns the C++ header that provides the names, numbers and lineages of a list to the library
/// (`revctl codegen`, which CMake runs). The same input always produces the same bytes.
/// `include_path` is the path that the header uses to #include the list, without quotes, such as
/// `master_version_list.h`. Fails with a usage error if the list has no revisions or does not
/// contain `oldest`.
base::Result<std::string> GenerateTable(const RevisionList& list, const ListConfig& config,
                                        const std::vector<Lineage>& lineages,
                                        std::string_view include_path);

}  // namespace revctl::list
