#pragma once
#include <string>
#include <vector>

#include "revctl/config/config.h"
#include "revctl/git/repository.h"

namespace revctl::commands {

/// One line of what a push asks of a server. Ids of zeros: the ref is made, or goes.
struct Update {
  std::string before, after, ref;
  bool creates() const { return git::IsNull(before); }
  bool deletes() const { return git::IsNull(after); }
};

/// Who decides over one project of the repository.
struct ServerPolicy {
  std::string prefix;  ///< folder of its .revctl.yaml, with its final '/'; empty at the root
  config::Config config;
  /// HEAD's branch has none, and a branch's own push brought it: it guards that branch, which calls
  /// itself the target, and no other ref. It may be deleted, as any branch of one person.
  bool alone = false;
};

/// Of every project: at the root, and in each folder that has a .revctl.yaml before or after this
/// push. One at the root that cannot be read is an error; of others (a test may keep one that is
/// wrong) a line in `unguarded` says so.
base::Result<std::vector<ServerPolicy>> ServerPolicies(const git::Repository& repository,
                                                       const std::vector<Update>& updates,
                                                       std::vector<std::string>& unguarded);

/// Of every project of every branch: one policy for each target that it names. Each policy and each
/// folder is read once, however many branches have it.
base::Result<std::vector<ServerPolicy>> BranchPolicies(const git::Repository& repository);

}  // namespace revctl::commands
