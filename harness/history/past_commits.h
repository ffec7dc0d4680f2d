#pragma once
#include <string>
#include <vector>

#include "revctl/base/result.h"

namespace revctl::harness {

/// A commit that brought revisions to the branch at hand.
struct PastCommit {
  std::string commit;
  std::vector<std::string> revisions;  ///< in the list's order
};

/// The list's file below the work tree `root`, as the configuration of the folder `golden` says.
base::Result<std::string> ListFile(const std::string& root, const std::string& golden);

/// Which commits of HEAD's first parents added the names to `list`, a file below `root`; oldest
/// first. Names that none added are left out.
base::Result<std::vector<PastCommit>> CommitsThatAdded(const std::string& root,
                                                       const std::string& list,
                                                       const std::vector<std::string>& names);

/// Runs a command line of the shell in `folder`; what it says goes to the file `log`.
bool RunLogged(const std::string& folder, const std::string& command, const std::string& log);

}  // namespace revctl::harness
