#pragma once
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "revctl/git/repository.h"

namespace revctl::git {

/// Returns the paths of all files in the work tree that satisfy `wanted`, are not ignored by git,
/// and contain one of `texts`, in sorted order. Gives the same result as `git grep -I -l
/// --untracked` without starting a process. Returns nullopt if the caller must run git instead.
base::Result<std::optional<std::vector<std::string>>> FilesHolding(
    const Repository& repository, const std::vector<std::string>& texts,
    const std::function<bool(const std::string& path)>& wanted);

}  // namespace revctl::git
