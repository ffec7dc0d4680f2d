#pragma once
#include <string>
#include <vector>

#include "revctl/folding/commit.h"
#include "revctl/workspace/list_source.h"

namespace revctl::commands {

/// Folds the lists of a folder that need not be in a repository: writes the lists with their
/// pending revisions as entries, removes the folded files, and updates the include files.
/// `only_list` is a name or a path; empty: all lists with `numbers: at-landing`. Revisions without
/// goldens stay pending. A killed run can be repeated, because it writes a list before it removes
/// files.
base::Result<std::vector<FoldedList>> FoldFolder(const ConfigFolder& folder,
                                                 const std::string& only_list);

}  // namespace revctl::commands
