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
  std::vector<Bump> bumps;  ///< ascending by number, one for each number
  std::vector<std::int64_t>
      ambiguous;         ///< numbers that several commits set; the newest is in `bumps`
  bool shallow = false;  ///< this clone lacks the older commits
};

/// Follows `constant` from HEAD back to the commit that introduced it, also through files that it
/// was moved from. A commit counts if it gave the constant a higher number than its first parent
/// has. Merges do not count.
base::Result<ConstantHistory> HistoryOf(const git::Repository& repository,
                                        const VersionConstant& constant);

}  // namespace revctl::commands
