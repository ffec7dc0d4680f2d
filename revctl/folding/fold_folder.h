#pragma once
#include <string>
#include <vector>

#include "revctl/folding/commit.h"
#include "revctl/list/reading/list_config.h"

namespace revctl::commands {

/// Folds the lists in a folder, which need not be in a repository: adds the pending revisions to
/// the lists, removes their files, and updates the include files. Skips lists without `numbers:
/// at-landing`. Revisions without goldens stay pending. A killed run can be repeated, because each
/// list is written before its pending files are removed.
base::Result<std::vector<FoldedList>> FoldFolder(const std::string& root,
                                                 const std::vector<const list::ListConfig*>& lists);

}  // namespace revctl::commands
