#pragma once
#include <string>

namespace revctl::commands {

/// The change that the CI job checks, as the CI system describes it. A field is empty if the system
/// does not provide it.
struct CiChange {
  std::string system = {};  ///< "GitHub", "GitLab", "Gerrit" or "Jenkins"
  std::string event = {};   ///< event in the system's own terms, such as "merge_group"
  std::string target_branch = {};
  std::string branch_from = {};  ///< variable or key from which target_branch was read
  /// The commit that the change lands on: the base of a merge group, or the tip of the branch
  /// before a push.
  std::string target_commit = {};
  /// name of the variable or key for target_commit, even if it is unset
  std::string commit_from = {};
  /// Description of target_commit, such as "the commit that the merge group is built on".
  std::string commit_means = {};
  bool is_push = false;  ///< true if the change is a push that has already moved the branch
  /// Equal to `commit_from` if that variable does not contain a commit; otherwise empty. If this is
  /// set, the caller must report an error instead of comparing with the branch's tip.
  std::string missing = {};
};

/// Reads the environment variables GITHUB_*, CI_*, GERRIT_*, and on Jenkins CHANGE_TARGET,
/// BRANCH_NAME and GIT_*. Outside CI, all fields of the result are empty.
CiChange ReadCiEnvironment();

}  // namespace revctl::commands
