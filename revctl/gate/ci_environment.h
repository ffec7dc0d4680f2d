#pragma once
#include <string>

namespace revctl::commands {

/// What a CI system says about the change it runs for. Empty fields: it says nothing.
struct CiChange {
  std::string system = {};         ///< "GitHub", "GitLab", "Gerrit", "Jenkins"
  std::string event = {};          ///< as the system calls it: "merge_group"
  std::string target_branch = {};  ///< short name
  std::string branch_from = {};    ///< the variable or key that names target_branch
  /// the commit that the change lands on: of a merge group, or before a push
  std::string target_commit = {};
  std::string commit_from = {};   ///< the variable or key that names target_commit, or should
  std::string commit_means = {};  ///< "the commit that the merge group is built on"
  bool is_push = false;           ///< the branch has moved already
  std::string missing = {};  ///< `commit_from` where it names no commit: the branch's tip must not
                             ///< stand in for it
};

/// Reads GITHUB_*, CI_*, GERRIT_*, and of Jenkins CHANGE_TARGET, BRANCH_NAME and GIT_*; outside CI
/// everything is empty.
CiChange ReadCiEnvironment();

}  // namespace revctl::commands
