#pragma once
#include <string>

namespace revctl::commands {

/// The change for which the CI system runs, as the system describes it. Fields without information
/// are empty.
struct CiChange {
  std::string system = {};  ///< "GitHub", "GitLab", "Gerrit", "Jenkins"
  std::string event = {};   ///< event in the system's own terms, such as "merge_group"
  std::string target_branch = {};
  std::string branch_from = {};  ///< variable or key from which target_branch was read
  /// The commit that the change lands on: the base of a merge group, or the tip of the branch
  /// before a push.
  std::string target_commit = {};
  std::string commit_from = {};  ///< variable or key for target_commit, even if it is unset
  /// Description of target_commit, such as "the commit that the merge group is built on".
  std::string commit_means = {};
  bool is_push = false;  ///< the change is a push that has already moved the branch
  /// Equal to `commit_from` if that variable names no commit. The caller must not use the branch's
  /// tip instead.
  std::string missing = {};
};

/// Reads GITHUB_*, CI_*, GERRIT_*, and on Jenkins CHANGE_TARGET, BRANCH_NAME and GIT_*. All fields
/// are empty outside of CI.
CiChange ReadCiEnvironment();

}  // namespace revctl::commands
