#pragma once
#include <string>

namespace revctl::commands {

/// What a CI system says about the change it runs for. Empty fields: it says nothing.
struct CiChange {
  std::string system;         ///< "GitHub", "GitLab", "Gerrit", "Jenkins"
  std::string target_branch;  ///< short name
  std::string target_commit;  ///< the commit that the change lands on: of a merge group, or before a push
  bool is_push = false;       ///< the branch has moved already
};

/// Reads GITHUB_*, CI_MERGE_REQUEST_*, GERRIT_*, CHANGE_* ; outside CI everything is empty.
CiChange ReadCiEnvironment();

}  // namespace revctl::commands
