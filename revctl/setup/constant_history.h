#pragma once
#include <map>
#include <string>
#include <vector>

#include "revctl/git/repository.h"
#include "revctl/setup/version_constant.h"

namespace revctl::commands {

/// A commit that raised a constant.
struct Bump {
  std::int64_t number = 0;
  git::CommitInfo commit;
};

struct ConstantHistory {
  std::vector<Bump> bumps;  ///< in ascending order of numbers, one commit for each number
  std::vector<std::int64_t>
      /// Numbers that several commits set; `bumps` has the newest of these commits.
      ambiguous;
  bool shallow = false;  ///< true if the clone is shallow and older commits are missing
};

/// Follows `constant` from HEAD back to the commit that introduced it, even if commits moved it
/// between files. Collects the non-merge commits that raised the constant above its value in their
/// first parent.
base::Result<ConstantHistory> HistoryOf(const git::Repository& repository,
                                        const VersionConstant& constant);

}  // namespace revctl::commands
