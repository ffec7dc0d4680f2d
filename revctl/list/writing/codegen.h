#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "revctl/list/reading/revision_list.h"

namespace revctl::list {

/// The C++ header that gives the library names, numbers and lineages of a list (`revctl codegen`,
/// run by CMake). `include_path` is how the generated header includes the list
/// (`"master_version_list.h"`). Same input, same bytes. Usage errors: a list without revisions, or
/// an `oldest` that names none.
base::Result<std::string> GenerateTable(const RevisionList& list, const ListConfig& config,
                                        const std::vector<Lineage>& lineages,
                                        std::string_view include_path);

}  // namespace revctl::list
