#pragma once
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "revctl/git/repository.h"

namespace revctl::git {

/// Returns the files of the work tree, sorted, whose path is `wanted`, that git does not ignore,
/// and that contain one of `texts`. The result is that of `git grep -I -l --untracked`, but without
/// starting a process. Returns nullopt if git must search instead.
base::Result<std::optional<std::vector<std::string>>> FilesHolding(
    const Repository& repository, const std::vector<std::string>& texts,
    const std::function<bool(const std::string& path)>& wanted);

}  // namespace revctl::git
