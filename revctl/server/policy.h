#pragma once
#include <string>
#include <vector>

#include "revctl/config/config.h"
#include "revctl/git/repository.h"

namespace revctl::commands {

/// An updated ref of a push. An all-zero id means that the ref is created or deleted.
struct Update {
  std::string before, after, ref;
  bool creates() const { return git::IsNull(before); }
  bool deletes() const { return git::IsNull(after); }
};

/// The policy that applies to one project of the repository.
struct ServerPolicy {
  std::string prefix;  ///< folder of its .revctl.yaml, with a trailing '/'; empty at the root
  config::Config config;
  /// The policy comes from the pushed branch itself, because HEAD's branch has none. It protects
  /// only that branch, which may also be deleted.
  bool alone = false;
};

/// Returns the policies of all projects: at the root, and in each folder with a .revctl.yaml before
/// or after this push. An unreadable policy at the root is an error. In other folders it may be
/// broken on purpose, for example in a test, so they only add a line to `unguarded`.
base::Result<std::vector<ServerPolicy>> ServerPolicies(const git::Repository& repository,
                                                       const std::vector<Update>& updates,
                                                       std::vector<std::string>& unguarded);

/// Returns the policies on all branches, one per project and target. Each distinct policy and
/// folder is read once, however many branches share it.
base::Result<std::vector<ServerPolicy>> BranchPolicies(const git::Repository& repository);

}  // namespace revctl::commands
