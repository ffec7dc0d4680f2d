#pragma once
#include <string>
#include <vector>

#include "revctl/workspace/workspace.h"

namespace revctl::commands {

struct MendedGoldens {
  std::vector<std::string> mended;  ///< paths from the repository's root, to be added
  std::vector<std::string> left;    ///< those of which no side can be chosen, and why
};

/// Goldens that the index holds in conflict, in the work tree as the merge driver would have left
/// them (golden/merge.h). Where one side has removed a record and the other has written it anew,
/// the list decides: `here`, or nothing where it cannot be read. The index stays as it is.
base::Result<MendedGoldens> MendGoldens(const Workspace& workspace, const list::ListConfig& list,
                                        const list::RevisionList* here);

/// Goldens of landed revisions that the work tree lacks, as a revert of their commit leaves it.
/// They come back from where the branch met the target; `here` is the list as it is mended. Gives
/// their paths.
base::Result<std::vector<std::string>> PutLandedGoldensBack(const Workspace& workspace,
                                                            const list::ListConfig& list,
                                                            const list::RevisionList& here);

}  // namespace revctl::commands
