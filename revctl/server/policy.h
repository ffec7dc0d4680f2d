#pragma once
#include <string>
#include <vector>

#include "revctl/config/config.h"
#include "revctl/git/repository.h"

namespace revctl::commands {

/// A ref that a push updates. An all-zero id means that the push creates or deletes the ref.
struct Update {
  std::string before, after, ref;
  bool creates() const { return git::IsNull(before); }
  bool deletes() const { return git::IsNull(after); }
};

/// The policy that applies to one project of the repository.
struct ServerPolicy {
  std::string prefix;  ///< folder of the project's .revctl.yaml, with a trailing '/'; empty at the
                       ///< root
  config::Config config;
  /// True if the policy comes from a branch other than HEAD's, because HEAD's branch has no policy.
  /// Such a policy protects only its own branch, and that branch may be deleted.
  bool alone = false;
};

/// Returns the policies of all projects: at the root, and in each folder that has a `.revctl.yaml`
/// before or after this push. Fails if the policy at the root is unreadable. An unreadable policy
/// in any other folder only adds a line to `unguarded`, because it may be broken on purpose, for
/// example in a test.
base::Result<std::vector<ServerPolicy>> ServerPolicies(const git::Repository& repository,
                                                       const std::vector<Update>& updates,
                                                       std::vector<std::string>& unguarded);

/// Returns the policies on all branches, one for each project, target and ledger. Reads each
/// distinct policy only once, no matter how many branches share it.
base::Result<std::vector<ServerPolicy>> BranchPolicies(const git::Repository& repository);

}  // namespace revctl::commands
