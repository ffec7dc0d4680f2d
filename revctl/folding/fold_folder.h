#pragma once
#include <string>
#include <vector>

#include "revctl/folding/commit.h"
#include "revctl/list/reading/list_config.h"

namespace revctl::commands {

/// Folds the lists of a folder that need not be in a repository: writes the lists with their
/// pending revisions as entries, removes the folded files, and updates the include files.
/// Lists without `numbers: at-landing` are left out. Revisions without goldens stay pending. A
/// killed run can be repeated, because it writes a list before it removes files.
base::Result<std::vector<FoldedList>> FoldFolder(const std::string& root,
                                                 const std::vector<const list::ListConfig*>& lists);

}  // namespace revctl::commands
