#pragma once
#include <string>

namespace revctl::commands {

/// What a CI system says about the change it runs for. Empty fields: it says nothing.
struct CiChange {
  std::string system;         ///< "GitHub", "GitLab", "Gerrit", "Jenkins"
  std::string target_branch;  ///< short name
  /// the commit that the change lands on: of a merge group, or before a push
  std::string target_commit;
  bool is_push = false;      ///< the branch has moved already
  std::string missing = {};  ///< what should have named target_commit and did not: the branch's tip
                             ///< must not stand in for it
};

/// Reads GITHUB_*, CI_*, GERRIT_*, and of Jenkins CHANGE_TARGET, BRANCH_NAME and GIT_*; outside CI
/// everything is empty.
CiChange ReadCiEnvironment();

}  // namespace revctl::commands
