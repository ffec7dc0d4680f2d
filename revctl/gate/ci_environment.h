#pragma once
#include <string>

namespace revctl::commands {

/// The CI system's description of the change that it runs for. Fields without information are
/// empty.
struct CiChange {
  std::string system = {};  ///< "GitHub", "GitLab", "Gerrit", "Jenkins"
  std::string event = {};   ///< the system's own word: "merge_group"
  std::string target_branch = {};
  std::string branch_from = {};  ///< variable or key that names target_branch
  /// commit that the change lands on: the base of a merge group, or the branch before a push
  std::string target_commit = {};
  std::string commit_from = {};   ///< variable or key for target_commit, even if unset
  std::string commit_means = {};  ///< "the commit that the merge group is built on"
  bool is_push = false;           ///< the branch has already moved
  /// equals `commit_from` if that names no commit. Do not use the branch's tip instead.
  std::string missing = {};
};

/// Reads GITHUB_*, CI_*, GERRIT_*, and for Jenkins CHANGE_TARGET, BRANCH_NAME and GIT_*. All fields
/// are empty outside CI.
CiChange ReadCiEnvironment();

}  // namespace revctl::commands
