#pragma once
#include <string>

#include "revctl/cli/command.h"
#include "revctl/gate/gate.h"
#include "revctl/workspace/workspace.h"

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

/// The target that `check` compares with, and why it was chosen.
struct CheckTarget {
  CiChange ci;  ///< the change as the CI system describes it, even if the command line overrides it
  ComparedBranch target;
  /// see GateRequest::release_of; nullopt if the target is not a release
  std::optional<ComparedBranch> release_of;
  std::string branch;
  std::string why;  ///< which option, variable or key determined the target, for messages
};

/// Returns the target for a check of `tree`. The command line takes precedence over the CI system,
/// and the CI system over `.revctl.yaml`. Fails with Exit::Environment if the named target is not a
/// commit in this clone.
base::Result<CheckTarget> FindTarget(const Workspace& workspace, const Tree& tree,
                                     const cli::Arguments& arguments, bool fetched);

/// Returns the commit that `what`, the value of `option`, names. Fails with Exit::Environment if
/// the name is ambiguous or this clone does not have the commit.
base::Result<git::Oid> NamedCommit(const Workspace& workspace, const std::string& what,
                                   const char* option);

}  // namespace revctl::commands
